package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type qualityRow struct {
	bun.BaseModel `bun:"table:quality_reviews,alias:q"`
	Session       string    `bun:"session_id"`
	Mode          string    `bun:"mode"`
	Workflow      string    `bun:"workflow_version_id"`
	Decision      string    `bun:"decision_id"`
	DecidedBy     string    `bun:"decided_by"`
	DrawnAt       time.Time `bun:"drawn_at"`
	By            string    `bun:"reviewed_by"`
	Verdict       string    `bun:"verdict"`
	Reasons       []string  `bun:"reasons,type:json"`
	Note          []byte    `bun:"note"`
	At            time.Time `bun:"reviewed_at,nullzero"`
}

// notePlace is where the note of a second look is sealed.
func notePlace(id idv.SessionID) string { return database.Place("quality_reviews.note", string(id)) }

// row seals the note: reviewers write about people.
func (t *CaseWriter) qualityRowOf(ctx context.Context, q idv.QualityReview) (qualityRow, error) {
	row := qualityRow{
		Session: string(q.Session), Mode: string(q.Mode), Workflow: string(q.Workflow), Decision: string(q.Decision), DecidedBy: q.DecidedBy,
		DrawnAt: q.DrawnAt, By: string(q.By), Verdict: string(q.Verdict), Reasons: q.Reasons, At: q.At,
	}
	if row.Reasons == nil {
		row.Reasons = []string{}
	}
	if q.Note == "" {
		return row, nil
	}
	var err error
	row.Note, err = t.SealJSON(ctx, q.Session, notePlace(q.Session), q.Note)
	return row, err
}

// value opens the note; that of an erased session is gone.
func (r *CaseReader) qualityOf(ctx context.Context, row qualityRow) (idv.QualityReview, error) {
	q := idv.QualityReview{
		Session: idv.SessionID(row.Session), Mode: idv.Mode(row.Mode), Workflow: idv.WorkflowVersionID(row.Workflow),
		Decision: idv.DecisionID(row.Decision), DecidedBy: row.DecidedBy, DrawnAt: row.DrawnAt.UTC(), By: idv.UserID(row.By),
		Verdict: idv.QualityVerdict(row.Verdict), Reasons: row.Reasons, At: database.UTC(row.At),
	}
	if len(row.Note) == 0 {
		return q, nil
	}
	err := r.UnsealJSON(ctx, q.Session, notePlace(q.Session), row.Note, &q.Note)
	if problem.Has(err, problem.SessionErased) {
		err = nil
	}
	return q, err
}

// AddQualityReview implements session.QualityWriter.
func (t *CaseWriter) AddQualityReview(ctx context.Context, q idv.QualityReview) error {
	row, err := t.qualityRowOf(ctx, q)
	if err != nil {
		return err
	}
	return t.InsertOnce(ctx, &row, "session_id", "quality review")
}

// SaveQualityReview implements session.QualityWriter.
func (t *CaseWriter) SaveQualityReview(ctx context.Context, q idv.QualityReview) error {
	row, err := t.qualityRowOf(ctx, q)
	if err != nil {
		return err
	}
	if _, err := t.Conn.NewUpdate().Model(&row).Where("q.session_id = ?", row.Session).Exec(ctx); err != nil {
		return fmt.Errorf("write quality review: %w", err)
	}
	return nil
}

// QualityReview implements session.QualityReader.
func (r *CaseReader) QualityReview(ctx context.Context, id idv.SessionID) (idv.QualityReview, error) {
	var row qualityRow
	if err := r.Conn.NewSelect().Model(&row).Where("q.session_id = ?", string(id)).Scan(ctx); err != nil {
		return idv.QualityReview{}, database.Missing(err, "read quality review")
	}
	return r.qualityOf(ctx, row)
}

// QualityReviews implements session.QualityReader.
func (r *CaseReader) QualityReviews(ctx context.Context, f session.QualityFilter) ([]idv.QualityReview, error) {
	var rows []qualityRow
	q := r.Conn.NewSelect().Model(&rows).Where("q.mode = ?", string(f.Mode)).Limit(int64(f.Limit))
	if f.Done {
		q = q.Where("q.reviewed_at IS NOT NULL").OrderExpr("q.reviewed_at DESC, q.session_id")
	} else {
		q = q.Where("q.reviewed_at IS NULL").OrderExpr("q.drawn_at, q.session_id")
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list quality reviews: %w", err)
	}
	out := make([]idv.QualityReview, 0, len(rows))
	for _, row := range rows {
		one, err := r.qualityOf(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// CountQuality implements session.QualityReader.
func (r *CaseReader) CountQuality(ctx context.Context, mode idv.Mode, since time.Time) (session.QualityCounts, error) {
	var n struct {
		Waiting  int `bun:"waiting"`
		Agreed   int `bun:"agreed"`
		Disagree int `bun:"disagreed"`
	}
	err := r.Conn.NewSelect().Model((*qualityRow)(nil)).
		ColumnExpr("COUNT(CASE WHEN q.reviewed_at IS NULL THEN 1 END) AS waiting").
		ColumnExpr("COUNT(CASE WHEN q.reviewed_at >= ? AND q.verdict = ? THEN 1 END) AS agreed", since, string(idv.Agree)).
		ColumnExpr("COUNT(CASE WHEN q.reviewed_at >= ? AND q.verdict = ? THEN 1 END) AS disagreed", since, string(idv.Disagree)).
		Where("q.mode = ?", string(mode)).Scan(ctx, &n)
	if err != nil {
		return session.QualityCounts{}, fmt.Errorf("count quality reviews: %w", err)
	}
	return session.QualityCounts{Waiting: n.Waiting, Agreed: n.Agreed, Disagree: n.Disagree}, nil
}
