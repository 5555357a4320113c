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
	calls    *sessions.Calls
}

// Routes returns the calls, in the order of the reference.
func (h *Search) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/sessions/search", ID: "searchSessions", Who: edge.Integrator, May: account.SessionsSearch,
			Sends: edge.JSON, Unkept: true,
			Summary: "Find a person's sessions",
			Description: sessions.SearchDescription +
				" A key without `sessions.read` gets only which sessions there are (`id`, `external_reference`, workflow) and how they stand (state, " +
				"outcome, times); nothing else that was stated or read.",
			Bind: edge.Call(h.search),
		},
	}
}

func (h *Search) search(ctx context.Context, in *wire.Body[wire.PersonSearch]) (*wire.Answer[wire.SessionPage], error) {
	f, err := in.Body.Filter(edge.KeyMode(ctx))
	if err != nil {
		return nil, err
	}
	key := edge.APIKey(ctx)
	more := wire.ListMore{Expand: in.Body.Expand, Total: in.Body.Total}
	out, err := h.calls.List(ctx, f, more, key.May(account.SessionsRead) && key.May(account.ReportsRead), h.sessions.Search)
	if !key.May(account.SessionsRead) {
		for i, found := range out.Items {
			out.Items[i] = wire.WithoutPersonalData(found)
		}
	}
	return wire.Reply(out, err)
}
