package retention

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// WithdrawFace takes back an applicant's consent that their face is compared with those of others: the face goes from its gallery, from
// memory and from the files of the database, and the answer is kept beside the earlier ones. Nothing else of the session changes. It returns
// how many faces went: none where there was none, as when it is asked twice. Problems: not_found, session.erased, session.legal_hold.
func (s *Erasures) WithdrawFace(ctx context.Context, mode idv.Mode, id idv.SessionID) (int, error) {
	_, err := s.life.Change(ctx, mode, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if err := rec.CheckNotErased(session.ScopeAll); err != nil {
			return err
		}
		if !rec.HeldAt.IsZero() {
			return problem.New(problem.SessionLegalHold)
		}
		answers, err := tx.Consents(ctx, id)
		if err != nil {
			return err
		}
		last, given := lastAnswer(answers)
		if !given {
			return nil
		}
		last.ID, err = idv.NewID[idv.ConsentID](s.life.Now(), s.life.Random())
		if err != nil {
			return err
		}
		last.Given, last.Address, last.At = false, "", s.life.Now()
		if err := tx.AddConsent(ctx, last); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "session.face_withdrawn", Session: id})
	})
	if err != nil {
		return 0, err
	}
	return s.store.DropFace(ctx, id)
}

// lastAnswer returns the newest answer about a gallery, and whether it was given.
func lastAnswer(answers []session.ConsentRow) (last session.ConsentRow, given bool) {
	for _, c := range answers {
		if c.About == session.ToGallery {
			last, given = c, c.Given
		}
	}
	return last, given
}
