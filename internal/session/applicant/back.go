package applicant

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// OtherDocument goes back to the choice of the document after pictures of one were sent. They stay as evidence and no longer count, nor
// does what was read of them; tries are not given back. Problems: capture.out_of_order where no picture of a document counts, or
// everything was sent before; session.attempts_exhausted where the tries that are left would not do for another document;
// session.expired, session.finished.
func (s *Service) OtherDocument(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	var t idv.Task
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		captures, err := tx.Captures(ctx, rec.ID)
		if err != nil {
			return err
		}
		if !hasOpenDocument(*rec, captures) {
			return problem.New(problem.CaptureOutOfOrder)
		}
		if enough, err := enoughTries(ctx, tx, *rec, w); err != nil {
			return err
		} else if !enough {
			return problem.New(problem.AttemptsExhausted)
		}
		before := rec.Session
		if err := s.life.OtherDocument(ctx, tx, rec, w, ""); err != nil {
			return err
		}
		payload := map[string]any{"captures": len(documentsOf(captures))}
		if err := s.life.Save(ctx, tx, rec, before, session.EventPutAside, payload); err != nil {
			return err
		}
		t, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// backFrom returns what comes before a step. Nothing does once everything was sent: what is asked for then is about what is there.
func backFrom(ctx context.Context, r Reader, step idv.Step, rec session.Record, w idv.WorkflowVersion, captures []session.CaptureRow) (idv.BackTo, error) {
	switch {
	case step == idv.StepConsent || !rec.SubmittedAt.IsZero():
		return idv.BackNowhere, nil
	case hasOpenDocument(rec, captures):
		enough, err := enoughTries(ctx, r, rec, w)
		if enough {
			return idv.BackToDocument, err
		}
		return idv.BackNowhere, err
	case step != idv.StepChoose && rec.DocumentKind != "" && rec.DocumentKind != w.SoleKind() && slices.Contains(w.Steps, idv.StepChoose):
		return idv.BackToChoice, nil
	case slices.Contains(w.Steps, idv.StepConsent):
		return idv.BackToConsent, nil
	default:
		return idv.BackNowhere, nil
	}
}

// hasOpenDocument reports whether pictures of a document count that the applicant has not handed in with everything else. What a person
// or the policy asks for anew after that is about this document.
func hasOpenDocument(rec session.Record, captures []session.CaptureRow) bool {
	return rec.SubmittedAt.IsZero() && len(documentsOf(captures)) > 0
}

// documentsOf returns the captures of a document that count.
func documentsOf(captures []session.CaptureRow) []session.CaptureRow {
	return slices.DeleteFunc(session.Active(captures), func(c session.CaptureRow) bool { return c.Kind != idv.DocumentImage })
}

// enoughTries reports whether each side of any document that a workflow accepts can still be sent. Otherwise a session would be left
// with a step that has no tries and nothing to judge.
func enoughTries(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) (bool, error) {
	var steps []idv.Step
	for _, kind := range w.AcceptedKinds() {
		for _, step := range w.StepsFor(kind) {
			if _, _, captured := step.KindOf(); captured && !slices.Contains(steps, step) {
				steps = append(steps, step)
			}
		}
	}
	for _, step := range steps {
		if slices.Contains(session.DocumentSteps(), step) && rec.Attempts[step] >= w.StepAttempts {
			return false, nil
		}
	}
	total, err := session.CountTries(ctx, r, rec)
	return total+len(steps) <= w.SessionAttempts, err
}
