package webhooks

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

func (h *Endpoints) deliveries(ctx context.Context, in *deliveriesInput) (*wire.Answer[wire.WebhookDeliveryPage], error) {
	e, err := h.find(ctx, account.WebhooksRead, in.ID)
	if err != nil {
		return nil, err
	}
	found, next, err := h.hooks.Deliveries(ctx, e.Mode, webhook.DeliveryFilter{
		Endpoint: in.ID, State: webhook.State(in.Status), Limit: in.Limit, After: in.After,
	})
	out := wire.WebhookDeliveryPage{Items: []wire.WebhookDelivery{}, Next: next}
	answers := readsSessions(ctx, e.Mode)
	for _, d := range found {
		out.Items = append(out.Items, wire.DeliveryOf(d, answers))
	}
	return wire.Reply(out, err)
}

func (h *Endpoints) resend(ctx context.Context, in *byDelivery) (*wire.Answer[wire.WebhookDelivery], error) {
	e, err := h.find(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := h.hooks.Resend(ctx, e.Mode, in.ID, in.Delivery)
	return wire.Reply(wire.DeliveryOf(d, readsSessions(ctx, e.Mode)), err)
}

func (h *Endpoints) events(ctx context.Context, in *FeedInput) (*wire.Answer[wire.EventPage], error) {
	found, err := h.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: edge.KeyMode(ctx), Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After,
	})
	out := wire.EventPage{Items: wire.EventMessagesOf(found), Next: string(in.After)}
	if len(found) > 0 {
		out.Next = string(found[len(found)-1].ID)
	}
	return wire.Reply(out, err)
}

func (h *Endpoints) eventLog(ctx context.Context, in *eventLogInput) (*wire.Answer[wire.EventPage], error) {
	if err := edge.CheckMay(ctx, account.EventsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: in.Mode, Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After, Newest: true,
	})
	out := wire.EventPage{Items: wire.EventMessagesOf(found)}
	if len(found) == in.Limit {
		out.Next = string(found[len(found)-1].ID)
	}
	return wire.Reply(out, err)
}

// readsAnswers reports whether the caller may see the receivers' answers. A receiver can answer with anything, also about the person, so
// that takes the permission to read sessions of that mode unmasked.
func readsSessions(ctx context.Context, mode idv.Mode) bool {
	return edge.APIKey(ctx).May(account.SessionsRead) || account.May(edge.Member(ctx).Roles, account.SessionsRead, mode)
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

// FeedInput narrows the feed. Exported because the framework ignores embedded structs that are not.
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
