package session

import (
	"context"
	"regexp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
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
	w, err := s.store.Workflow(ctx, rec.Workflow)
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

var consentPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{0,40}$`)

// Consent keeps the applicant's answer to the consent page. Declining withdraws the session with
// consent.declined. Problems: session.expired, session.finished, capture.out_of_order.
func (s *Service) Consent(ctx context.Context, id idv.SessionID, c Consent) (idv.Task, error) {
	var t idv.Task
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if err := acting(*rec); err != nil {
			return err
		}
		if !rec.Consented || !c.Given {
			if err := s.keepConsent(ctx, tx, rec, c); err != nil {
				return err
			}
		}
		var err error
		t, err = s.issue(ctx, tx, rec, w)
		return err
	})
	return t, err
}

func (s *Service) keepConsent(ctx context.Context, tx Tx, rec *Record, c Consent) error {
	for field, v := range map[string]string{"/text_version": c.TextVersion, "/locale": c.Locale} {
		if !consentPattern.MatchString(v) { // it outlives the personal data, so it has no room for any
			return malformed(field, "at most %d letters, digits, dots, hyphens or underscores", MaxMetadataKey)
		}
	}
	cid, err := idv.NewID[idv.ConsentID](s.now(), s.random)
	if err != nil {
		return err
	}
	c.Address = audit.Shorten(c.Address)
	if err := tx.AddConsent(ctx, ConsentRow{ID: cid, Session: rec.ID, Consent: c, At: s.now()}); err != nil {
		return err
	}
	before := rec.Session
	if c.Given {
		rec.Consented = true
		rec.Due = first(*rec)
		return s.save(ctx, tx, rec, before, EventConsented, map[string]any{"text_version": c.TextVersion})
	}
	code := problem.ConsentDeclined.Code
	rec.Consented = false
	rec.LastProblem = &idv.StepProblem{Code: code, Step: idv.StepConsent}
	if err := s.move(ctx, tx, rec, idv.Withdrawn, map[string]any{"code": code}); err != nil {
		return err
	}
	// Who declines is promised that no picture is kept, also of those sent before.
	return s.strike(ctx, tx, rec, ScopePictures, OnConsentDenied)
}

// Choose keeps which kind of document the applicant will show. It can be changed until a picture of the
// document was accepted. Problems: consent.missing, document.type_not_accepted, capture.out_of_order,
// session.expired, session.finished.
func (s *Service) Choose(ctx context.Context, id idv.SessionID, k idv.DocumentKind) (idv.Task, error) {
	var t idv.Task
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if err := acting(*rec); err != nil {
			return err
		}
		if err := s.choose(ctx, tx, rec, w, k); err != nil {
			return err
		}
		var err error
		t, err = s.issue(ctx, tx, rec, w)
		return err
	})
	return t, err
}

func (s *Service) choose(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, k idv.DocumentKind) error {
	due, err := s.plan(ctx, tx, *rec, w)
	if err != nil {
		return err
	}
	if due.Step == idv.StepConsent {
		return problem.New(problem.ConsentMissing)
	}
	if !slices.Contains(due.Accepts, k) {
		return problem.New(problem.DocumentTypeNotAccepted).At("/document_kind")
	}
	if rec.DocumentKind == k {
		return nil
	}
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	sent := func(c CaptureRow) bool { return c.Kind == idv.DocumentImage }
	if slices.ContainsFunc(active(captures), sent) || !slices.Contains(w.Steps, idv.StepChoose) {
		return problem.New(problem.CaptureOutOfOrder)
	}
	before := rec.Session
	rec.DocumentKind = k
	rec.Due = first(*rec)
	return s.save(ctx, tx, rec, before, EventChosen, map[string]any{"document_kind": k})
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
