package sessions

import (
	"context"
	"io"
	"log/slog"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sheet"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
)

// AuditPages reads the audit log, newest first.
type AuditPages interface {
	AuditPage(ctx context.Context, f audit.Filter) ([]audit.Entry, error)
}

// Tables exports sessions, audit entries and figures, as CSV or JSON lines. Each export of what is more than figures is audited before
// anything is handed out. An error after that breaks the connection, so that nobody takes a part for the whole.
type Tables struct {
	Service *session.Service
	Calls   *Calls
	Entries AuditPages
	Insight *insight.Service
	Record  func(context.Context, audit.Record) error
	Log     *slog.Logger
}

// SessionRows says how sessions are exported.
type SessionRows struct {
	Format sheet.Format
	Expand []wire.Expansion // what each line of JSON comes with; checked before
	Named  bool             // whether cells of CSV have the references
}

// Sessions exports what the filter leaves, sheet.MaxRows at most, in its order.
func (t *Tables) Sessions(ctx context.Context, f session.Filter, as SessionRows) (*wire.Stream, error) {
	f.Limit = session.MaxPage
	first, next, err := t.Service.List(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := t.Record(ctx, audit.Record{Action: "sessions.exported", Subject: string(f.Mode)}); err != nil {
		return nil, err
	}
	return t.download("sessions", as.Format, sheet.SessionColumns(), func(ctx context.Context, out *sheet.Table) error {
		pages := sheet.Pages{First: first, Next: next, List: func(ctx context.Context, after string) ([]session.View, string, error) {
			f.After = after
			return t.Service.List(ctx, f)
		}}
		return pages.Each(ctx, func(v session.View) error {
			x, err := t.Calls.Expanded(ctx, v, as.Expand)
			if err != nil {
				return err
			}
			return out.Add(sheet.SessionCells(v, as.Named), x)
		})
	}), nil
}

// AuditEntries exports what the filter leaves of the audit log, newest first, sheet.MaxRows at most.
func (t *Tables) AuditEntries(ctx context.Context, f audit.Filter, as sheet.Format) (*wire.Stream, error) {
	f.Limit = session.MaxPage
	if err := t.Record(ctx, audit.Record{Action: "audit.exported"}); err != nil {
		return nil, err
	}
	return t.download("audit-entries", as, sheet.EntryColumns(), func(ctx context.Context, out *sheet.Table) error {
		for rows := 0; rows < sheet.MaxRows; {
			page, err := t.Entries.AuditPage(ctx, f)
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

// Figures exports the figures of a span.
func (t *Tables) Figures(ctx context.Context, f insight.Filter, as sheet.Format) (*wire.Stream, error) {
	got, err := t.Insight.Figures(ctx, f)
	if err != nil {
		return nil, err
	}
	return t.download("figures", as, wire.FigureColumns(), func(_ context.Context, out *sheet.Table) error {
		for _, x := range wire.FigureLinesOf(got) {
			if err := out.Add(x.Cells(), x); err != nil {
				return err
			}
		}
		return nil
	}), nil
}

// download answers a table that write fills.
func (t *Tables) download(name string, f sheet.Format, columns []string, write func(context.Context, *sheet.Table) error) *wire.Stream {
	return edge.Download{Name: name + "." + string(f), Type: f.Media(), Write: func(ctx context.Context, w io.Writer) error {
		out, err := sheet.New(w, f, columns)
		if err != nil {
			return err
		}
		if err := write(ctx, out); err != nil {
			return err
		}
		return out.Flush()
	}}.Stream(t.Log)
}
