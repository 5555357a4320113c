package applicant

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/pdf"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

var attemptPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// isNoPicture reports whether a file was refused because it is no picture at all. That costs no try of the step,
// and no person could judge it.
func isNoPicture(p *problem.Error) bool {
	return slices.Contains([]string{
		problem.CaptureNotAnImage.Code, problem.CaptureTooManyPixels.Code, problem.RequestTooLarge.Code, problem.CaptureHEIC.Code,
		problem.CapturePDFEncrypted.Code, problem.CapturePDFTooLarge.Code, problem.CapturePDFDamaged.Code,
	}, p.Kind.Code)
}

// Submit takes the picture of a step. The answer is the next task, or the problem for which the step stays:
// any of severity retry. A repeat of an attempt with the same bytes answers as before. Of a PDF file the first page is the
// picture, and its second page that of the back, where that is the next step (see pages.go). Problems besides:
// capture.out_of_order, capture.from_file, capture.attempt_reused, consent.missing, session.attempts_exhausted, session.expired,
// session.finished, request.malformed.
func (s *Captures) Submit(ctx context.Context, id idv.SessionID, sub Submission) (idv.Task, error) {
	t, err := s.submit(ctx, id, sub)
	return s.challenges.withChallenge(ctx, id, t, err)
}

func (s *Captures) submit(ctx context.Context, id idv.SessionID, sub Submission) (idv.Task, error) {
	c, err := s.newCapture(id, sub)
	if err != nil {
		return idv.Task{}, err
	}
	if t, done, err := s.previousAnswer(ctx, s.store, c); done || err != nil {
		return t, err
	}
	last, engine, refused := s.precheck(ctx, c)
	if refused != nil {
		if t, done, err := s.previousAnswer(ctx, s.store, c); done { // the same attempt, sent twice, came in between
			return t, err
		}
		return idv.Task{}, refused
	}
	in := sent{CaptureRow: session.CaptureRow{Capture: c}, original: c.SHA256}
	pages, err := s.render(ctx, &in)
	if err != nil {
		return idv.Task{}, err
	}
	if in.refusal == nil {
		if in.refusal, err = s.glance(ctx, engine, in.Capture); err != nil {
			return idv.Task{}, err
		}
	}
	t, err := s.saveCapture(ctx, in, last)
	if err == nil && len(pages) > 1 {
		t = s.submitBack(ctx, t, c, pages)
	}
	return t, err
}

// sent is a capture on its way in.
type sent struct {
	session.CaptureRow
	original  idv.Digest     // of what was sent, from which the capture may be rendered
	refusal   *problem.Error // of the quick look
	stored    bool           // its bytes are in the vault
	challenge string         // token, where it answers one
}

// attempted is the capture as an attempt notes it: with the digest of what was sent.
func (in sent) attempted() idv.Capture {
	c := in.Capture
	c.SHA256 = in.original
	return c
}

// saveCapture writes the bytes of a capture, then everything else. Bytes before rows: a blob without a row is swept, a row
// without its blob would be a lie. What is refused is not kept, unless it is the step's last try.
func (s *Captures) saveCapture(ctx context.Context, in sent, last bool) (idv.Task, error) {
	in.Blob = session.CaptureBlob(in.Session, in.ID)
	in.stored = in.refusal == nil || (last && !isNoPicture(in.refusal))
	if in.stored {
		if err := s.pictures.Put(ctx, in.Session, in.Blob, in.Bytes); err != nil {
			return idv.Task{}, err
		}
	}
	t, kept, err := s.admit(ctx, in)
	if in.stored && !kept {
		s.life.TryDeleteBlobs(ctx, in.Session, []string{in.Blob})
	}
	return t, err
}

func (s *Captures) newCapture(id idv.SessionID, sub Submission) (idv.Capture, error) {
	kind, side, ok := sub.Step.KindOf()
	if !ok {
		return idv.Capture{}, problem.New(problem.CaptureOutOfOrder)
	}
	if !attemptPattern.MatchString(sub.Attempt) {
		return idv.Capture{}, session.Malformed("attempt", "1 to 64 letters, digits, hyphens or underscores")
	}
	mediaType, err := session.CleanText(sub.MediaType, "picture", session.MaxReference)
	if err != nil {
		return idv.Capture{}, err
	}
	cid, err := idv.NewID[idv.CaptureID](s.life.Now(), s.life.Random())
	if err != nil {
		return idv.Capture{}, err
	}
	c := idv.Capture{
		ID: cid, Session: id, Step: sub.Step, Side: side, Kind: kind, Attempt: sub.Attempt,
		SHA256: digestOf(sub.Bytes), Size: int64(len(sub.Bytes)), MediaType: mediaType,
		Source: sub.Source, CreatedAt: s.life.Now(), Bytes: sub.Bytes,
	}
	if pdf.Is(sub.Bytes) { // whatever the client says: no camera makes one
		c.Source, c.MediaType = idv.SourceFile, pdfMediaType
	}
	return c, nil
}

