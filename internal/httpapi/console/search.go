package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Search answers the calls that find sessions.
type Search struct {
	sessions *session.Service
	calls    *sessions.Calls
}

// Routes returns the calls, in the order of the reference.
func (h *Search) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/search", ID: "consoleSearchSessions", Who: edge.Console,
			May: account.SessionsSearch, Sends: edge.JSON, Unkept: true,
			Summary:     "Find a person's sessions",
			Description: sessions.SearchDescription,
			Bind:        edge.Call(h.search),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/sessions/facets", ID: "sessionFacets", Who: edge.Console, May: account.SessionsRead,
			Masks:       true,
			Summary:     "What the list can be filtered by",
			Description: "Workflows, and issuing states of sessions that are there.",
			Bind:        edge.Call(h.facets),
		},
	}
}

// modeInput is the input of console calls that show one mode.
type modeInput struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
}

func (h *Search) search(ctx context.Context, in *wire.Body[wire.ConsolePersonSearch]) (*wire.Answer[wire.SessionPage], error) {
	if err := edge.CheckMay(ctx, account.SessionsSearch, in.Body.Mode); err != nil {
		return nil, err
	}
	f, err := in.Body.Filter(in.Body.Mode)
	if err != nil {
		return nil, err
	}
	more := wire.ListMore{Expand: in.Body.Expand, Total: in.Body.Total}
	return wire.Reply(h.calls.List(ctx, f, more, edge.May(ctx, account.ReportsRead, in.Body.Mode), h.sessions.Search))
}

func (h *Search) facets(ctx context.Context, in *modeInput) (*wire.Answer[wire.SessionFacets], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.sessions.Facets(ctx, in.Mode)
	return wire.Reply(wire.SessionFacetsOf(found), err)
}
