// Package webhooks answers the calls on webhooks and events, which integrators and the console make alike.
package webhooks

import (
	"context"
	"net/http"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// Endpoints answers the calls on webhook endpoints and their deliveries, and on events.
type Endpoints struct {
	hooks *webhook.Service
	now   func() time.Time
}

// New returns the Endpoints. hooks may be nil where only the description of the API is wanted.
func New(hooks *webhook.Service, now func() time.Time) *Endpoints {
	return &Endpoints{hooks: hooks, now: now}
}

// Routes returns the calls, in the order of the reference.
func (h *Endpoints) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/webhook-endpoints", ID: "listWebhookEndpoints", Who: edge.Integrator, May: account.WebhooksRead,
			Summary:     "List webhook endpoints",
			Description: "Those of the key's mode.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/webhook-endpoints", ID: "createWebhookEndpoint", Who: edge.Integrator, May: account.WebhooksWrite,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a webhook endpoint",
			Description: "Events of the key's mode are posted to it, signed by the Standard Webhooks scheme with the `secret` that is answered " +
				"this once. A delivery that is not answered with 2xx within ten seconds is tried again, 16 times over three days. The same event can " +
				"arrive twice, and events in another order: go by `webhook-id` and `timestamp`.",
			Bind: edge.Call(h.create),
		},
		{
			Method: http.MethodGet, Path: "/v1/events", ID: "listEvents", Who: edge.Integrator, May: account.EventsRead,
			Summary:     "Read the feed of events",
			Description: "Everything that webhooks tell, oldest first, in the order of commits. Whoever comes back with `next` misses none.",
			Bind:        edge.Call(h.events),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/webhook-endpoints", ID: "consoleListWebhookEndpoints", Who: edge.Console,
			May:         account.WebhooksRead,
			Summary:     "List webhook endpoints",
			Description: "Those of a mode.",
			Bind:        edge.Call(h.consoleList),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/webhook-endpoints", ID: "consoleCreateWebhookEndpoint", Who: edge.Console,
			May: account.WebhooksWrite, Fresh: true, Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Make a webhook endpoint",
			Description: "As the integrator's call, with the mode in the body (test if left out).",
			Bind:        edge.Call(h.consoleCreate),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/event-log", ID: "consoleListEvents", Who: edge.Console, May: account.EventsRead,
			Summary:     "Read the event log",
			Description: "What the feed holds, newest first.",
			Bind:        edge.Call(h.eventLog),
		},
	}
}

func (h *Endpoints) list(ctx context.Context, _ *wire.None) (*wire.Answer[wire.WebhookEndpointList], error) {
	return h.listMode(ctx, edge.KeyMode(ctx))
}

func (h *Endpoints) consoleList(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.WebhookEndpointList], error) {
	if err := edge.CheckMay(ctx, account.WebhooksRead, in.Mode); err != nil {
		return nil, err
	}
	return h.listMode(ctx, in.Mode)
}

// listMode answers the endpoints of a mode.
func (h *Endpoints) listMode(ctx context.Context, mode idv.Mode) (*wire.Answer[wire.WebhookEndpointList], error) {
	found, err := h.hooks.Endpoints(ctx, mode)
	out := wire.WebhookEndpointList{Items: []wire.WebhookEndpoint{}, Types: []wire.EventKind{}}
	for _, k := range webhook.Kinds() {
		out.Types = append(out.Types, wire.EventKind{Type: k.Type, When: k.When})
	}
	for _, e := range found {
		out.Items = append(out.Items, wire.EndpointOf(e, h.now()))
	}
	return wire.Reply(out, err)
}

func (h *Endpoints) create(ctx context.Context, in *wire.Body[wire.NewWebhookEndpoint]) (*wire.Answer[wire.WebhookEndpoint], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	return h.createIn(ctx, mode, in.Body)
}

