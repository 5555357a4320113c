package integrator

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
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// AuditPages reads the audit log, newest first.
type AuditPages interface {
	AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error)
}

// Exports answers the calls that export sessions, audit entries and figures. Each export of what is more than figures is audited before
// anything is handed out. An error after that breaks the connection, so that nobody takes a part for the whole.
type Exports struct {
	sessions *session.Service
	calls    *sessions.Calls
	entries  AuditPages
	insight  *insight.Service
	record   func(context.Context, audit.Record) error
	log      *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *Exports) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/exports/sessions", ID: "exportSessions", Who: edge.Integrator, May: account.SessionsRead,
			Summary: "Export the list of sessions",
			Description: "What the filter leaves, 10 000 rows at most; go on with `after`, the id of the last row. JSON lines are sessions as `GET " +
				"/v1/sessions` answers them. No cell of CSV is a formula to a spreadsheet, and references are in it for keys with `sessions.search`. Audited.",
			Bind: edge.Call(h.list),
		},
		{
			Method: http.MethodGet, Path: "/v1/exports/audit-entries", ID: "exportAuditEntries", Who: edge.Integrator, May: account.AuditRead,
			Summary: "Export the audit log",
			Description: "Newest first, 10 000 rows at most; go on with `after`, the id of the last row. Ids, codes and times; names of members are not in " +
				"it. The log is of the whole deployment, so that it takes a key of live mode. Audited.",
			Bind: edge.Call(h.auditLog),
		},
		{
			Method: http.MethodGet, Path: "/v1/exports/figures", ID: "exportFigures", Who: edge.Integrator, May: account.InsightRead,
			Summary:     "Export the figures",
			Description: "What became of the sessions of a span, of the key's mode: in all, by day, week or month, and by what tells them apart. Counts only.",
			Bind:        edge.Call(h.figures),
		},
	}
}

func (h *Exports) list(ctx context.Context, in *wire.SessionExport) (*wire.Stream, error) {
	f, err := in.Filter(edge.KeyMode(ctx))
	if err != nil {
		return nil, err
	}
	key := edge.APIKey(ctx)
	if err := h.calls.CheckExpand(in.Expand, key.May(account.ReportsRead)); err != nil {
		return nil, err
	}
	f.Limit = session.MaxPage
	first, next, err := h.sessions.List(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := h.record(ctx, audit.Record{Action: "sessions.exported", Subject: string(f.Mode)}); err != nil {
		return nil, err
	}
	format, named := sheet.Format(in.Format), key.May(account.SessionsSearch)
	return h.download("sessions", format, sheet.SessionColumns(), func(ctx context.Context, out *sheet.Table) error {
		pages := sheet.Pages{First: first, Next: next, List: func(ctx context.Context, after string) ([]session.View, string, error) {
			f.After = after
			return h.sessions.List(ctx, f)
		}}
		return pages.Each(ctx, func(v session.View) error {
			x, err := h.calls.Expanded(ctx, v, in.Expand)
			if err != nil {
				return err
			}
			return out.Add(sheet.SessionCells(v, named), x)
		})
	}), nil
}

// auditExport says which entries are exported.
type auditExport struct {
	Format string      `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines or CSV"`
	From   string      `query:"from" maxLength:"30" doc:"At or after: YYYY-MM-DD or RFC 3339"`
	To     string      `query:"to" maxLength:"30" doc:"Before: YYYY-MM-DD or RFC 3339"`
	Action string      `query:"action" maxLength:"64" doc:"Only this action"`
	About  string      `query:"about" maxLength:"80" doc:"Only entries about the session, or the thing, with this id"`
	After  idv.AuditID `query:"after" maxLength:"40" doc:"Go on after this entry: the last of the export before"`
}

func (in *auditExport) filter() (audit.Filter, error) {
	f := audit.Filter{Action: in.Action, About: in.About, Limit: session.MaxPage, After: in.After}
	if _, ok := idv.ParseID[idv.AuditID](string(in.After)); in.After != "" && !ok {
		return f, wire.Malformed("after", "It is the id of the last entry of the export before.")
	}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return f, err
	}
	f.To, err = wire.ParseTime("to", in.To)
	return f, err
}

func (h *Exports) auditLog(ctx context.Context, in *auditExport) (*wire.Stream, error) {
	if edge.KeyMode(ctx) != idv.Live {
		return nil, problem.New(problem.AuthForbidden).Saying("The audit log is of the whole deployment: it takes a key of live mode.")
	}
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	if err := h.record(ctx, audit.Record{Action: "audit.exported"}); err != nil {
		return nil, err
	}
	return h.download("audit-entries", sheet.Format(in.Format), sheet.EntryColumns(), func(ctx context.Context, out *sheet.Table) error {
		for rows := 0; rows < sheet.MaxRows; {
			page, err := h.entries.AuditPage(ctx, f)
			if err != nil {
				return err
			}
			for _, e := range page {
				if err := out.Add(sheet.EntryCells(e), wire.AuditEntryOf(e, nil)); err != nil {
					return err
				}
				f.After = e.ID
			}
			if rows += len(page); len(page) < f.Limit {
				break
			}
		}
		return nil
	}), nil
}

// figuresExport says which figures are exported.
type figuresExport struct {
	Format   string `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines or CSV"`
	From     string `query:"from" maxLength:"30" doc:"Made at or after: YYYY-MM-DD or RFC 3339; 30 days before to if left out"`
	To       string `query:"to" maxLength:"30" doc:"Made before: YYYY-MM-DD or RFC 3339; the end of today (UTC) if left out"`
	Workflow string `query:"workflow" maxLength:"100" doc:"Only of the workflow of this name"`
	Country  string `query:"country" maxLength:"3" pattern:"^[A-Z]{0,3}$" doc:"Only with a document of this issuing state (ICAO 9303-3 §5; DEU is D)"`
}

func (h *Exports) figures(ctx context.Context, in *figuresExport) (*wire.Stream, error) {
	f := insight.Filter{Mode: edge.KeyMode(ctx), Workflow: in.Workflow, Country: in.Country}
	var err error
	if f.From, err = wire.ParseTime("from", in.From); err != nil {
		return nil, err
	}
	if f.To, err = wire.ParseTime("to", in.To); err != nil {
		return nil, err
	}
	got, err := h.insight.Figures(ctx, f)
	if err != nil {
		return nil, err
	}
	return h.download("figures", sheet.Format(in.Format), wire.FigureColumns(), func(_ context.Context, out *sheet.Table) error {
		for _, x := range wire.FigureLinesOf(got) {
			if err := out.Add(x.Cells(), x); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// download answers a table that write fills.
func (h *Exports) download(name string, f sheet.Format, columns []string, write func(context.Context, *sheet.Table) error) *wire.Stream {
	return edge.Download{Name: name + "." + string(f), Type: f.Media(), Write: func(ctx context.Context, w io.Writer) error {
		out, err := sheet.New(w, f, columns)
		if err != nil {
			return err
		}
		if err := write(ctx, out); err != nil {
			return err
		}
		return out.Flush()
	}}.Stream(h.log)
}
