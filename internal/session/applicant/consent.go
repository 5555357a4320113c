package applicant

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

var consentPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{0,40}$`)

// Consent saves the applicant's answer to the consent page and returns the next task. Where the workflow has a path without
// biometrics, an applicant who declines them is asked for consent to the check of the document alone, pictures and templates of
// their face are deleted, and a person decides in the end; they may change their mind until the first picture. Declining anything
// else withdraws the session with consent.declined. The same answer twice counts once. Problems: session.expired,
// session.finished; capture.out_of_order, also where the page asked something that is no longer asked.
func (s *Service) Consent(ctx context.Context, id idv.SessionID, c session.Consent) (idv.Task, error) {
	var t idv.Task
	var blobs []string
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		var err error
		if blobs, err = s.answer(ctx, tx, rec, w, c); err != nil {
			return err
		}
		if w, err = session.WorkflowOf(ctx, tx, *rec); err != nil {
			return err
		}
		t, err = s.nextTask(ctx, tx, rec, w)
		return err
	})
	if err != nil {
		return idv.Task{}, err
	}
	s.life.TryDeleteBlobs(ctx, id, blobs)
	return t, nil
}

// answer keeps an answer, and names the blobs to be deleted once that is certain.
func (s *Service) answer(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, c session.Consent) ([]string, error) {
	asks := session.ToDocument
	if w.TakesFace() {
		asks = session.ToBiometrics
	}
	c.About = cmp.Or(c.About, asks)
	if c.About == session.ToGallery {
		return nil, s.answerGallery(ctx, tx, rec, w, c)
	}
	again := c.About == session.ToBiometrics && rec.FaceDeclined
	switch {
	case again && !c.Given, c.About == asks && c.Given && rec.Consented:
		return nil, nil // told twice
	case again:
		return nil, s.reconsider(ctx, tx, rec, w, c)
	case c.About != asks:
		return nil, problem.New(problem.CaptureOutOfOrder) // the page asked something that is not asked any more
	}
	if err := s.saveConsent(ctx, tx, rec, c); err != nil {
		return nil, err
	}
	switch {
	case c.Given:
		return nil, s.grant(ctx, tx, rec, w, c)
	case c.About == session.ToBiometrics && w.FaceOptional:
		return s.continueWithoutFace(ctx, tx, rec, c)
	}
	return nil, s.withdraw(ctx, tx, rec)
}

// answerGallery keeps whether the face may be compared with those of other applicants. Whatever the answer, the session goes on as it was;
// the newest one counts until everything was sent. Declining removes a face that is there from an earlier try.
func (s *Service) answerGallery(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, c session.Consent) error {
	if !asksGallery(*rec, w) {
		return problem.New(problem.CaptureOutOfOrder)
	}
	answers, err := tx.Consents(ctx, rec.ID)
	if err != nil {
		return err
	}
	if may, asked := session.MayCompareFace(answers); asked && may == c.Given {
		return nil // told twice
	}
	if !c.Given {
		err := session.EndingFaceEntries(ctx, tx, rec.ID, func() error {
			_, err := tx.DropFace(ctx, rec.ID)
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.saveConsent(ctx, tx, rec, c)
}

// asksGallery reports whether an applicant is asked if their face may be compared with those of others: after they agreed to biometrics.
func asksGallery(rec session.Record, w idv.WorkflowVersion) bool {
	return w.Requires(idv.CheckDuplicateFace) && w.TakesFace() && rec.Consented && !rec.FaceDeclined && rec.State == idv.Capturing
}

// saveConsent adds the record of an answer.
func (s *Service) saveConsent(ctx context.Context, tx session.Tx, rec *session.Record, c session.Consent) error {
	for field, v := range map[string]string{"/text_version": c.TextVersion, "/locale": c.Locale} {
		if !consentPattern.MatchString(v) { // it outlives the personal data, so it has no room for any
			return session.Malformed(field, "at most %d letters, digits, dots, hyphens or underscores", session.MaxMetadataKey)
		}
	}
	cid, err := idv.NewID[idv.ConsentID](s.life.Now(), s.life.Random())
	if err != nil {
		return err
	}
	c.Address = audit.ShortenAddress(c.Address)
	return tx.AddConsent(ctx, session.ConsentRow{ID: cid, Session: rec.ID, Consent: c, At: s.life.Now()})
}

// grant goes on to the document, which is chosen already where there is nothing to choose.
func (s *Service) grant(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, c session.Consent) error {
	before := rec.Session
	rec.Consented = true
	if rec.DocumentKind == "" {
		rec.DocumentKind = w.SoleKind()
	}
	rec.Due = session.FirstStep(*rec)
	return s.life.Save(ctx, tx, rec, before, session.EventConsented, map[string]any{"text_version": c.TextVersion, "about": c.About})
}

// withdraw withdraws the session.
func (s *Service) withdraw(ctx context.Context, tx session.Tx, rec *session.Record) error {
	code := problem.ConsentDeclined.Code
	rec.Consented = false
	rec.LastProblem = &idv.StepProblem{Code: code, Step: idv.StepConsent}
	if err := s.life.Move(ctx, tx, rec, idv.Withdrawn, map[string]any{"code": code}); err != nil {
		return err
	}
	// An applicant who declines is promised that no picture is kept, those sent before included.
	return s.life.Strike(ctx, tx, rec, session.ScopePictures, session.OnConsentDenied)
}

// continueWithoutFace goes on with the document alone, for which consent is asked anew, and removes what was taken and found of the
// face.
func (s *Service) continueWithoutFace(ctx context.Context, tx session.Tx, rec *session.Record, c session.Consent) ([]string, error) {
	var blobs []string
	err := session.EndingFaceEntries(ctx, tx, rec.ID, func() (err error) {
		blobs, err = tx.StrikeFace(ctx, rec.ID)
		return err
	})
	if err != nil {
		return nil, err
	}
	uploads, err := tx.Uploads(ctx, rec.ID)
	if err != nil {
		return nil, err
	}
	for _, u := range uploads { // whatever is in them; a document is simply sent again
		more, err := dropUpload(ctx, tx, u.ID)
		if err != nil {
			return nil, err
		}
		blobs = append(blobs, more...)
	}
	if err := tx.CloseChallenges(ctx, rec.ID, s.life.Now()); err != nil {
		return nil, err
	}
	before := rec.Session
	rec.FaceDeclined, rec.Consented, rec.Liveness = true, false, idv.UsualPath
	rec.Redo = slices.DeleteFunc(slices.Clone(rec.Redo), func(step idv.Step) bool { return step == idv.StepSelfie })
	if p := rec.LastProblem; p != nil && p.Step == idv.StepSelfie {
		rec.LastProblem = nil
	}
	rec.Due = session.FirstStep(*rec)
	payload := map[string]any{"text_version": c.TextVersion, "removed": len(blobs)}
	return blobs, s.life.Save(ctx, tx, rec, before, session.EventFaceDeclined, payload)
}

// reconsider takes a declining back. Once a picture was taken it was looked at without the face in it, and that stays.
func (s *Service) reconsider(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, c session.Consent) error {
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	if len(captures) > 0 {
		return problem.New(problem.CaptureOutOfOrder)
	}
	if err := s.saveConsent(ctx, tx, rec, c); err != nil {
		return err
	}
	rec.FaceDeclined = false
	return s.grant(ctx, tx, rec, w, c)
}

// faceOpen reports whether the applicant may still say otherwise about their face: decline, or agree after all.
func faceOpen(rec session.Record, w idv.WorkflowVersion, captures []session.CaptureRow) bool {
	return w.FaceOptional && (w.TakesFace() || (rec.FaceDeclined && len(captures) == 0))
}

// nextTask answers what is next. Who declined the last step that was left has sent everything.
func (s *Service) nextTask(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) (idv.Task, error) {
	t, err := s.taskWithChallenge(ctx, tx, rec, w)
	if err != nil || t.State != idv.TaskWait || rec.State != idv.Capturing {
		return t, err
	}
	if t, err = s.finish(ctx, tx, rec, w); err != nil {
		return idv.Task{}, err
	}
	return t, tx.Enqueue(ctx, job.Check{Session: rec.ID})
}
