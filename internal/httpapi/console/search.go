package console

import (
	"context"
	"io"
	"log/slog"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/sheet"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Search answers the calls that find sessions and write lists of them.
type Search struct {
	sessions *session.Service
	calls    *sessions.Calls
	record   func(context.Context, audit.Record) error
	log      *slog.Logger
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
		{
			Method: http.MethodGet, Path: "/v1/console/sessions.csv", ID: "sessionsSheet", Who: edge.Console, May: account.SessionsRead, Fresh: true,
			Summary: "The list as a sheet",
			Description: "CSV of what the filter leaves, newest first, 10 000 rows at most. No cell is a formula to a spreadsheet. References " +
				"are in it for whoever may look for persons. Audited.",
			Bind: edge.Call(h.sheet),
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

// sheet streams the list as CSV. The export is audited before anything is handed out. An error after that breaks the connection, so
// that nobody takes half a list for the whole.
func (h *Search) sheet(ctx context.Context, in *consoleFilter) (*wire.Stream, error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	f, err := in.Filter(in.Mode)
	if err != nil {
		return nil, err
	}
	first, next, err := h.sessions.List(ctx, wholePages(f))
	if err != nil {
		return nil, err
	}
	if err := h.record(ctx, audit.Record{Action: "sessions.exported", Subject: string(in.Mode)}); err != nil {
		return nil, err
	}
	named := edge.May(ctx, account.SessionsSearch, in.Mode)
	write := func(ctx context.Context, w io.Writer) error {
		return h.writeSheet(ctx, w, f, first, next, named)
	}
	return edge.Download{Name: "sessions.csv", Type: sheet.CSV.Media(), Write: write}.Stream(h.log), nil
}

func wholePages(f session.Filter) session.Filter {
	f.Limit = session.MaxPage
	return f
}

func (h *Search) writeSheet(ctx context.Context, w io.Writer, f session.Filter, page []session.View, next string, named bool) error {
	out, err := sheet.New(w, sheet.CSV, sheet.SessionColumns())
	if err != nil {
		return err
	}
	pages := sheet.Pages{First: page, Next: next, List: func(ctx context.Context, after string) ([]session.View, string, error) {
		f.After = after
		return h.sessions.List(ctx, wholePages(f))
	}}
	if err := pages.Each(ctx, func(v session.View) error { return out.Add(sheet.SessionCells(v, named), nil) }); err != nil {
		return err
	}
	return out.Flush()
}
