package applicant

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// paths are the ways that an applicant can choose between.
var paths = []idv.LivenessPath{idv.UsualPath, idv.GentlePath, idv.PersonPath}

// ChooseLiveness settles how the applicant shows that they are there, and starts over: a challenge that was open is
// closed. It can be changed until the selfie was accepted. Problems: capture.out_of_order where the workflow asks for no
// challenge or the selfie was accepted, consent.missing, session.expired, session.finished, request.malformed.
func (s *Service) ChooseLiveness(ctx context.Context, id idv.SessionID, path idv.LivenessPath) (idv.Task, error) {
	if !slices.Contains(paths, path) {
		return idv.Task{}, session.Malformed("/path", "it is usual, gentle or person")
	}
	var t idv.Task
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		due, err := s.plan(ctx, tx, *rec, w)
		if err != nil {
			return err
		}
		if due.Step == idv.StepConsent {
			return problem.New(problem.ConsentMissing)
		}
		if due.Step != idv.StepSelfie || !w.AsksLiveness() {
			return problem.New(problem.CaptureOutOfOrder)
		}
		if err := tx.CloseChallenges(ctx, rec.ID, s.life.Now()); err != nil {
			return err
		}
		if path != rec.Liveness {
			if err := s.setLivenessPath(ctx, tx, rec, path); err != nil {
				return err
			}
		}
		t, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}
