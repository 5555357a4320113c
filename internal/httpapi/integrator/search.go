package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Search answers the call that finds the sessions of a person.
type Search struct {
	sessions *session.Service
}

// Routes returns the calls, in the order of the reference.
func (h *Search) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/sessions/search", ID: "searchSessions", Who: edge.Integrator, May: account.SessionsSearch,
			Sends: edge.JSON, Unkept: true,
			Summary: "Find a person's sessions",
			Description: sessions.SearchDescription +
				" A key without `sessions.read` is told which sessions there are (`id`, `external_reference`, workflow) and how they stand (state, " +
				"outcome, times); nothing else that was stated or read.",
			Bind: edge.Call(h.search),
		},
	}
}

func (h *Search) search(ctx context.Context, in *wire.Body[wire.PersonSearch]) (*wire.Answer[wire.SessionPage], error) {
	items, next, err := wire.SessionsOf(h.sessions.Search(ctx, in.Body.Filter(edge.KeyMode(ctx))))
	if !edge.APIKey(ctx).May(account.SessionsRead) {
		for i, found := range items {
			items[i] = wire.WithoutPersonalData(found)
		}
	}
	return wire.Reply(wire.SessionPage{Items: items, Next: next}, err)
}
