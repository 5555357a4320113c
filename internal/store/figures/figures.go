package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Days that are over have their sums in figure_days (see days.go); what is not there is counted from the index
// sessions_figures alone, which holds every column that these queries name: rows, with what is sealed in them, are not read.

// Sums implements insight.Store.
func (s *Statistics) Sums(ctx context.Context, n insight.Narrowed) (insight.Sums, error) {
	g := Gather(n)
	err := s.db.Read.RunInTx(ctx, s.db.SnapshotOptions(), func(ctx context.Context, db bun.Tx) error {
		kept, err := s.keptSums(ctx, db, n)
		if err != nil {
			return err
		}
		for day, raw := range kept {
			if err := g.packed(day, raw); err != nil {
				return fmt.Errorf("read the sums of %s: %w", day, err)
			}
		}
		for _, gap := range gaps(n.From, n.To, kept) {
			counted, err := s.Count(ctx, db, n.Mode, gap)
			if err != nil {
				return err
			}
			for day, sums := range counted {
				g.Counted(day, sums)
			}
		}
		return nil
	})
	if err != nil {
		return insight.Sums{}, err
	}
	return g.Answer()
}

// Span is from one moment, included, to another, excluded.
type Span struct{ From, To time.Time }

// gaps are the parts of a span that no day in kept covers.
func gaps(from, to time.Time, kept map[string][]byte) []Span {
	var out []Span
	for at := from; at.Before(to); {
		day := at.Truncate(24 * time.Hour)
		next := day.AddDate(0, 0, 1)
		if next.After(to) {
			next = to
		}
		_, ok := kept[day.Format(time.DateOnly)]
		switch last := len(out) - 1; {
		case ok && at.Equal(day) && next.Equal(day.AddDate(0, 0, 1)):
		case last >= 0 && out[last].To.Equal(at):
			out[last].To = next
		default:
			out = append(out, Span{at, next})
		}
		at = next
	}
	return out
}

// keptSums reads the sums of the whole days of a span, as far as there are any.
func (s *Statistics) keptSums(ctx context.Context, db bun.IDB, n insight.Narrowed) (map[string][]byte, error) {
	var rows []DayRow
	first := n.From.Add(24*time.Hour - 1).Truncate(24 * time.Hour)
	err := db.NewSelect().Model(&rows).Column("day", "sums").Where("mode = ? AND day >= ? AND day < ?", string(n.Mode),
		first.Format(time.DateOnly), n.To.Truncate(24*time.Hour).Format(time.DateOnly)).Where("format = ? AND sums IS NOT NULL", SumsFormat).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the sums of days: %w", err)
	}
	out := make(map[string][]byte, len(rows))
	for _, row := range rows {
		out[row.Day] = row.Sums
	}
	return out, nil
}

// tallyRow is how many sessions of a day are alike.
type tallyRow struct {
	Day       string `bun:"day"`
	Workflow  string `bun:"workflow_version_id"`
	Country   string `bun:"country"`
	Kind      string `bun:"document_kind"`
	Device    string `bun:"device"`
	FaceModel string `bun:"face_model"`
	Source    string `bun:"capture_source"`
	Due       string `bun:"due_step"`
	State     string `bun:"state"`
	Outcome   string `bun:"outcome"`
	Automatic bool   `bun:"automatic"`
	Opened    bool   `bun:"opened"`
	Submitted bool   `bun:"submitted"`
	N         int    `bun:"n"`
}

func (r tallyRow) tally() insight.Tally {
	return insight.Tally{
		Workflow: idv.WorkflowVersionID(r.Workflow), Country: r.Country, Kind: idv.DocumentKind(r.Kind), Device: idv.Device(r.Device),
		FaceModel: r.FaceModel, Source: idv.Source(r.Source), Due: idv.Step(r.Due), Fate: insight.Fate{
			State: idv.SessionState(r.State), Outcome: idv.DecisionOutcome(r.Outcome), Automatic: r.Automatic, Opened: r.Opened, Submitted: r.Submitted,
		},
	}
}

