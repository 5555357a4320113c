package decision

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/session"
)

// saveScreening opens a hit for each entry of a watchlist that may be the person, and keeps who is screened again later. Nobody looks
// at hits of a session that the policy declined.
func (s *Service) saveScreening(ctx context.Context, tx session.Tx, rec session.Record, report idv.Report, outcome idv.DecisionOutcome) error {
	w, err := session.WorkflowOf(ctx, tx, rec)
	if err != nil || !w.Screening.On() || outcome == idv.DecideDecline {
		return err
	}
	if _, err := s.life.OpenHits(ctx, tx, rec, session.AlarmsOf(report, w.Screening), session.BySubmission); err != nil {
		return err
	}
	if !w.Screening.Monitor {
		return nil
	}
	person, err := json.Marshal(screening.Of(report, nil))
	if err != nil {
		return fmt.Errorf("keep who is screened again: %w", err)
	}
	now := s.life.Now()
	return tx.PutSubject(ctx, session.Subject{
		Session: rec.ID, Mode: rec.Mode, Person: person, Settings: w.Screening, Since: now, ScreenedAt: now,
	})
}
