package session

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// QualityFilter selects approvals that were drawn for a second look.
type QualityFilter struct {
	Mode  idv.Mode
	Done  bool // those that somebody looked at, the newest first; else those that wait, the oldest first
	Limit int  // 1 to 100
}

// QualityCounts are the second looks of a mode.
type QualityCounts struct {
	Waiting  int
	Agreed   int // since the time that was asked for
	Disagree int
}

// QualityReader reads which approvals were drawn for a second look.
type QualityReader interface {
	// QualityReview returns that of a session. Problems: not_found.
	QualityReview(ctx context.Context, id idv.SessionID) (idv.QualityReview, error)
	QualityReviews(ctx context.Context, f QualityFilter) ([]idv.QualityReview, error)
	// CountQuality counts those that wait, and what was found since a time.
	CountQuality(ctx context.Context, mode idv.Mode, since time.Time) (QualityCounts, error)
}

// QualityWriter writes them.
type QualityWriter interface {
	// AddQualityReview adds one; a session has at most one, and a second is ignored.
	AddQualityReview(ctx context.Context, q idv.QualityReview) error
	// SaveQualityReview writes what somebody found.
	SaveQualityReview(ctx context.Context, q idv.QualityReview) error
}

// DrawForQuality draws an approval for a second look with the chance that its workflow states. It changes nothing of the decision.
func (l *Lifecycle) DrawForQuality(ctx context.Context, tx Tx, rec Record, w idv.WorkflowVersion, d idv.Decision) error {
	if w.QualityShare <= 0 || d.Outcome != idv.DecideApprove {
		return nil
	}
	drawn, err := rand.Int(l.random, big.NewInt(100))
	if err != nil {
		return fmt.Errorf("draw for quality: %w", err)
	}
	if drawn.Int64() >= int64(w.QualityShare) {
		return nil
	}
	q := idv.QualityReview{
		Session: rec.ID, Mode: rec.Mode, Workflow: rec.Workflow, Decision: d.ID, DecidedBy: d.By, DrawnAt: l.Now(), Reasons: []string{},
	}
	if err := tx.AddQualityReview(ctx, q); err != nil {
		return err
	}
	return tx.Audit(ctx, audit.Record{Action: "quality.drawn", Session: rec.ID, Subject: string(d.ID)})
}