// dayOfSession is the SQL of the day, in UTC, on which a session was made.
func (s *Statistics) dayOfSession() string {
	if s.db.Pool != nil {
		return "TO_CHAR(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day"
	}
	return "SUBSTR(s.created_at, 1, 10) AS day"
}

// Counting are the queries that count the sessions of a span: everything alike, how long they waited, and their reasons.
func (s *Statistics) Counting(db bun.IDB, mode idv.Mode, of Span) (tallies, waits, reasons *bun.SelectQuery) {
	q := db.NewSelect().TableExpr("sessions AS s").Where("s.mode = ? AND s.created_at >= ? AND s.created_at < ?", string(mode), of.From, of.To).
		ColumnExpr(s.dayOfSession() + ", s.workflow_version_id, s.country")
	tallies = q.Clone().ColumnExpr("s.document_kind, s.device, s.face_model, s.due_step, s.state, s.outcome, s.automatic, " +
		"s.opened_at IS NOT NULL AS opened, s.submitted_at IS NOT NULL AS submitted, s.capture_source, COUNT(*) AS n").
		GroupExpr("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13")
	waits = q.Clone().ColumnExpr("s.waited_s, COUNT(*) AS n").Where("s.waited_s IS NOT NULL").GroupExpr("1, 2, 3, 4")
	reasons = q.Join("JOIN session_reasons AS r ON r.session_id = s.id").ColumnExpr("r.code, COUNT(*) AS n").GroupExpr("1, 2, 3, 4")
	return tallies, waits, reasons
}

// Count counts the sessions of a span, day by day. Days without any are left out.
func (s *Statistics) Count(ctx context.Context, db bun.IDB, mode idv.Mode, of Span) (map[string]*sums, error) {
	out := map[string]*sums{}
	at := func(day string) *sums {
		if out[day] == nil {
			out[day] = newSums()
		}
		return out[day]
	}
	tallies, waits, reasons := s.Counting(db, mode, of)
	var alike []tallyRow
	if err := tallies.Scan(ctx, &alike); err != nil {
		return nil, fmt.Errorf("count sessions: %w", err)
	}
	for _, r := range alike {
		at(r.Day).tallies[r.tally()] = r.N
	}
	var rows []struct {
		Day      string `bun:"day"`
		Workflow string `bun:"workflow_version_id"`
		Country  string `bun:"country"`
		Seconds  int64  `bun:"waited_s"`
		Code     string `bun:"code"`
		N        int    `bun:"n"`
	}
	if err := waits.Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("count waiting: %w", err)
	}
	for _, r := range rows {
		at(r.Day).waits[waitOf{r.Workflow, r.Country, r.Seconds}] = r.N
	}
	rows = nil
	if err := reasons.Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("count reasons: %w", err)
	}
	for _, r := range rows {
		at(r.Day).reasons[reasonOf{r.Workflow, r.Country, r.Code}] = r.N
	}
	return out, nil
}

// Queue implements insight.Store.
func (s *Statistics) Queue(ctx context.Context, mode idv.Mode, now time.Time) (insight.Queue, error) {
	var out insight.Queue
	open := s.db.Read.NewSelect().TableExpr("cases AS c").Where("c.closed_at IS NULL AND c.mode = ?", string(mode))
	var row struct {
		N, Late int
	}
	err := open.Clone().ColumnExpr("COUNT(*) AS n, COALESCE(SUM(CASE WHEN c.due_at < ? THEN 1 ELSE 0 END), 0) AS late", now).Scan(ctx, &row)
	if err != nil {
		return out, fmt.Errorf("look into the review queue: %w", err)
	}
	out.Waiting, out.Overdue = row.N, row.Late
	if row.N == 0 {
		return out, nil
	}
	var oldest time.Time
	if err := open.ColumnExpr("c.opened_at").OrderExpr("c.opened_at").Limit(1).Scan(ctx, &oldest); err != nil {
		return out, fmt.Errorf("look into the review queue: %w", err)
	}
	out.Oldest = database.UTC(oldest)
	return out, nil
}