func (h *Endpoints) consoleCreate(ctx context.Context, in *wire.Body[wire.NewWebhookEndpoint]) (*wire.Answer[wire.WebhookEndpoint], error) {
	mode := wire.ModeOrTest(in.Body.Mode)
	if err := edge.CheckMay(ctx, account.WebhooksWrite, mode); err != nil {
		return nil, err
	}
	return h.createIn(ctx, mode, in.Body)
}

// createIn creates an endpoint in a mode.
func (h *Endpoints) createIn(ctx context.Context, mode idv.Mode, n wire.NewWebhookEndpoint) (*wire.Answer[wire.WebhookEndpoint], error) {
	content := webhook.Content(n.Content)
	if content == "" && readsSessions(ctx, mode) {
		content = webhook.ContentReference
	}
	if content.Personal() && !readsSessions(ctx, mode) {
		return nil, forbiddenContent("/content")
	}
	e, err := h.hooks.Create(ctx, webhook.Spec{Mode: mode, URL: n.URL, Events: n.Events, Content: content})
	return wire.Reply(wire.EndpointWithSecret(e, h.now()), err)
}

// find returns an endpoint, if the caller has the permission p in its mode; not_found otherwise.
func (h *Endpoints) find(ctx context.Context, p account.Permission, id idv.EndpointID) (webhook.Endpoint, error) {
	if edge.APIKey(ctx).ID != "" {
		return h.hooks.Endpoint(ctx, edge.KeyMode(ctx), id)
	}
	e, err := h.hooks.Endpoint(ctx, "", id)
	if err == nil && !edge.May(ctx, p, e.Mode) {
		return webhook.Endpoint{}, problem.New(problem.NotFound)
	}
	return e, err
}

func (h *Endpoints) get(ctx context.Context, in *ByEndpoint) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := h.find(ctx, account.WebhooksRead, in.ID)
	return wire.Reply(wire.EndpointOf(e, h.now()), err)
}

// change changes an endpoint. Who may not read sessions neither lets webhooks carry what was stated, nor sends what they carry elsewhere.
func (h *Endpoints) change(ctx context.Context, in *onEndpoint) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	c := wire.EndpointChange(in.Body)
	if !readsSessions(ctx, e.Mode) {
		if c.Content != nil && c.Content.Personal() && *c.Content != e.Content {
			return nil, forbiddenContent("/content")
		}
		if c.URL != nil && *c.URL != e.URL && (e.Content.Personal() && (c.Content == nil || c.Content.Personal())) {
			return nil, forbiddenContent("/url")
		}
	}
	e, err = h.hooks.Change(ctx, e, c)
	return wire.Reply(wire.EndpointOf(e, h.now()), err)
}

// forbiddenContent is the refusal of what would tell an endpoint more than the caller may read.
func forbiddenContent(field string) error {
	return problem.New(problem.AuthForbidden).At(field).Saying("Webhooks that carry more than ids take the permission sessions.read.")
}

func (h *Endpoints) remove(ctx context.Context, in *ByEndpoint) (*wire.None, error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	return nil, h.hooks.Remove(ctx, e.Mode, in.ID)
}

func (h *Endpoints) rotate(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = h.hooks.Rotate(ctx, e.Mode, in.ID)
	return wire.Reply(wire.EndpointWithSecret(e, h.now()), err)
}

func (h *Endpoints) restart(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = h.hooks.Start(ctx, e.Mode, in.ID)
	return wire.Reply(wire.EndpointOf(e, h.now()), err)
}

func (h *Endpoints) test(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookDelivery], error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := h.hooks.Test(ctx, e.Mode, in.ID)
	return wire.Reply(wire.DeliveryOf(d, readsSessions(ctx, e.Mode)), err)
}

// ByEndpoint is the input of calls on one webhook endpoint. Exported because the framework ignores embedded structs that are not.
type ByEndpoint struct {
	ID idv.EndpointID `path:"id" maxLength:"40" doc:"Endpoint id"`
}

type onEndpoint struct {
	ByEndpoint
	Body wire.WebhookEndpointChange
}

