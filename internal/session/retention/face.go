package retention

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// WithdrawFace takes back an applicant's consent that their face is compared with those of others: the face goes from its gallery, from
// memory and from the files of the database, entries of the block list about it go, and the answer is kept beside the
// earlier ones. Nothing else of the session changes. It returns
// how many faces went: none where there was none, as when it is asked twice. An error after the answer was kept leaves memory or the files
// to be cleared, which asking again does. Problems: not_found, session.erased, session.legal_hold.
func (s *Erasures) WithdrawFace(ctx context.Context, mode idv.Mode, id idv.SessionID) (n int, err error) {
	var traces []string
	_, err = s.life.Change(ctx, mode, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if err := rec.CheckNotErased(session.ScopeAll); err != nil {
			return err
		}
		if !rec.HeldAt.IsZero() {
			return problem.New(problem.SessionLegalHold)
		}
		var err error
		if traces, err = s.store.FaceTraces(ctx, id); err != nil {
			return err
		}
		err = session.EndingFaceEntries(ctx, tx, id, func() error {
			n, err = tx.DropFace(ctx, id)
			return err
		})
		if err != nil {
			return err
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
		if err := tx.Audit(ctx, audit.Record{Action: string(session.EventFaceWithdrawn), Session: id}); err != nil {
			return err
		}
		return s.life.Notify(ctx, tx, id, session.EventFaceWithdrawn, nil)
	})
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	return n, s.store.FinishFaces(ctx, traces)
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
