package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/sheet"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Exports answers the calls that export what a page of the console lists: sessions, audit entries and figures, in the formats of the
// integrator's exports.
type Exports struct {
	tables *sessions.Tables
}

// Routes returns the calls, in the order of the reference.
func (h *Exports) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/exports/sessions", ID: "consoleExportSessions", Who: edge.Console, May: account.SessionsRead,
			Fresh:   true,
			Summary: "Export the list of sessions",
			Description: "What the filter leaves, in the order of the list, 10 000 rows at most. JSON lines are sessions as the list answers them. No " +
				"cell of CSV is a formula to a spreadsheet, and references are in it for members who may search for people. Audited.",
			Bind: edge.Call(h.sessions),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/exports/audit-entries", ID: "consoleExportAuditEntries", Who: edge.Console, May: account.AuditRead,
			Fresh:   true,
			Summary: "Export the audit log",
			Description: "What the filter leaves, newest first, 10 000 rows at most. Ids, codes and times; names of members are not in it. " +
				"Audited.",
			Bind: edge.Call(h.auditLog),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/exports/figures", ID: "consoleExportFigures", Who: edge.Console, May: account.InsightRead,
			Summary:     "Export the figures",
			Description: "What became of the sessions of a span: in all, by day, week or month, and by what tells them apart. Counts only.",
			Bind:        edge.Call(h.figures),
		},
	}
}

// sessionExport says which sessions are exported.
type sessionExport struct {
	wire.SessionNarrowing
	wire.SessionBar
	Sort   session.Sort `query:"sort" enum:"-created_at,created_at,-state,state,-decided_at,decided_at" default:"-created_at" doc:"A minus turns it round"`
	Mode   idv.Mode     `query:"mode" enum:"live,test" default:"test" doc:"Which mode's sessions"`
	Format string       `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines with whole sessions, or CSV with their main columns"`
}

func (h *Exports) sessions(ctx context.Context, in *sessionExport) (*wire.Stream, error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	f, err := in.Filter(in.Mode)
	if err != nil {
		return nil, err
	}
	f.Bar, f.Sort = in.Bar(), in.Sort
	return h.tables.Sessions(ctx, f, sessions.SessionRows{
		Format: sheet.Format(in.Format), Named: edge.May(ctx, account.SessionsSearch, in.Mode),
	})
}

// auditExport says which entries are exported.
type auditExport struct {
	AuditNarrowing
	Format string `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines or CSV"`
}

func (h *Exports) auditLog(ctx context.Context, in *auditExport) (*wire.Stream, error) {
	f, err := in.filter()
	if err != nil {
		return nil, err
	}
	return h.tables.AuditEntries(ctx, f, sheet.Format(in.Format))
}

// figuresExport says which figures are exported.
type figuresExport struct {
	AnalyticsInput
	Format string `query:"format" enum:"jsonl,csv" default:"jsonl" doc:"JSON lines or CSV"`
}

func (h *Exports) figures(ctx context.Context, in *figuresExport) (*wire.Stream, error) {
	f, err := in.filter(ctx, account.InsightRead)
	if err != nil {
		return nil, err
	}
	return h.tables.Figures(ctx, f, sheet.Format(in.Format))
}