type byEndpointPosted struct {
	ByEndpoint
	Body *wire.Empty `required:"false"`
}

// EndpointRoutes returns the calls on one endpoint, which are the same for integrators and in the console.
func (h *Endpoints) EndpointRoutes() []edge.Route {
	return append(h.endpointRoutes(edge.Integrator, "/v1/webhook-endpoints", ""),
		h.endpointRoutes(edge.Console, "/v1/console/webhook-endpoints", "console")...)
}

func (h *Endpoints) endpointRoutes(who edge.Caller, base, prefix string) []edge.Route {
	id := func(name string) string {
		if prefix == "" {
			return name
		}
		return prefix + string(name[0]-'a'+'A') + name[1:]
	}
	return []edge.Route{
		{
			Method: http.MethodGet, Path: base + "/{id}", ID: id("getWebhookEndpoint"), Who: who, May: account.WebhooksRead,
			Summary:     "Read a webhook endpoint",
			Description: "Without its secret.",
			Bind:        edge.Call(h.get),
		},
		{
			Method: http.MethodPatch, Path: base + "/{id}", ID: id("changeWebhookEndpoint"), Who: who, May: account.WebhooksWrite,
			Fresh: who == edge.Console, Sends: edge.JSON,
			Summary: "Change or pause a webhook endpoint",
			Description: "What is left out stays. While an endpoint is paused, what becomes due waits, for 30 days at most; it is sent once it is resumed, to " +
				"the address and with the content that the endpoint has then.",
			Bind: edge.Call(h.change),
		},
		{
			Method: http.MethodDelete, Path: base + "/{id}", ID: id("removeWebhookEndpoint"), Who: who, May: account.WebhooksWrite,
			Fresh: who == edge.Console, Status: http.StatusNoContent,
			Summary:     "Remove a webhook endpoint",
			Description: "Nothing more is sent to it, and its deliveries are forgotten.",
			Bind:        edge.Call(h.remove),
		},
		{
			Method: http.MethodPost, Path: base + "/{id}/rotate", ID: id("rotateWebhookEndpoint"), Who: who, May: account.WebhooksWrite,
			Fresh: who == edge.Console, Sends: edge.JSON,
			Summary:     "Rotate a webhook secret",
			Description: "Answers a new secret, this once. For 24 hours deliveries carry two signatures, one by each.",
			Bind:        edge.Call(h.rotate),
		},
		{
			Method: http.MethodPost, Path: base + "/{id}/start", ID: id("startWebhookEndpoint"), Who: who, May: account.WebhooksWrite,
			Sends:   edge.JSON,
			Summary: "Start a webhook endpoint again",
			Description: "One that answered 410 Gone is stopped, and nothing is sent to it. From now on events are sent again; what it missed is " +
				"in `GET /v1/events`.",
			Bind: edge.Call(h.restart),
		},
		{
			Method: http.MethodPost, Path: base + "/{id}/test", ID: id("testWebhookEndpoint"), Who: who, May: account.WebhooksWrite,
			Sends:       edge.JSON,
			Summary:     "Send a test event",
			Description: "An event of type `webhook.test`, to this endpoint only. It is not in the feed.",
			Bind:        edge.Call(h.test),
		},
		{
			Method: http.MethodGet, Path: base + "/{id}/deliveries", ID: id("listWebhookDeliveries"), Who: who, May: account.WebhooksRead,
			Summary:     "List deliveries",
			Description: "Newest first, each with its tries. Those at their end are kept for 30 days.",
			Bind:        edge.Call(h.deliveries),
		},
		{
			Method: http.MethodPost, Path: base + "/{id}/deliveries/{delivery}/resend", ID: id("resendWebhookDelivery"), Who: who,
			May: account.WebhooksWrite, Sends: edge.JSON,
			Summary:     "Send a delivery again",
			Description: "At once, with the same webhook-id and all its tries before it.",
			Bind:        edge.Call(h.resend),
		},
	}
}
