package figures

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

type pastRow struct {
	bun.BaseModel `bun:"table:policy_facts,alias:f"`
	Decision      string        `bun:"decision_id"`
	Session       string        `bun:"session_id"`
	Workflow      string        `bun:"workflow_version_id"`
	Outcome       string        `bun:"outcome"`
	Rule          string        `bun:"rule"`
	Reasons       []string      `bun:"reasons,type:json"`
	Evidence      *policy.Facts `bun:"evidence,type:json"`
	At            time.Time     `bun:"decided_at"`
	Erased        time.Time     `bun:"erased_at,nullzero"`
	Person        string        `bun:"person"`
}

// PastDecisions implements workflow.History.
func (s *History) PastDecisions(ctx context.Context, f workflow.PastFilter) ([]workflow.PastDecision, error) {
	var rows []pastRow
	q := s.db.Read.NewSelect().Model(&rows).
		ColumnExpr("f.decision_id, f.workflow_version_id, f.outcome, f.reasons, f.evidence, f.decided_at, d.session_id, d.rule, s.erased_at").
		ColumnExpr("COALESCE((SELECT p.outcome FROM decisions p WHERE p.session_id = d.session_id AND p.seq > d.seq AND p.decided_by <> ? ORDER BY p.seq "+
			"DESC LIMIT 1), '') AS person", session.ByPolicy).
		Join("JOIN decisions AS d ON d.id = f.decision_id").Join("JOIN sessions AS s ON s.id = d.session_id").
		Where("f.mode = ? AND d.decided_by = ?", string(f.Mode), session.ByPolicy).
		OrderExpr("f.decided_at DESC, f.decision_id DESC").Limit(int64(f.Limit))
	if len(f.Workflows) > 0 {
		q = q.Where("f.workflow_version_id IN (?)", bun.List(f.Workflows))
	}
	if !f.From.IsZero() {
		q = q.Where("f.decided_at >= ?", f.From)
	}
	if !f.To.IsZero() {
		q = q.Where("f.decided_at < ?", f.To)
	}
	if f.After != "" {
		q = q.Where("(f.decided_at, f.decision_id) < ((SELECT c.decided_at FROM policy_facts c WHERE c.decision_id = ?), ?)", string(f.After), string(f.After))
	}
	if f.Session != "" {
		q = q.Where("d.session_id = ?", string(f.Session))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("read past decisions: %w", err)
	}
	out := make([]workflow.PastDecision, len(rows))
	for i, r := range rows {
		out[i] = workflow.PastDecision{
			Decision: idv.DecisionID(r.Decision), Session: idv.SessionID(r.Session), Erased: !r.Erased.IsZero(), Workflow: idv.WorkflowVersionID(r.Workflow),
			Outcome: idv.DecisionOutcome(r.Outcome), Rule: r.Rule, Reasons: r.Reasons, At: r.At.UTC(), Person: idv.DecisionOutcome(r.Person), Facts: r.Evidence,
		}
	}
	return out, nil
}

// medianOf is of how many sessions, the newest ones, the middle time is taken.
const medianOf = 5000

// figuresRow counts the sessions of a version that went alike.
type figuresRow struct {
	Version   string
	State     string
	Outcome   string
	Person    int // 1 where a person decided
	Created   int
	Submitted int
}

// count adds the sessions to the figures. After an appeal the newest decision counts, whatever the state.
func (r figuresRow) count(f *workflow.Figures) {
	f.Created, f.Submitted = f.Created+r.Created, f.Submitted+r.Submitted
	state := idv.SessionState(r.State)
	switch {
	case state == idv.InReview:
		f.Referred += r.Created
		return
	case state != idv.Approved && state != idv.Declined:
		return
	case idv.DecisionOutcome(r.Outcome) == idv.DecideApprove:
		f.Approved += r.Created
	default:
		f.Declined += r.Created
	}
	if r.Person == 0 {
		f.ByPolicy += r.Created
	}
}

// Figures implements workflow.History.
func (s *History) Figures(ctx context.Context, of []idv.WorkflowVersionID, from, to time.Time) ([]workflow.Figures, error) {
	if len(of) == 0 {
		return nil, nil
	}
	var rows []figuresRow
	q := created(s.db.Read.NewSelect().TableExpr("sessions AS s"), from, to).
		ColumnExpr("s.workflow_version_id AS version, s.state, s.outcome, COUNT(*) AS created, COUNT(s.submitted_at) AS submitted").
		ColumnExpr("CASE WHEN EXISTS (SELECT 1 FROM decisions d WHERE d.session_id = s.id AND d.decided_by <> ?) THEN 1 ELSE 0 END AS person", session.ByPolicy).
		Where("s.workflow_version_id IN (?)", bun.List(of)).GroupExpr("s.workflow_version_id, s.state, s.outcome, person")
	if err := q.Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("count sessions: %w", err)
	}
	by := map[string]*workflow.Figures{}
	for _, r := range rows {
		f := by[r.Version]
		if f == nil {
			f = &workflow.Figures{Version: idv.WorkflowVersionID(r.Version)}
			by[r.Version] = f
		}
		r.count(f)
	}
	var out []workflow.Figures
	for _, f := range by {
		var err error
		if f.Median, err = s.medianTime(ctx, f.Version, from, to); err != nil {
			return nil, err
		}
		out = append(out, *f)
	}
	return out, nil
}

func created(q *bun.SelectQuery, from, to time.Time) *bun.SelectQuery {
	if !from.IsZero() {
		q = q.Where("s.created_at >= ?", from)
	}
	if !to.IsZero() {
		q = q.Where("s.created_at < ?", to)
	}
	return q
}

// medianTime is the middle of how long the newest sessions of a version waited for their decision.
func (s *History) medianTime(ctx context.Context, of idv.WorkflowVersionID, from, to time.Time) (time.Duration, error) {
	var rows []struct {
		SubmittedAt time.Time
		DecidedAt   time.Time
	}
	q := created(s.db.Read.NewSelect().TableExpr("sessions AS s"), from, to).Column("s.submitted_at", "s.decided_at").
		Where("s.workflow_version_id = ? AND s.submitted_at IS NOT NULL AND s.decided_at IS NOT NULL", string(of)).OrderExpr("s.id DESC").Limit(medianOf)
	if err := q.Scan(ctx, &rows); err != nil {
		return 0, fmt.Errorf("read times of decisions: %w", err)
	}
	if len(rows) == 0 {
		return 0, nil
	}
	took := make([]time.Duration, len(rows))
	for i, r := range rows {
		took[i] = r.DecidedAt.Sub(r.SubmittedAt)
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
