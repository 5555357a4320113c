package sessions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type caseRow struct {
	bun.BaseModel `bun:"table:cases,alias:c"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Mode          string    `bun:"mode"`
	Workflow      string    `bun:"workflow_version_id"`
	State         string    `bun:"state"`
	Reasons       []string  `bun:"reasons,type:json"`
	Report        string    `bun:"report_digest"`
	Assignee      string    `bun:"assignee"`
	ClaimedUntil  time.Time `bun:"claimed_until,nullzero"`
	ApprovedBy    string    `bun:"approved_by"`
	OpenedAt      time.Time `bun:"opened_at"`
	DueAt         time.Time `bun:"due_at"`
	ClosedAt      time.Time `bun:"closed_at,nullzero"`
	Version       int64     `bun:"version"`
}

func caseRowOf(c idv.Case) caseRow {
	row := caseRow{
		ID: string(c.ID), Session: string(c.Session), Mode: string(c.Mode), Workflow: string(c.Workflow), State: string(c.State),
		Reasons: c.Reasons, Report: string(c.Report), Assignee: string(c.Assignee), ClaimedUntil: c.ClaimedUntil,
		ApprovedBy: string(c.ApprovedBy), OpenedAt: c.OpenedAt, DueAt: c.DueAt, ClosedAt: c.ClosedAt, Version: c.Version,
	}
	if row.Reasons == nil {
		row.Reasons = []string{}
	}
	return row
}

func (r caseRow) value() idv.Case {
	return idv.Case{
		ID: idv.CaseID(r.ID), Session: idv.SessionID(r.Session), Mode: idv.Mode(r.Mode), Workflow: idv.WorkflowVersionID(r.Workflow),
		State: idv.CaseState(r.State), Reasons: r.Reasons, Report: idv.Digest(r.Report), Assignee: idv.UserID(r.Assignee),
		ClaimedUntil: database.UTC(r.ClaimedUntil), ApprovedBy: idv.UserID(r.ApprovedBy), OpenedAt: r.OpenedAt.UTC(), DueAt: r.DueAt.UTC(),
		ClosedAt: database.UTC(r.ClosedAt), Version: r.Version,
	}
}

// AddCase implements session.CaseWriter.
func (t *CaseWriter) AddCase(ctx context.Context, c idv.Case) error {
	row := caseRowOf(c)
	return t.Insert(ctx, &row, "case")
}

// SaveCase implements session.CaseWriter.
func (t *CaseWriter) SaveCase(ctx context.Context, c idv.Case) error {
	row := caseRowOf(c)
	if _, err := t.Conn.NewUpdate().Model(&row).Where("c.id = ?", row.ID).Exec(ctx); err != nil {
		return fmt.Errorf("write case: %w", err)
	}
	return nil
}

// Case implements session.CaseReader.
func (r *CaseReader) Case(ctx context.Context, id idv.CaseID) (idv.Case, error) {
	var row caseRow
	if err := r.Conn.NewSelect().Model(&row).Where("c.id = ?", string(id)).Scan(ctx); err != nil {
		return idv.Case{}, database.Missing(err, "read case")
	}
	return row.value(), nil
}

// CaseOf implements session.CaseReader.
func (r *CaseReader) CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error) {
	var row caseRow
	err := r.Conn.NewSelect().Model(&row).Where("c.session_id = ?", string(id)).OrderExpr("c.id DESC").Limit(1).Scan(ctx)
	if err != nil {
		return idv.Case{}, database.Missing(err, "read case")
	}
	return row.value(), nil
}

// unclaimed is what nobody has, a claim that has run out included.
const unclaimed = "(c.state = ? OR (c.state = ? AND c.claimed_until <= ?))"

// caseKeys are by what the queue is ordered before the targets, as the indexes have it.
var caseKeys = map[session.CaseSort]string{session.ByReason: "COALESCE(c.reasons ->> 0, '')", session.ByAssignee: "c.assignee"}

// Cases implements session.CaseReader.
func (r *CaseReader) Cases(ctx context.Context, f session.CaseFilter) ([]idv.Case, error) {
	var rows []caseRow
	q := r.Conn.NewSelect().Model(&rows).Where("c.closed_at IS NULL AND c.mode = ?", string(f.Mode)).
		Limit(int64(f.Limit))
	q, err := orderCases(narrowCases(q, f), f)
	if err != nil {
		return nil, err
	}
	switch f.Tab {
	case session.Unclaimed:
		q = q.Where(unclaimed, string(idv.CaseOpen), string(idv.CaseClaimed), f.Now)
	case session.Mine:
		q = q.Where("c.assignee = ? AND c.state = ? AND c.claimed_until > ?", string(f.Who), string(idv.CaseClaimed), f.Now)
	case session.AllCases:
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list cases: %w", err)
	}
	out := make([]idv.Case, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.value())
	}
	return out, nil
}

// orderCases adds the order and the cursor of a filter to a query on the cases c.
func orderCases(q *bun.SelectQuery, f session.CaseFilter) (*bun.SelectQuery, error) {
	after, ok := f.Sort.Parse(f.After)
	if f.After != "" && !ok {
		return nil, session.Malformed("after", "it is the cursor of the page before")
	}
	down, beyond := "", ">"
	if f.Sort.Back() {
		down, beyond = " DESC", "<"
	}
	columns, args := []string{"c.due_at", "c.id"}, []any{after.Due, string(after.ID)}
	if key, ok := caseKeys[f.Sort.Key()]; ok {
		columns, args = slices.Insert(columns, 0, key), slices.Insert(args, 0, any(after.Value))
	}
	for _, column := range columns {
		q = q.OrderExpr(column + down)
	}
	if f.After != "" {
		q = q.Where(fmt.Sprintf("(%s) %s (?)", strings.Join(columns, ", "), beyond), bun.List(args))
	}
	return q, nil
}

// narrowCases adds a filter to a query on the cases c. What waits is little beside all that was ever closed, so it is looked through.
func narrowCases(q *bun.SelectQuery, f session.CaseFilter) *bun.SelectQuery {
	if f.Workflow != "" {
		q = q.Where("c.workflow_version_id IN (SELECT v.id FROM workflow_versions AS v JOIN workflows AS w ON w.id = v.workflow_id "+
			"WHERE w.mode = ? AND w.name = ?)", string(f.Mode), f.Workflow)
	}
	if f.Reason != "" {
		q = q.Where("EXISTS (SELECT 1 FROM session_reasons AS r WHERE r.session_id = c.session_id AND r.code = ?)", f.Reason)
	}
	if len(f.Countries) > 0 {
		q = q.Where("EXISTS (SELECT 1 FROM sessions AS s WHERE s.id = c.session_id AND s.country IN (?))", bun.List(f.Countries))
	}
	if f.Assignee != "" {
		q = q.Where("c.assignee = ? AND c.state = ? AND c.claimed_until > ?", string(f.Assignee), string(idv.CaseClaimed), f.Now)
	}
	if f.Nobody {
		q = q.Where(unclaimed, string(idv.CaseOpen), string(idv.CaseClaimed), f.Now)
	}
	if f.Overdue {
		q = q.Where("c.due_at < ?", f.Now)
	}
	return q
}

// CountCases implements session.CaseReader.
func (r *CaseReader) CountCases(ctx context.Context, f session.CaseFilter) (session.CaseCounts, error) {
	var n struct{ Unclaimed, Mine, Total int }
	err := narrowCases(r.Conn.NewSelect().Model((*caseRow)(nil)), f).
		ColumnExpr("COUNT(*) AS total").
		ColumnExpr("COUNT(CASE WHEN "+unclaimed+" THEN 1 END) AS unclaimed", string(idv.CaseOpen), string(idv.CaseClaimed), f.Now).
		ColumnExpr("COUNT(CASE WHEN c.assignee = ? AND c.state = ? AND c.claimed_until > ? THEN 1 END) AS mine",
			string(f.Who), string(idv.CaseClaimed), f.Now).
		Where("c.closed_at IS NULL AND c.mode = ?", string(f.Mode)).Scan(ctx, &n)
	if err != nil {
		return session.CaseCounts{}, fmt.Errorf("count cases: %w", err)
	}
	return session.CaseCounts{Unclaimed: n.Unclaimed, Mine: n.Mine, All: n.Total}, nil
}

// LapsedCases implements session.CaseReader.
func (r *CaseReader) LapsedCases(ctx context.Context, now time.Time, limit int) ([]idv.CaseID, error) {
	var out []idv.CaseID
	err := r.Conn.NewSelect().Model((*caseRow)(nil)).Column("id").
		Where("c.closed_at IS NULL AND c.state = ? AND c.claimed_until <= ?", string(idv.CaseClaimed), now).
		OrderExpr("c.id").Limit(int64(limit)).Scan(ctx, &out)
	if err != nil {
		return nil, fmt.Errorf("list cases: %w", err)
	}
	return out, nil
}

// ReviewRow is what a reviewer said about a case.
type ReviewRow struct {
	bun.BaseModel `bun:"table:reviews"`
	ID            string    `bun:"id"`
	Case          string    `bun:"case_id"`
	Session       string    `bun:"session_id"`
	User          string    `bun:"user_id"`
	Kind          string    `bun:"kind"`
	Reasons       []string  `bun:"reasons,type:json"`
	Step          string    `bun:"step"`
	Note          []byte    `bun:"note"`
	Correction    []byte    `bun:"correction"`
	Report        string    `bun:"report_digest"`
	CreatedAt     time.Time `bun:"created_at"`
}

// AddReview implements session.CaseWriter. Note and correction are sealed: reviewers write about people.
func (t *CaseWriter) AddReview(ctx context.Context, r idv.Review) error {
	note, err := t.SealJSON(ctx, r.Session, database.Place("reviews.note", string(r.ID)), r.Note)
	if err != nil {
		return err
	}
	row := ReviewRow{
		ID: string(r.ID), Case: string(r.Case), Session: string(r.Session), User: string(r.By), Kind: string(r.Kind),
		Reasons: r.Reasons, Step: string(r.Step), Note: note, Report: string(r.Report), CreatedAt: r.At,
	}
	if r.Correction != nil {
		if row.Correction, err = t.SealJSON(ctx, r.Session, database.Place("reviews.correction", string(r.ID)), r.Correction); err != nil {
			return err
		}
	}
	if row.Reasons == nil {
		row.Reasons = []string{}
	}
	return t.Insert(ctx, &row, "review")
}

// Reviews implements session.CaseReader.
func (r *CaseReader) Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error) {
	rows, err := database.RowsOf[ReviewRow](ctx, r.Reader, id, "reviews")
	if err != nil {
		return nil, err
	}
	r = &CaseReader{r.Together()}
	out := make([]idv.Review, 0, len(rows))
	for _, row := range rows {
		v := idv.Review{
			ID: idv.ReviewID(row.ID), Case: idv.CaseID(row.Case), Session: id, By: idv.UserID(row.User), Kind: idv.ReviewKind(row.Kind),
			Reasons: row.Reasons, Step: idv.Step(row.Step), Report: idv.Digest(row.Report), At: row.CreatedAt.UTC(),
		}
		err := r.UnsealJSON(ctx, id, database.Place("reviews.note", row.ID), row.Note, &v.Note)
		if err != nil && !problem.Has(err, problem.SessionErased) {
			return nil, err
		}
		if err == nil && len(row.Correction) > 0 {
			if err := r.UnsealJSON(ctx, id, database.Place("reviews.correction", row.ID), row.Correction, &v.Correction); err != nil {
				return nil, err
			}
		}
		out = append(out, v)
	}
	return out, nil
}