func digestOf(b []byte) idv.Digest {
	sum := sha256.Sum256(b)
	return idv.Digest(hex.EncodeToString(sum[:]))
}

// previousAnswer answers an attempt that was made before as it was answered then.
func (s *Captures) previousAnswer(ctx context.Context, r Reader, c idv.Capture) (idv.Task, bool, error) {
	a, err := r.Attempt(ctx, c.Session, c.Attempt)
	if problem.Has(err, problem.NotFound) {
		return idv.Task{}, false, nil
	}
	if err != nil {
		return idv.Task{}, false, err
	}
	if a.SHA256 != c.SHA256 || a.Step != c.Step {
		return idv.Task{}, true, problem.New(problem.CaptureAttemptReused)
	}
	if k, ok := problem.Lookup(a.Problem); ok {
		return idv.Task{}, true, problem.New(k)
	}
	rec, err := r.Session(ctx, c.Session)
	if err != nil {
		return idv.Task{}, true, err
	}
	w, err := session.WorkflowOf(ctx, r, rec)
	if err != nil {
		return idv.Task{}, true, err
	}
	t, err := s.plan(ctx, r, rec, w)
	return t, true, err
}

// precheck refuses cheaply what admit would refuse after the look and the write to the vault. last: this is the
// step's last try. engine is the one that looks at the picture.
func (s *Captures) precheck(ctx context.Context, c idv.Capture) (last bool, engine session.Engine, err error) {
	rec, err := s.store.Session(ctx, c.Session)
	if err != nil {
		return false, nil, err
	}
	if session.Overdue(rec, s.life.Now()) {
		return false, nil, s.ChangeAsApplicant(ctx, c.Session, func(context.Context, session.Tx, *session.Record, idv.WorkflowVersion) error { return nil })
	}
	w, err := session.WorkflowOf(ctx, s.store, rec)
	if err != nil {
		return false, nil, err
	}
	return lastTry(rec, w, c.Step), s.life.EngineFor(rec), s.checkAllowed(ctx, s.store, rec, w, c)
}

func lastTry(rec session.Record, w idv.WorkflowVersion, step idv.Step) bool {
	return stepLimit(rec, w, step)-rec.Attempts[step] <= 1
}

// checkAllowed checks state, order, kind, source and limits.
func (s *Captures) checkAllowed(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion, c idv.Capture) error {
	if err := checkTurn(rec); err != nil {
		return err
	}
	due, err := s.plan(ctx, r, rec, w)
	if err != nil {
		return err
	}
	if due.Step == idv.StepConsent {
		return problem.New(problem.ConsentMissing)
	}
	if due.Step != c.Step {
		return problem.New(problem.CaptureOutOfOrder)
	}
	if due.Takes != c.Kind {
		return wrongKind(due.Takes)
	}
	if w.LiveCapture && c.Kind != idv.Frames && c.Source != idv.SourceCamera {
		return problem.New(problem.CaptureFromFile)
	}
	total, err := session.CountTries(ctx, r, rec)
	if err != nil {
		return err
	}
	if due.AttemptsLeft == 0 || total >= w.SessionAttempts {
		return problem.New(problem.AttemptsExhausted)
	}
	return nil
}

// wrongKind says what a step takes instead.
func wrongKind(takes idv.CaptureKind) error {
	if takes == idv.Frames {
		return session.Malformed("run", "this step takes frames that answer the task's challenge")
	}
	return session.Malformed("picture", "this step takes one picture")
}

// redeem closes the challenge that a capture answers: nothing answers it a second time. Problems: challenge.expired.
func (s *Captures) redeem(ctx context.Context, tx session.Tx, rec session.Record, in sent) error {
	if in.Kind != idv.Frames {
		return nil
	}
	if _, err := s.challenges.verify(ctx, tx, rec, in.Step, in.challenge); err != nil {
		return err
	}
	return tx.CloseChallenges(ctx, rec.ID, s.life.Now())
}

// glance takes the quick look. Only a problem refuses; a look that could not be taken says nothing, and the full extraction
// will judge. Problems: unavailable where too many pictures are being looked at.
func (s *Captures) glance(ctx context.Context, engine session.Engine, c idv.Capture) (*problem.Error, error) {
	if len(c.Bytes) == 0 {
		return problem.New(problem.CaptureNotAnImage), nil
	}
	err := engine.Glance(ctx, c)
	if problem.Has(err, problem.Unavailable) { // says nothing about the picture, and costs no try
		return nil, err
	}
	if p, ok := problem.As(err); ok {
		return p, nil
	}
	if err != nil {
		s.log.WarnContext(ctx, "glance failed", "session", c.Session, "step", c.Step, "error", err)
	}
	return nil, nil
}

