package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// developerRoutes are webhooks, events and API keys: by key, and the same in the console.
func (s *Server) developerRoutes() []edge.Route {
	rows := []edge.Route{
		{Method: http.MethodGet, Path: "/v1/webhook-endpoints", ID: "listWebhookEndpoints", Who: edge.Integrator, May: account.WebhooksRead,
			Summary: "List webhook endpoints", Description: "Those of the key's mode.", Bind: edge.Call(s.listEndpoints)},
		{Method: http.MethodPost, Path: "/v1/webhook-endpoints", ID: "createWebhookEndpoint", Who: edge.Integrator, May: account.WebhooksWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a webhook endpoint",
			Description: "Events of the key's mode are posted to it, signed by the Standard Webhooks scheme with the `secret` that is answered this once. " +
				"A delivery that is not answered with 2xx within ten seconds is tried again, 16 times over three days. The same event can arrive twice, and events in another order: go by `webhook-id` and `timestamp`.",
			Bind: edge.Call(s.createEndpoint)},
		{Method: http.MethodGet, Path: "/v1/events", ID: "listEvents", Who: edge.Integrator, May: account.EventsRead,
			Summary: "Read the feed of events", Description: "Everything that webhooks tell, oldest first, in the order of commits. Whoever comes back with `next` misses none.",
			Bind: edge.Call(s.listEvents)},

		{Method: http.MethodGet, Path: "/v1/console/webhook-endpoints", ID: "consoleListWebhookEndpoints", Who: edge.Console, May: account.WebhooksRead,
			Summary: "List webhook endpoints", Description: "Those of a mode.", Bind: edge.Call(s.consoleListEndpoints)},
		{Method: http.MethodPost, Path: "/v1/console/webhook-endpoints", ID: "consoleCreateWebhookEndpoint", Who: edge.Console, May: account.WebhooksWrite, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a webhook endpoint", Description: "As the integrator's call, with the mode in the body (test if left out).", Bind: edge.Call(s.consoleCreateEndpoint)},
		{Method: http.MethodGet, Path: "/v1/console/event-log", ID: "consoleListEvents", Who: edge.Console, May: account.EventsRead,
			Summary: "Read the event log", Description: "What the feed holds, newest first.", Bind: edge.Call(s.consoleListEventLog)},

		{Method: http.MethodGet, Path: "/v1/console/keys", ID: "listKeys", Who: edge.Console, May: account.KeysRead,
			Summary: "List API keys", Description: "Those of a mode, without their secrets, and what you may give to a new one.", Bind: edge.Call(s.listKeys)},
		{Method: http.MethodPost, Path: "/v1/console/keys", ID: "createKey", Who: edge.Console, May: account.KeysWrite, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make an API key", Description: "The key itself is answered this once. It can do nothing that you may not do in its mode.", Bind: edge.Call(s.createKey)},
		{Method: http.MethodPost, Path: "/v1/console/keys/{id}/rotate", ID: "rotateKey", Who: edge.Console, May: account.KeysWrite, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Rotate an API key", Description: "Makes a key of the same name, mode and scopes; the old one goes on for a while.", Bind: edge.Call(s.rotateKey)},
		{Method: http.MethodPost, Path: "/v1/console/keys/{id}/revoke", ID: "revokeKey", Who: edge.Console, May: account.KeysWrite, Sends: edge.JSON,
			Summary: "Revoke an API key", Description: "Ends it at once, for ever.", Bind: edge.Call(s.revokeKey)},
	}
	rows = append(rows, s.endpointRoutes(edge.Integrator, "/v1/webhook-endpoints", "")...)
	return append(rows, s.endpointRoutes(edge.Console, "/v1/console/webhook-endpoints", "console")...)
}

// endpointRoutes are the calls on one endpoint, which are the same for both credentials.
func (s *Server) endpointRoutes(who edge.Caller, base, prefix string) []edge.Route {
	id := func(name string) string {
		if prefix == "" {
			return name
		}
		return prefix + string(name[0]-'a'+'A') + name[1:]
	}
	return []edge.Route{
		{Method: http.MethodGet, Path: base + "/{id}", ID: id("getWebhookEndpoint"), Who: who, May: account.WebhooksRead,
			Summary: "Read a webhook endpoint", Description: "Without its secret.", Bind: edge.Call(s.getEndpoint)},
		{Method: http.MethodDelete, Path: base + "/{id}", ID: id("removeWebhookEndpoint"), Who: who, May: account.WebhooksWrite, Fresh: who == edge.Console, Status: http.StatusNoContent,
			Summary: "Remove a webhook endpoint", Description: "Nothing more is sent to it, and its deliveries are forgotten.", Bind: edge.Call(s.removeEndpoint)},
		{Method: http.MethodPost, Path: base + "/{id}/rotate", ID: id("rotateWebhookEndpoint"), Who: who, May: account.WebhooksWrite, Fresh: who == edge.Console, Sends: edge.JSON,
			Summary: "Rotate a webhook secret", Description: "Answers a new secret, this once. For 24 hours deliveries carry two signatures, one by each.", Bind: edge.Call(s.rotateEndpoint)},
		{Method: http.MethodPost, Path: base + "/{id}/start", ID: id("startWebhookEndpoint"), Who: who, May: account.WebhooksWrite, Sends: edge.JSON,
			Summary: "Start a webhook endpoint again", Description: "One that answered 410 Gone is stopped, and nothing is sent to it. From now on events are sent again; what it missed is in `GET /v1/events`.", Bind: edge.Call(s.startEndpoint)},
		{Method: http.MethodPost, Path: base + "/{id}/test", ID: id("testWebhookEndpoint"), Who: who, May: account.WebhooksWrite, Sends: edge.JSON,
			Summary: "Send a test event", Description: "An event of type `webhook.test`, to this endpoint only. It is not in the feed.", Bind: edge.Call(s.testEndpoint)},
		{Method: http.MethodGet, Path: base + "/{id}/deliveries", ID: id("listWebhookDeliveries"), Who: who, May: account.WebhooksRead,
			Summary: "List deliveries", Description: "Newest first, each with its tries. Those at their end are kept for 30 days.", Bind: edge.Call(s.listDeliveries)},
		{Method: http.MethodPost, Path: base + "/{id}/deliveries/{delivery}/resend", ID: id("resendWebhookDelivery"), Who: who, May: account.WebhooksWrite, Sends: edge.JSON,
			Summary: "Send a delivery again", Description: "At once, with the same webhook-id and all its tries before it.", Bind: edge.Call(s.resendDelivery)},
	}
}

// ByEndpoint is the input of calls on one webhook endpoint. Exported because the framework overlooks embedded structs
// that are not.
type ByEndpoint struct {
	ID idv.EndpointID `path:"id" maxLength:"40" doc:"Endpoint id"`
}

type byEndpointPosted struct {
	ByEndpoint
	Body *wire.Empty `required:"false"`
}

type byDelivery struct {
	ByEndpoint
	Delivery idv.DeliveryID `path:"delivery" maxLength:"40" doc:"Delivery id"`
	Body     *wire.Empty    `required:"false"`
}

type deliveriesInput struct {
	ByEndpoint
	Status string         `query:"status" enum:"due,delivered,given_up" doc:"Only these"`
	Limit  int            `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After  idv.DeliveryID `query:"after" maxLength:"40" doc:"The next of the page before"`
}

// FeedInput narrows the feed. Exported for the same reason.
type FeedInput struct {
	Type    []string      `query:"type" maxItems:"50" doc:"Only these types, separated by commas"`
	Session idv.SessionID `query:"session" maxLength:"40" doc:"Only events of this session"`
	Limit   int           `query:"limit" minimum:"1" maximum:"100" default:"25" doc:"Rows of a page"`
	After   idv.EventID   `query:"after" maxLength:"40" doc:"The next of the page before; from the first event on if left out"`
}

type eventLogInput struct {
	FeedInput
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's"`
}

// ByKey is the input of calls on one API key. Exported for the same reason.
type ByKey struct {
	ID idv.KeyID `path:"id" maxLength:"40" doc:"Key id"`
}

type byKeyPosted struct {
	ByKey
	Body *wire.Empty `required:"false"`
}

type keyRotation struct {
	ByKey
	Body wire.KeyRotation
}
