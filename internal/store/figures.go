package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
)

var _ insight.Store = (*Store)(nil)

// Figures are counted from the index sessions_figures alone, which holds every column that these queries name: rows, with
// what is sealed in them, are not read.

// counted narrows sessions.
func (s *Store) counted(n insight.Narrowed) *bun.SelectQuery {
	q := s.read.NewSelect().TableExpr("sessions AS s").
		Where("s.mode = ? AND s.created_at >= ? AND s.created_at < ?", string(n.Mode), n.From, n.To)
	if n.Versions != nil {
		q = q.Where("s.workflow_version_id IN (?)", bun.List(n.Versions))
	}
	if n.Country != "" {
		q = q.Where("s.country = ?", n.Country)
	}
	return q
}

// fateRow is what became of some sessions.
type fateRow struct {
	State     string `bun:"state"`
	Outcome   string `bun:"outcome"`
	Automatic bool   `bun:"automatic"`
	Opened    bool   `bun:"opened"`
	Submitted bool   `bun:"submitted"`
	N         int    `bun:"n"`
}

const fateColumns = "s.state, s.outcome, s.automatic, s.opened_at IS NOT NULL AS opened, s.submitted_at IS NOT NULL AS submitted, COUNT(*) AS n"

func (r fateRow) fate() insight.Fate {
	return insight.Fate{
		State: idv.SessionState(r.State), Outcome: idv.DecisionOutcome(r.Outcome), Automatic: r.Automatic, Opened: r.Opened, Submitted: r.Submitted,
	}
}

// Tallies implements insight.Store.
func (s *Store) Tallies(ctx context.Context, n insight.Narrowed) ([]insight.Tally, error) {
	var rows []struct {
		Workflow  string `bun:"workflow_version_id"`
		Country   string `bun:"country"`
		Kind      string `bun:"document_kind"`
		Device    string `bun:"device"`
		FaceModel string `bun:"face_model"`
		Due       string `bun:"due_step"`
		fateRow
	}
	err := s.counted(n).ColumnExpr("s.workflow_version_id, s.country, s.document_kind, s.device, s.face_model, s.due_step, "+fateColumns).
		GroupExpr("1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count sessions: %w", err)
	}
	out := make([]insight.Tally, 0, len(rows))
	for _, r := range rows {
		out = append(out, insight.Tally{
			Workflow: idv.WorkflowVersionID(r.Workflow), Country: r.Country, Kind: idv.DocumentKind(r.Kind), Device: idv.Device(r.Device),
			FaceModel: r.FaceModel, Due: idv.Step(r.Due), Fate: r.fate(), Sessions: r.N,
		})
	}
	return out, nil
}

// DayTallies implements insight.Store.
func (s *Store) DayTallies(ctx context.Context, n insight.Narrowed) ([]insight.DayTally, error) {
	day := "SUBSTR(s.created_at, 1, 10)"
	if s.pool != nil {
		day = "TO_CHAR(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
	}
	var rows []struct {
		Day string `bun:"day"`
		fateRow
	}
	err := s.counted(n).ColumnExpr(day+" AS day, "+fateColumns).GroupExpr("1, 2, 3, 4, 5, 6").OrderExpr("1").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count sessions by day: %w", err)
	}
	out := make([]insight.DayTally, 0, len(rows))
	for _, r := range rows {
		at, err := time.Parse(time.DateOnly, r.Day)
		if err != nil {
			return nil, fmt.Errorf("count sessions by day: %w", err)
		}
		out = append(out, insight.DayTally{Day: at, Fate: r.fate(), Sessions: r.N})
	}
	return out, nil
}

// Waits implements insight.Store.
func (s *Store) Waits(ctx context.Context, n insight.Narrowed) ([]insight.Wait, error) {
	var rows []struct {
		Seconds int64 `bun:"waited_s"`
		N       int   `bun:"n"`
	}
	err := s.counted(n).ColumnExpr("s.waited_s, COUNT(*) AS n").Where("s.waited_s IS NOT NULL").GroupExpr("s.waited_s").OrderExpr("s.waited_s").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count waiting: %w", err)
	}
	out := make([]insight.Wait, 0, len(rows))
	for _, r := range rows {
		out = append(out, insight.Wait{Seconds: r.Seconds, Sessions: r.N})
	}
	return out, nil
}

// TopReasons implements insight.Store.
func (s *Store) TopReasons(ctx context.Context, n insight.Narrowed, limit int) ([]insight.ReasonCount, error) {
	var rows []struct {
		Code string `bun:"code"`
		N    int    `bun:"n"`
	}
	err := s.counted(n).Join("JOIN session_reasons AS r ON r.session_id = s.id").ColumnExpr("r.code, COUNT(*) AS n").
		GroupExpr("r.code").OrderExpr("n DESC, r.code").Limit(int64(limit)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count reasons: %w", err)
	}
	out := make([]insight.ReasonCount, 0, len(rows))
	for _, r := range rows {
		out = append(out, insight.ReasonCount{Code: r.Code, Sessions: r.N})
	}
	return out, nil
}

// Queue implements insight.Store.
func (s *Store) Queue(ctx context.Context, mode idv.Mode, now time.Time) (insight.Queue, error) {
	var out insight.Queue
	open := s.read.NewSelect().TableExpr("cases AS c").Where("c.closed_at IS NULL AND c.mode = ?", string(mode))
	var row struct {
		N, Late int
	}
	err := open.Clone().ColumnExpr("COUNT(*) AS n, COALESCE(SUM(CASE WHEN c.due_at < ? THEN 1 ELSE 0 END), 0) AS late", now).Scan(ctx, &row)
	if err != nil {
		return out, fmt.Errorf("look into the review queue: %w", err)
	}
	out.Waiting, out.Late = row.N, row.Late
	if row.N == 0 {
		return out, nil
	}
	var oldest time.Time
	if err := open.ColumnExpr("c.opened_at").OrderExpr("c.opened_at").Limit(1).Scan(ctx, &oldest); err != nil {
		return out, fmt.Errorf("look into the review queue: %w", err)
	}
	out.Oldest = utc(oldest)
	return out, nil
}