// admit writes an attempt: accepted or refused, its capture, the jobs, and the move when nothing is left to send.
// The last try of a step is accepted although the quick look refused it: a person can look at it, otherwise
// what was sent would never be judged. kept reports whether a row may name its bytes, which is unknown after a failed commit.
func (s *Captures) admit(ctx context.Context, in sent) (t idv.Task, kept bool, err error) {
	var answer error
	row, refusal := in.CaptureRow, in.refusal
	err = s.ChangeAsApplicant(ctx, row.Session, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		var done bool
		var err error
		kept = false
		// The same attempt may have come twice at once, and the other one was first.
		if t, done, answer = s.previousAnswer(ctx, tx, in.attempted()); done {
			return nil
		}
		if answer != nil {
			return answer
		}
		if err := s.checkAllowed(ctx, tx, *rec, w, row.Capture); err != nil {
			return err
		}
		if err := s.redeem(ctx, tx, *rec, in); err != nil {
			return err
		}
		if refusal == nil {
			if refusal, err = s.sameSide(ctx, tx, row.Capture); err != nil {
				return err
			}
		}
		last := lastTry(*rec, w, row.Step)
		if refusal != nil && (!last || !in.stored || isNoPicture(refusal)) {
			answer = refusal
			return s.refuse(ctx, tx, rec, in.attempted(), refusal, !last && !isNoPicture(refusal))
		}
		t, err = s.accept(ctx, tx, rec, w, in)
		kept = err == nil
		return err
	})
	if err != nil {
		return idv.Task{}, kept, err
	}
	return t, kept, answer
}

// sameSide refuses the same file for both sides of a document.
func (s *Captures) sameSide(ctx context.Context, tx session.Tx, c idv.Capture) (*problem.Error, error) {
	captures, err := tx.Captures(ctx, c.Session)
	if err != nil {
		return nil, err
	}
	for _, other := range session.Active(captures) {
		if other.Kind == idv.DocumentImage && c.Kind == idv.DocumentImage && other.Step != c.Step && other.SHA256 == c.SHA256 {
			return problem.New(problem.CaptureSameSideTwice), nil
		}
	}
	return nil, nil
}

// refuse notes a try that was not accepted. A last try never ends like this and counts: the step would be left
// with no tries and nothing to judge.
func (s *Captures) refuse(ctx context.Context, tx session.Tx, rec *session.Record, c idv.Capture, p *problem.Error, counts bool) error {
	if err := s.saveAttempt(ctx, tx, rec, c, p.Kind.Code, counts); err != nil {
		return err
	}
	before := rec.Session
	rec.Attempts = countAttempt(rec.Attempts, c.Step, counts)
	rec.LastProblem = &idv.StepProblem{Code: p.Kind.Code, Step: c.Step}
	return s.life.Save(ctx, tx, rec, before, session.EventStepRepeated, map[string]any{"step": c.Step, "code": p.Kind.Code})
}

func (s *Captures) accept(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, in sent) (idv.Task, error) {
	row := in.CaptureRow
	if err := s.saveAttempt(ctx, tx, rec, in.attempted(), "", true); err != nil {
		return idv.Task{}, err
	}
	if err := tx.SupersedeCaptures(ctx, rec.ID, row.Step); err != nil {
		return idv.Task{}, err
	}
	if err := tx.AddCapture(ctx, row); err != nil {
		return idv.Task{}, err
	}
	if err := tx.Enqueue(ctx, job.Extract{Session: rec.ID, Capture: row.ID}); err != nil {
		return idv.Task{}, err
	}
	before := rec.Session
	rec.Attempts = countAttempt(rec.Attempts, row.Step, true)
	rec.Redo = slices.DeleteFunc(slices.Clone(rec.Redo), func(step idv.Step) bool { return step == row.Step })
	if p := rec.LastProblem; p != nil && p.Step == row.Step {
		rec.LastProblem = nil
	}
	t, err := s.plan(ctx, tx, *rec, w)
	if err != nil {
		return idv.Task{}, err
	}
	rec.Due = t.Step
	payload := map[string]any{"step": row.Step, "capture": row.ID}
	if err := s.life.Save(ctx, tx, rec, before, session.EventCaptured, payload); err != nil || t.State != idv.TaskWait {
		return t, err
	}
	return s.finish(ctx, tx, rec, w)
}

func (s *Captures) saveAttempt(ctx context.Context, tx session.Tx, rec *session.Record, c idv.Capture, code string, counts bool) error {
	err := tx.AddAttempt(ctx, session.Attempt{
		Session: rec.ID, ID: c.Attempt, Step: c.Step, SHA256: c.SHA256, Problem: code, Counts: counts, At: s.life.Now(),
	})
	if err != nil {
		return err
	}
	return tx.Audit(ctx, audit.Record{Action: "session.attempted", Session: rec.ID, Subject: string(c.ID), After: c.SHA256})
}

// Submission is one picture for one step. Attempt is chosen by the client, once per try.
type Submission struct {
	Step      idv.Step
	Attempt   string // 1 to 64 letters, digits, - or _
	MediaType string // as the client says; kept, never believed
	Source    idv.Source
	Bytes     []byte
}
