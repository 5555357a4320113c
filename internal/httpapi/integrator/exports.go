package integrator

import (
	"context"
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
)

// Exports answers the calls that export sessions, audit entries and figures.
type Exports struct {
	tables *sessions.Tables
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
	if err := h.tables.Calls.CheckExpand(in.Expand, key.May(account.ReportsRead)); err != nil {
		return nil, err
	}
	return h.tables.Sessions(ctx, f, sessions.SessionRows{
		Format: sheet.Format(in.Format), Expand: in.Expand, Named: key.May(account.SessionsSearch),
	})
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
	f := audit.Filter{Action: in.Action, About: in.About, After: in.After}
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
	return h.tables.AuditEntries(ctx, f, sheet.Format(in.Format))
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
	return h.tables.Figures(ctx, f, sheet.Format(in.Format))
}
