package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

func (s *Server) listEndpoints(ctx context.Context, _ *wire.None) (*wire.Answer[wire.WebhookEndpointList], error) {
	return s.endpointsOf(ctx, edge.KeyMode(ctx))
}

func (s *Server) consoleListEndpoints(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.WebhookEndpointList], error) {
	if err := edge.CheckMay(ctx, account.WebhooksRead, in.Mode); err != nil {
		return nil, err
	}
	return s.endpointsOf(ctx, in.Mode)
}

func (s *Server) endpointsOf(ctx context.Context, mode idv.Mode) (*wire.Answer[wire.WebhookEndpointList], error) {
	found, err := s.hooks.Endpoints(ctx, mode)
	out := wire.WebhookEndpointList{Items: []wire.WebhookEndpoint{}, Types: []wire.EventKind{}}
	for _, k := range webhook.Kinds() {
		out.Types = append(out.Types, wire.EventKind{Type: k.Type, When: k.When})
	}
	for _, e := range found {
		out.Items = append(out.Items, wire.EndpointOf(e, s.now()))
	}
	return wire.Reply(out, err)
}

func (s *Server) createEndpoint(ctx context.Context, in *wire.Body[wire.NewWebhookEndpoint]) (*wire.Answer[wire.WebhookEndpoint], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	return s.makeEndpoint(ctx, mode, in.Body)
}

func (s *Server) consoleCreateEndpoint(ctx context.Context, in *wire.Body[wire.NewWebhookEndpoint]) (*wire.Answer[wire.WebhookEndpoint], error) {
	mode := wire.ModeOrTest(in.Body.Mode)
	if err := edge.CheckMay(ctx, account.WebhooksWrite, mode); err != nil {
		return nil, err
	}
	return s.makeEndpoint(ctx, mode, in.Body)
}

func (s *Server) makeEndpoint(ctx context.Context, mode idv.Mode, n wire.NewWebhookEndpoint) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := s.hooks.Create(ctx, webhook.Spec{Mode: mode, URL: n.URL, Events: n.Events})
	return wire.Reply(wire.EndpointWithSecret(e, s.now()), err)
}

// reach is the mode of an endpoint that the caller may do p with. To anybody else it is not there.
func (s *Server) reach(ctx context.Context, p account.Permission, id idv.EndpointID) (webhook.Endpoint, error) {
	if edge.APIKey(ctx).ID != "" {
		return s.hooks.Endpoint(ctx, edge.KeyMode(ctx), id)
	}
	e, err := s.hooks.Endpoint(ctx, "", id)
	if err == nil && !edge.May(ctx, p, e.Mode) {
		return webhook.Endpoint{}, problem.New(problem.NotFound)
	}
	return e, err
}

func (s *Server) getEndpoint(ctx context.Context, in *ByEndpoint) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksRead, in.ID)
	return wire.Reply(wire.EndpointOf(e, s.now()), err)
}

func (s *Server) removeEndpoint(ctx context.Context, in *ByEndpoint) (*wire.None, error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	return nil, s.hooks.Remove(ctx, e.Mode, in.ID)
}

func (s *Server) rotateEndpoint(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = s.hooks.Rotate(ctx, e.Mode, in.ID)
	return wire.Reply(wire.EndpointWithSecret(e, s.now()), err)
}

func (s *Server) startEndpoint(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookEndpoint], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	e, err = s.hooks.Start(ctx, e.Mode, in.ID)
	return wire.Reply(wire.EndpointOf(e, s.now()), err)
}

func (s *Server) testEndpoint(ctx context.Context, in *byEndpointPosted) (*wire.Answer[wire.WebhookDelivery], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.hooks.Test(ctx, e.Mode, in.ID)
	return wire.Reply(wire.DeliveryOf(d, readsAnswers(ctx, e.Mode)), err)
}

func (s *Server) listDeliveries(ctx context.Context, in *deliveriesInput) (*wire.Answer[wire.WebhookDeliveryPage], error) {
	e, err := s.reach(ctx, account.WebhooksRead, in.ID)
	if err != nil {
		return nil, err
	}
	found, next, err := s.hooks.Deliveries(ctx, e.Mode, webhook.DeliveryFilter{
		Endpoint: in.ID, State: webhook.State(in.Status), Limit: in.Limit, After: in.After,
	})
	out := wire.WebhookDeliveryPage{Items: []wire.WebhookDelivery{}, Next: next}
	answers := readsAnswers(ctx, e.Mode)
	for _, d := range found {
		out.Items = append(out.Items, wire.DeliveryOf(d, answers))
	}
	return wire.Reply(out, err)
}

func (s *Server) resendDelivery(ctx context.Context, in *byDelivery) (*wire.Answer[wire.WebhookDelivery], error) {
	e, err := s.reach(ctx, account.WebhooksWrite, in.ID)
	if err != nil {
		return nil, err
	}
	d, err := s.hooks.Resend(ctx, e.Mode, in.ID, in.Delivery)
	return wire.Reply(wire.DeliveryOf(d, readsAnswers(ctx, e.Mode)), err)
}

func (s *Server) listEvents(ctx context.Context, in *FeedInput) (*wire.Answer[wire.EventPage], error) {
	found, err := s.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: edge.KeyMode(ctx), Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After,
	})
	out := wire.EventPage{Items: wire.EventMessagesOf(found), Next: string(in.After)}
	if len(found) > 0 {
		out.Next = string(found[len(found)-1].ID)
	}
	return wire.Reply(out, err)
}

func (s *Server) consoleListEventLog(ctx context.Context, in *eventLogInput) (*wire.Answer[wire.EventPage], error) {
	if err := edge.CheckMay(ctx, account.EventsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.hooks.Feed(ctx, webhook.FeedFilter{
		Mode: in.Mode, Types: in.Type, Session: in.Session, Limit: in.Limit, After: in.After, Newest: true,
	})
	out := wire.EventPage{Items: wire.EventMessagesOf(found)}
	if len(found) == in.Limit {
		out.Next = string(found[len(found)-1].ID)
	}
	return wire.Reply(out, err)
}

// readsAnswers reports whether the caller may see what a receiver answered. That can be anything, also about the person: it is
// for whoever may read the sessions of that mode unmasked.
func readsAnswers(ctx context.Context, mode idv.Mode) bool {
	return edge.APIKey(ctx).May(account.SessionsRead) || account.May(edge.Member(ctx).Roles, account.SessionsRead, mode)
}
