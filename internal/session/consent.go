package session

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// asked is what a session's workflow asks of it.
func asked(ctx context.Context, r RecordReader, rec Record) (idv.WorkflowVersion, error) {
	w, err := r.Workflow(ctx, rec.Workflow)
	return w.For(rec.Session), err
}

var consentPattern = regexp.MustCompile(`^[A-Za-z0-9._-]{0,40}$`)

// Consent keeps the applicant's answer to the consent page. Who declines biometrics where the workflow leads on without them is
// asked about the document alone, what was taken of their face is deleted, and a person decides in the end; until a picture
// was taken they may change their mind. Declining anything else withdraws the session with consent.declined. The same answer
// twice counts once. Problems: session.expired, session.finished, capture.out_of_order, also where something else is asked.
func (s *Service) Consent(ctx context.Context, id idv.SessionID, c Consent) (idv.Task, error) {
	var t idv.Task
	var blobs []string
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if err := acting(*rec); err != nil {
			return err
		}
		var err error
		if blobs, err = s.answerConsent(ctx, tx, rec, w, c); err != nil {
			return err
		}
		if w, err = asked(ctx, tx, *rec); err != nil {
			return err
		}
		t, err = s.goOn(ctx, tx, rec, w)
		return err
	})
	if err != nil {
		return idv.Task{}, err
	}
	s.dropBlobs(ctx, id, blobs)
	return t, nil
}

// answerConsent keeps an answer, and names the blobs to be deleted once that is certain.
func (s *Service) answerConsent(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, c Consent) ([]string, error) {
	asks := ToDocument
	if w.TakesFace() {
		asks = ToBiometrics
	}
	c.About = cmp.Or(c.About, asks)
	again := c.About == ToBiometrics && rec.FaceDeclined
	switch {
	case again && !c.Given, c.About == asks && c.Given && rec.Consented:
		return nil, nil // told twice
	case again:
		return nil, s.reconsider(ctx, tx, rec, c)
	case c.About != asks:
		return nil, problem.New(problem.CaptureOutOfOrder) // the page asked something that is not asked any more
	}
	if err := s.keepConsent(ctx, tx, rec, c); err != nil {
		return nil, err
	}
	switch {
	case c.Given:
		return nil, s.agreed(ctx, tx, rec, c)
	case c.About == ToBiometrics && w.FaceOptional:
		return s.withoutFace(ctx, tx, rec, c)
	}
	return nil, s.declined(ctx, tx, rec)
}

// keepConsent adds the record of an answer.
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
	c.Address = audit.ShortenAddress(c.Address)
	return tx.AddConsent(ctx, ConsentRow{ID: cid, Session: rec.ID, Consent: c, At: s.now()})
}

func (s *Service) agreed(ctx context.Context, tx Tx, rec *Record, c Consent) error {
	before := rec.Session
	rec.Consented = true
	rec.Due = first(*rec)
	return s.save(ctx, tx, rec, before, EventConsented, map[string]any{"text_version": c.TextVersion, "about": c.About})
}

// declined withdraws the session.
func (s *Service) declined(ctx context.Context, tx Tx, rec *Record) error {
	code := problem.ConsentDeclined.Code
	rec.Consented = false
	rec.LastProblem = &idv.StepProblem{Code: code, Step: idv.StepConsent}
	if err := s.move(ctx, tx, rec, idv.Withdrawn, map[string]any{"code": code}); err != nil {
		return err
	}
	// Who declines is promised that no picture is kept, also of those sent before.
	return s.strike(ctx, tx, rec, ScopePictures, OnConsentDenied)
}

// withoutFace goes on with the document alone, for which consent is asked anew, and removes what was taken and found of the
// face.
func (s *Service) withoutFace(ctx context.Context, tx Tx, rec *Record, c Consent) ([]string, error) {
	blobs, err := tx.StrikeFace(ctx, rec.ID)
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
	if err := tx.CloseChallenges(ctx, rec.ID, s.now()); err != nil {
		return nil, err
	}
	before := rec.Session
	rec.FaceDeclined, rec.Consented, rec.Liveness = true, false, idv.UsualPath
	rec.Redo = slices.DeleteFunc(slices.Clone(rec.Redo), func(step idv.Step) bool { return step == idv.StepSelfie })
	if p := rec.LastProblem; p != nil && p.Step == idv.StepSelfie {
		rec.LastProblem = nil
	}
	rec.Due = first(*rec)
	payload := map[string]any{"text_version": c.TextVersion, "removed": len(blobs)}
	return blobs, s.save(ctx, tx, rec, before, EventFaceDeclined, payload)
}

// reconsider takes a declining back. Once a picture was taken it was looked at without the face in it, and that stays.
func (s *Service) reconsider(ctx context.Context, tx Tx, rec *Record, c Consent) error {
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	if len(captures) > 0 {
		return problem.New(problem.CaptureOutOfOrder)
	}
	if err := s.keepConsent(ctx, tx, rec, c); err != nil {
		return err
	}
	rec.FaceDeclined = false
	return s.agreed(ctx, tx, rec, c)
}

// faceOpen reports whether the applicant may still say otherwise about their face: decline, or agree after all.
func faceOpen(rec Record, w idv.WorkflowVersion, captures []CaptureRow) bool {
	return w.FaceOptional && (w.TakesFace() || (rec.FaceDeclined && len(captures) == 0))
}

// goOn answers what is next. Who declined the last step that was left has sent everything.
func (s *Service) goOn(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) (idv.Task, error) {
	t, err := s.issue(ctx, tx, rec, w)
	if err != nil || t.State != idv.TaskWait || rec.State != idv.Capturing {
		return t, err
	}
	if t, err = s.submitted(ctx, tx, rec, w); err != nil {
		return idv.Task{}, err
	}
	return t, tx.Enqueue(ctx, job.Check{Session: rec.ID})
}

// submitted notes that everything was sent.
func (s *Service) submitted(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) (idv.Task, error) {
	rec.SubmittedAt = s.now()
	if err := s.move(ctx, tx, rec, idv.Submitted, nil); err != nil {
		return idv.Task{}, err
	}
	return s.plan(ctx, tx, *rec, w)
}

// faceless lets go of what an extraction has of the face of who declined biometrics, where it came in while they did:
// templates, and the portrait that was cut out of the document, whose blob it names.
func faceless(row CaptureRow, x idv.Extraction) (idv.Extraction, []string) {
	var blobs []string
	x.Artifacts = slices.Clone(x.Artifacts)
	for i, a := range x.Artifacts {
		switch {
		case IsTemplate(a.Kind):
			gone := idv.AbsentArtifact(a.Kind, row.Capture, problem.BiometricsDeclined.Code)
			gone.ID, gone.Session, gone.Capture, gone.Side = a.ID, a.Session, a.Capture, a.Side
			x.Artifacts[i] = gone
		case len(a.Blob) > 0:
			blobs = append(blobs, ArtifactBlob(a.Session, a.ID))
			x.Artifacts[i].Blob, x.Artifacts[i].BlobType = nil, ""
		}
	}
	return x, blobs
}
