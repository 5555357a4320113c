package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Task answers what the applicant does next. A session that has run out of time answers as expired. Where the step
// answers a challenge, one is open afterwards.
func (s *Service) Task(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	t, err := s.task(ctx, id)
	return s.challenged(ctx, id, t, err)
}

// Present is Task for whoever only watches: it issues no challenge, and names one only where one is open.
func (s *Service) Present(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	t, err := s.task(ctx, id)
	if err != nil || t.Takes != idv.Frames {
		return t, err
	}
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	issued, err := s.store.Challenges(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	if open, ok := s.openChallenge(issued, rec, t.Step); ok {
		t.Challenge, err = s.handed(ctx, s.store, open)
	}
	return t, err
}

func (s *Service) task(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	w, err := asked(ctx, s.store, rec)
	if err != nil {
		return idv.Task{}, err
	}
	if overdue(rec, s.now()) {
		rec.State = idv.Expired
	}
	return s.plan(ctx, s.store, rec, w)
}

// plan asks the conductor with the captures that count.
func (s *Service) plan(ctx context.Context, r Reader, rec Record, w idv.WorkflowVersion) (idv.Task, error) {
	captures, err := r.Captures(ctx, rec.ID)
	if err != nil {
		return idv.Task{}, err
	}
	var have []idv.Capture
	for _, c := range active(captures) {
		have = append(have, c.Capture)
	}
	t := flow.Plan(rec.Session, w, have)
	if t.State == idv.TaskStep {
		t.FaceOptional = faceOpen(rec, w, captures)
		t.AttemptsLeft = max(stepLimit(rec, w, t.Step)-rec.Attempts[t.Step], 0)
	}
	return t, nil
}

// stepLimit is how many tries a step has. A selfie that is asked for again because it did not match the
// document has one of its own, so that nobody is judged by a single unlucky picture.
func stepLimit(rec Record, w idv.WorkflowVersion, step idv.Step) int {
	if p := rec.LastProblem; step == idv.StepSelfie && p != nil && p.Step == step && p.Code == problem.FaceMismatch.Code {
		return max(w.StepAttempts, rec.Attempts[step]+1)
	}
	return w.StepAttempts
}

// acting refuses what an applicant does to a session in which it is not their turn.
func acting(rec Record) error {
	switch {
	case rec.State.Final():
		return problem.New(problem.SessionFinished)
	case rec.State != idv.Capturing:
		return problem.New(problem.CaptureOutOfOrder)
	default:
		return nil
	}
}

// Withdraw ends the session for the applicant. Problems: session.finished, session.expired.
func (s *Service) Withdraw(ctx context.Context, id idv.SessionID) error {
	return s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if rec.State.Final() {
			return problem.New(problem.SessionFinished)
		}
		return s.move(ctx, tx, rec, idv.Withdrawn, nil)
	})
}
