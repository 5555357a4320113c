package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session"
)

// ByReviewer implements insight.Store.
func (s *Statistics) ByReviewer(ctx context.Context, mode idv.Mode, from, to time.Time) (insight.ByReviewer, error) {
	out := insight.ByReviewer{
		Decided: map[idv.DecisionOutcome]int{}, Overturned: map[idv.UserID]int{}, Looked: map[idv.UserID]int{}, Disagreed: map[idv.UserID]int{},
	}
	err := s.db.Read.RunInTx(ctx, s.db.SnapshotOptions(), func(ctx context.Context, db bun.Tx) error {
		for _, read := range []func(context.Context, bun.IDB, idv.Mode, Span, *insight.ByReviewer) error{readReviews, countDecided, countOverturned, countLooked} {
			if err := read(ctx, db, mode, Span{from, to}, &out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// readReviews reads what reviewers did to cases, with how long the case had waited.
func readReviews(ctx context.Context, db bun.IDB, mode idv.Mode, of Span, out *insight.ByReviewer) error {
	var rows []struct {
		User   string    `bun:"user_id"`
		Kind   string    `bun:"kind"`
		At     time.Time `bun:"created_at"`
		Opened time.Time `bun:"opened_at"`
	}
	err := db.NewSelect().TableExpr("reviews AS r").Join("JOIN cases AS c ON c.id = r.case_id").
		ColumnExpr("r.user_id, r.kind, r.created_at, c.opened_at").
		Where("c.mode = ? AND r.created_at >= ? AND r.created_at < ?", string(mode), of.From, of.To).
		Where("r.kind IN (?)", bun.List([]string{string(idv.ReviewApproved), string(idv.ReviewDeclined), string(idv.ReviewReopened)})).Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("read what reviewers did: %w", err)
	}
	for _, r := range rows {
		out.Reviews = append(out.Reviews, insight.Review{Reviewer: idv.UserID(r.User), Kind: idv.ReviewKind(r.Kind), After: r.At.Sub(r.Opened)})
	}
	return nil
}

// finals are the outcomes that end a session.
var finals = bun.List([]string{string(idv.DecideApprove), string(idv.DecideDecline)})

// countDecided counts what the policy decided.
func countDecided(ctx context.Context, db bun.IDB, mode idv.Mode, of Span, out *insight.ByReviewer) error {
	var rows []struct {
		Outcome string `bun:"outcome"`
		N       int    `bun:"n"`
	}
	err := db.NewSelect().TableExpr("decisions AS d").Join("JOIN sessions AS s ON s.id = d.session_id").ColumnExpr("d.outcome, COUNT(*) AS n").
		Where("s.mode = ? AND d.decided_at >= ? AND d.decided_at < ?", string(mode), of.From, of.To).
		Where("d.decided_by = ? AND d.outcome IN (?)", session.ByPolicy, finals).GroupExpr("d.outcome").Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("count what the policy decided: %w", err)
	}
	for _, r := range rows {
		out.Decided[idv.DecisionOutcome(r.Outcome)] = r.N
	}
	return nil
}

// countOverturned counts the decisions of the span after which another one said otherwise.
func countOverturned(ctx context.Context, db bun.IDB, mode idv.Mode, of Span, out *insight.ByReviewer) error {
	var rows []struct {
		By string `bun:"decided_by"`
		N  int    `bun:"n"`
	}
	err := db.NewSelect().TableExpr("decisions AS d").Join("JOIN sessions AS s ON s.id = d.session_id").ColumnExpr("d.decided_by, COUNT(*) AS n").
		Where("s.mode = ? AND d.decided_at >= ? AND d.decided_at < ? AND d.outcome IN (?)", string(mode), of.From, of.To, finals).
		Where("EXISTS (SELECT 1 FROM decisions AS l WHERE l.session_id = d.session_id AND l.seq > d.seq AND l.outcome <> d.outcome)").
		GroupExpr("d.decided_by").Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("count decisions that were changed: %w", err)
	}
	for _, r := range rows {
		out.Overturned[reviewerOf(r.By)] = r.N
	}
	return nil
}

// countLooked counts the second looks of the span.
func countLooked(ctx context.Context, db bun.IDB, mode idv.Mode, of Span, out *insight.ByReviewer) error {
	var rows []struct {
		By      string `bun:"decided_by"`
		Verdict string `bun:"verdict"`
		N       int    `bun:"n"`
	}
	err := db.NewSelect().TableExpr("quality_reviews AS q").ColumnExpr("q.decided_by, q.verdict, COUNT(*) AS n").
		Where("q.mode = ? AND q.reviewed_at >= ? AND q.reviewed_at < ?", string(mode), of.From, of.To).
		GroupExpr("q.decided_by, q.verdict").Scan(ctx, &rows)
	if err != nil {
		return fmt.Errorf("count second looks: %w", err)
	}
	for _, r := range rows {
		out.Looked[reviewerOf(r.By)] += r.N
		if idv.QualityVerdict(r.Verdict) == idv.Disagree {
			out.Disagreed[reviewerOf(r.By)] += r.N
		}
	}
	return nil
}

// reviewerOf returns the reviewer who decided; empty for the policy.
func reviewerOf(by string) idv.UserID {
	if by == session.ByPolicy {
		return ""
	}
	return idv.UserID(by)
}
