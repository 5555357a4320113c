package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// modeInput is the input of console calls that show one mode.
type modeInput struct {
	Mode idv.Mode `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
}

// byView is the input of calls on one saved view.
type byView struct {
	View idv.ViewID `path:"view" maxLength:"40" doc:"View id"`
}

func (s *Server) searchSessions(ctx context.Context, in *wire.Body[wire.PersonSearch]) (*wire.Answer[wire.SessionPage], error) {
	items, next, err := wire.SessionsOf(s.sessions.Sessions.Search(ctx, in.Body.Filter(edge.KeyMode(ctx))))
	if !edge.APIKey(ctx).May(account.SessionsRead) {
		for i, found := range items {
			items[i] = wire.WithoutPersonalData(found)
		}
	}
	return wire.Reply(wire.SessionPage{Items: items, Next: next}, err)
}

func (s *Server) consoleSearchSessions(ctx context.Context, in *wire.Body[wire.ConsolePersonSearch]) (*wire.Answer[wire.SessionPage], error) {
	if err := edge.CheckMay(ctx, account.SessionsSearch, in.Body.Mode); err != nil {
		return nil, err
	}
	items, next, err := wire.SessionsOf(s.sessions.Sessions.Search(ctx, in.Body.Filter(in.Body.Mode)))
	return wire.Reply(wire.SessionPage{Items: items, Next: next}, err)
}

func (s *Server) sessionFacets(ctx context.Context, in *modeInput) (*wire.Answer[wire.SessionFacets], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.sessions.Sessions.Facets(ctx, in.Mode)
	return wire.Reply(wire.SessionFacetsOf(found), err)
}

func (s *Server) listViews(ctx context.Context, in *modeInput) (*wire.Answer[wire.SavedViews], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.sessions.Views.Views(ctx, edge.Member(ctx).ID, in.Mode)
	out := wire.SavedViews{Items: []wire.SavedView{}}
	for _, v := range found {
		out.Items = append(out.Items, wire.SavedViewOf(v))
	}
	return wire.Reply(out, err)
}

func (s *Server) saveView(ctx context.Context, in *wire.Body[wire.NewView]) (*wire.Answer[wire.SavedView], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := s.sessions.Views.SaveView(ctx, session.SavedView{
		Owner: edge.Member(ctx).ID, Mode: in.Body.Mode, Name: in.Body.Name, Filter: wire.ViewFilterFrom(in.Body.Filter),
	})
	return wire.Reply(wire.SavedViewOf(v), err)
}

func (s *Server) deleteView(ctx context.Context, in *byView) (*wire.None, error) {
	v, err := s.sessions.Views.View(ctx, edge.Member(ctx).ID, in.View)
	if err != nil {
		return nil, err
	}
	if err := edge.CheckMay(ctx, account.SessionsRead, v.Mode); err != nil {
		return nil, err
	}
	return nil, s.sessions.Views.DeleteView(ctx, edge.Member(ctx).ID, in.View)
}

// sessionsSheet streams the list as a sheet. That it was asked for is audited before anything is handed out; what goes wrong
// later breaks the connection, so that half a list is not taken for the whole.
func (s *Server) sessionsSheet(ctx context.Context, in *consoleFilter) (*wire.Stream, error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	f, err := in.Filter(in.Mode)
	if err != nil {
		return nil, err
	}
	first, next, err := s.sessions.Sessions.List(ctx, wholePages(f))
	if err != nil {
		return nil, err
	}
	if err := s.record(ctx, audit.Record{Action: "sessions.exported", Subject: string(in.Mode)}); err != nil {
		return nil, err
	}
	named := edge.May(ctx, account.SessionsSearch, in.Mode)
	return &wire.Stream{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="sessions.csv"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := s.writeSheet(hc.Context(), newSheet(w), f, first, next, named); err != nil {
			s.log.ErrorContext(ctx, "a sheet was cut off", "request_id", edge.RequestID(ctx), "error", err)
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// maxSheetRows bounds a sheet.
const maxSheetRows = 10_000

func wholePages(f session.Filter) session.Filter {
	f.Limit = session.MaxPage
	return f
}

func (s *Server) writeSheet(ctx context.Context, out *sheet, f session.Filter, page []session.View, next string, named bool) error {
	if err := out.row(sheetColumns...); err != nil {
		return err
	}
	for rows := 0; ; {
		for _, v := range page {
			if err := out.row(sheetRow(v, named)...); err != nil {
				return err
			}
		}
		if rows += len(page); next == "" || rows >= maxSheetRows {
			return out.flush()
		}
		f.After = next
		var err error
		if page, next, err = s.sessions.Sessions.List(ctx, wholePages(f)); err != nil {
			return err
		}
	}
}
