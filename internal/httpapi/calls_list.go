package httpapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/icao"
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

func (s *Server) searchSessions(ctx context.Context, in *body[PersonSearch]) (*answer[SessionPage], error) {
	items, next, err := sessionsOf(s.sessions.Sessions.Search(ctx, in.Body.filter(modeOf(ctx))))
	if !known(ctx).key.May(account.SessionsRead) {
		for i, found := range items {
			items[i] = foundOnly(found)
		}
	}
	return reply(SessionPage{Items: items, Next: next}, err)
}

// foundOnly is what a search tells whoever may not read sessions: which they are, by id and `external_reference`, and how they
// stand. What was read or stated of the person (`claimed`, `metadata`, `return_url`, document and country) is left out. A
// reference is the integrator's own name for the session: where that holds something personal, it is answered.
func foundOnly(x Session) Session {
	return Session{
		ID: x.ID, Mode: x.Mode, State: x.State, Outcome: x.Outcome, ExternalReference: x.ExternalReference, Metadata: map[string]string{},
		Claimed: map[idv.ClaimName]string{}, Workflow: x.Workflow, CreatedAt: x.CreatedAt, LinkExpiresAt: x.LinkExpiresAt, ExpiresAt: x.ExpiresAt,
		OpenedAt: x.OpenedAt, SubmittedAt: x.SubmittedAt, DecidedAt: x.DecidedAt, ErasedAt: x.ErasedAt, Keeping: x.Keeping,
	}
}

func (s *Server) consoleSearchSessions(ctx context.Context, in *body[ConsolePersonSearch]) (*answer[SessionPage], error) {
	if err := mayInMode(ctx, account.SessionsSearch, in.Body.Mode); err != nil {
		return nil, err
	}
	items, next, err := sessionsOf(s.sessions.Sessions.Search(ctx, in.Body.filter(in.Body.Mode)))
	return reply(SessionPage{Items: items, Next: next}, err)
}

func (p PersonSearch) filter(mode idv.Mode) session.Filter {
	f := session.Filter{
		Mode: mode, Limit: p.Limit, After: string(p.After),
		Wanted: session.Wanted{Name: p.Name, DocumentNumber: p.DocumentNumber, Reference: p.Reference},
	}
	if p.Metadata != nil {
		f.Wanted.MetadataKey, f.Wanted.MetadataValue = p.Metadata.Key, p.Metadata.Value
	}
	return f
}

func (s *Server) sessionFacets(ctx context.Context, in *modeInput) (*answer[SessionFacets], error) {
	if err := mayInMode(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.sessions.Sessions.Facets(ctx, in.Mode)
	return reply(facetsOf(found), err)
}

func facetsOf(found session.Facets) SessionFacets {
	out := SessionFacets{Workflows: list0(found.Workflows), Countries: []State{}}
	for _, code := range found.Countries {
		one := State{Code: code, Name: code}
		if known, ok := icao.StateByCode(code); ok {
			one.Name = known.Name
		}
		out.Countries = append(out.Countries, one)
	}
	return out
}

func (s *Server) listViews(ctx context.Context, in *modeInput) (*answer[SavedViews], error) {
	if err := mayInMode(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.sessions.Views.Views(ctx, userOf(ctx).ID, in.Mode)
	out := SavedViews{Items: []SavedView{}}
	for _, v := range found {
		out.Items = append(out.Items, savedViewOf(v))
	}
	return reply(out, err)
}

func (s *Server) saveView(ctx context.Context, in *body[NewView]) (*answer[SavedView], error) {
	if err := mayInMode(ctx, account.SessionsRead, in.Body.Mode); err != nil {
		return nil, err
	}
	v, err := s.sessions.Views.SaveView(ctx, session.SavedView{
		Owner: userOf(ctx).ID, Mode: in.Body.Mode, Name: in.Body.Name, Filter: viewFilterOf(in.Body.Filter),
	})
	return reply(savedViewOf(v), err)
}

func (s *Server) deleteView(ctx context.Context, in *byView) (*none, error) {
	v, err := s.sessions.Views.View(ctx, userOf(ctx).ID, in.View)
	if err != nil {
		return nil, err
	}
	if err := mayInMode(ctx, account.SessionsRead, v.Mode); err != nil {
		return nil, err
	}
	return nil, s.sessions.Views.DeleteView(ctx, userOf(ctx).ID, in.View)
}

func viewFilterOf(f ViewFilter) session.ViewFilter {
	return session.ViewFilter{
		States: f.State, Outcome: f.Outcome, Reason: f.Reason, Workflow: f.Workflow, Country: f.Country, Kind: f.Kind, From: f.From, To: f.To,
	}
}

func savedViewOf(v session.SavedView) SavedView {
	f := v.Filter
	return SavedView{
		ID: v.ID, Mode: v.Mode, Name: v.Name, CreatedAt: v.CreatedAt.UTC(),
		Filter: ViewFilter{
			State: f.States, Outcome: f.Outcome, Reason: f.Reason, Workflow: f.Workflow, Country: f.Country, Kind: f.Kind, From: f.From, To: f.To,
		},
	}
}

// sessionsSheet streams the list as a sheet. That it was asked for is audited before anything is handed out; what goes wrong
// later breaks the connection, so that half a list is not taken for the whole.
func (s *Server) sessionsSheet(ctx context.Context, in *consoleFilter) (*stream, error) {
	if err := mayInMode(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	f, err := in.filter(in.Mode)
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
	named := may(ctx, account.SessionsSearch, in.Mode)
	return &stream{Body: func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		w.Header().Set("Content-Disposition", `attachment; filename="sessions.csv"`)
		w.Header().Set("Cache-Control", "private, no-store")
		if err := s.writeSheet(hc.Context(), newSheet(w), f, first, next, named); err != nil {
			s.log.ErrorContext(ctx, "a sheet was cut off", "request_id", requestID(ctx), "error", err)
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
