package httpapi

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

func (s *Server) listEndpoints(ctx context.Context, _ *none) (*answer[WebhookEndpointList], error) {
	return s.endpointsOf(ctx, modeOf(ctx))
}

func (s *Server) consoleListEndpoints(ctx context.Context, in *ofMode) (*answer[WebhookEndpointList], error) {
	if err := mayInMode(ctx, account.WebhooksRead, in.Mode); err != nil {
		return nil, err
	}
	return s.endpointsOf(ctx, in.Mode)
}

func (s *Server) endpointsOf(ctx context.Context, mode idv.Mode) (*answer[WebhookEndpointList], error) {
	found, err := s.hooks.Endpoints(ctx, mode)
	out := WebhookEndpointList{Items: []WebhookEndpoint{}, Types: []EventKind{}}
	for _, k := range webhook.Kinds() {
		out.Types = append(out.Types, EventKind{Type: k.Type, When: k.When})
	}
	for _, e := range found {
		out.Items = append(out.Items, endpointOf(e, s.now()))
	}
	return reply(out, err)
}

func (s *Server) createEndpoint(ctx context.Context, in *body[NewWebhookEndpoint]) (*answer[WebhookEndpoint], error) {
	mode := modeOf(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	return s.makeEndpoint(ctx, mode, in.Body)
}

func (s *Server) consoleCreateEndpoint(ctx context.Context, in *body[NewWebhookEndpoint]) (*answer[WebhookEndpoint], error) {
	mode := orTest(in.Body.Mode)
	if err := mayInMode(ctx, account.WebhooksWrite, mode); err != nil {
		return nil, err
	}
	return s.makeEndpoint(ctx, mode, in.Body)
}

func (s *Server) makeEndpoint(ctx context.Context, mode idv.Mode, n NewWebhookEndpoint) (*answer[WebhookEndpoint], error) {
	e, err := s.hooks.Create(ctx, webhook.Spec{Mode: mode, URL: n.URL, Events: n.Events})
	return reply(endpointShown(e, s.now()), err)
}

// reach is the mode of an endpoint that the caller may do p with. To anybody else it is not there.
func (s *Server) reach(ctx context.Context, p account.Permission, id idv.EndpointID) (webhook.Endpoint, error) {
	if known(ctx).key.ID != "" {
		return s.hooks.Endpoint(ctx, modeOf(ctx), id)
	}
	e, err := s.hooks.Endpoint(ctx, "", id)
	if err == nil && !may(ctx, p, e.Mode) {
		return webhook.Endpoint{}, problem.New(problem.NotFound)
	}
	return e, err
}

func (s *Server) getEndpoint(ctx context.Context, in *ByEndpoint) (*answer[WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksRead, in.ID)
	return reply(endpointOf(e, s.now()), err)
}

func (s *Server) removeEndpoint(ctx context.Context, in *ByEndpoint) (*none, error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	return nil, s.hooks.Remove(ctx, e.Mode, in.ID)
}

func (s *Server) rotateEndpoint(ctx context.Context, in *byEndpointPosted) (*answer[WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = s.hooks.Rotate(ctx, e.Mode, in.ID)
	return reply(endpointShown(e, s.now()), err)
}

func (s *Server) startEndpoint(ctx context.Context, in *byEndpointPosted) (*answer[WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = s.hooks.Start(ctx, e.Mode, in.ID)
	return reply(endpointOf(e, s.now()), err)
}

func (s *Server) testEndpoint(ctx context.Context, in *byEndpointPosted) (*answer[WebhookDelivery], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.hooks.Test(ctx, e.Mode, in.ID)
	return reply(deliveryOf(d, readsAnswers(ctx, e.Mode)), err)
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (*answer[WebhookDeliveryPage], error) {
	e, err := s.reach(ctx, account.WebhooksRead, in.ID)
	if err != nil {
		return nil, err
	}
	found, next, err := s.hooks.Deliveries(ctx, e.Mode, webhook.DeliveryFilter{
		Endpoint: in.ID, State: webhook.State(in.Status), Limit: in.Limit, After: in.After,
	})
	out := WebhookDeliveryPage{Items: []WebhookDelivery{}, Next: next}
	answers := readsAnswers(ctx, e.Mode)
	for _, d := range found {
		out.Items = append(out.Items, deliveryOf(d, answers))
	}
	return reply(out, err)
}

func (s *Server) resendDelivery(ctx context.Context, in *byDelivery) (*answer[WebhookDelivery], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.hooks.Resend(ctx, e.Mode, in.ID, in.Delivery)
	return reply(deliveryOf(d, readsAnswers(ctx, e.Mode)), err)
}

func (s *Server) listEvents(ctx context.Context, in *FeedInput) (*answer[EventPage], error) {
	found, err := s.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: modeOf(ctx), Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After,
	})
	out := EventPage{Items: messagesOf(found), Next: string(in.After)}
	if len(found) > 0 {
		out.Next = string(found[len(found)-1].ID)
	}
	return reply(out, err)
}

func (s *Server) consoleListEventLog(ctx context.Context, in *eventLogInput) (*answer[EventPage], error) {
	if err := mayInMode(ctx, account.EventsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: in.Mode, Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After, Newest: true,
	})
	out := EventPage{Items: messagesOf(found)}
	if len(found) == in.Limit {
		out.Next = string(found[len(found)-1].ID)
	}
	return reply(out, err)
}

// endpointOf is an endpoint without its secret.
func endpointOf(e webhook.Endpoint, now time.Time) WebhookEndpoint {
	return WebhookEndpoint{
		ID: e.ID, Mode: e.Mode, URL: e.URL, Events: list0(e.Events), CreatedAt: e.CreatedAt.UTC(), FailingSince: at(e.FailingSince),
		StoppedAt: at(e.StoppedAt), OldSecretUntil: at(e.Overlap(now)),
	}
}

// endpointShown is an endpoint with the secret that was made just now.
func endpointShown(e webhook.Endpoint, now time.Time) WebhookEndpoint {
	out := endpointOf(e, now)
	out.Secret = e.Secret()
	return out
}

// readsAnswers reports whether the caller may see what a receiver answered. That can be anything, also about the person: it is
// for whoever may read the sessions of that mode unmasked.
func readsAnswers(ctx context.Context, mode idv.Mode) bool {
	q := known(ctx)
	return q.key.May(account.SessionsRead) || account.May(q.user.Roles, account.SessionsRead, mode)
}

// deliveryOf is a delivery with its tries, and what was answered to them where answers is set.
func deliveryOf(d webhook.Delivery, answers bool) WebhookDelivery {
	out := WebhookDelivery{
		ID: d.ID, Event: d.Event, Type: d.Type, Session: d.Session, Status: string(d.State), Attempt: d.Attempt,
		NextAt: at(d.NextAt), CreatedAt: d.CreatedAt.UTC(), EndedAt: at(d.EndedAt), Tries: []WebhookTry{},
	}
	for _, t := range d.Tries {
		one := WebhookTry{At: t.At.UTC(), Status: t.Status, TookMS: t.Took.Round(time.Millisecond).Milliseconds(), Fault: string(t.Fault)}
		if answers {
			one.Excerpt = t.Excerpt
		}
		out.Tries = append(out.Tries, one)
	}
	return out
}

func messagesOf(events []webhook.Event) []EventMessage {
	out := []EventMessage{}
	for _, e := range events {
		out = append(out, EventMessage(webhook.MessageOf(e)))
	}
	return out
}

// orTest is a mode, or test where none was named.
func orTest(m idv.Mode) idv.Mode {
	if m == "" {
		return idv.Test
	}
	return m
}
