package applicant

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// setLivenessPath sets the path of a locked session.
func (s *turns) setLivenessPath(ctx context.Context, tx session.Tx, rec *session.Record, path idv.LivenessPath) error {
	before := rec.Session
	rec.Liveness = path
	name := string(path)
	if path == idv.UsualPath {
		name = "usual"
	}
	return s.life.Save(ctx, tx, rec, before, session.EventLivenessPath, map[string]any{"path": name})
}

// finish notes that everything was sent.
func (s *turns) finish(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) (idv.Task, error) {
	rec.SubmittedAt = s.life.Now()
	if err := s.life.Move(ctx, tx, rec, idv.Submitted, nil); err != nil {
		return idv.Task{}, err
	}
	return s.plan(ctx, tx, *rec, w)
}

// Actor names the applicant of a session as the actor, at the address known so far.
func Actor(ctx context.Context, id idv.SessionID) audit.Actor {
	a := audit.ActorFrom(ctx)
	if a.Kind == audit.Applicant {
		return a
	}
	return audit.Actor{Kind: audit.Applicant, ID: string(id), Address: a.Address}
}

// ChangeAsApplicant runs f under the lock of a session that still has time. One that has run out of it is moved to
// expired, and f is not run. Where the context says which browser acts (WithBrowser), it must still have the session.
// Problems: session.expired, session.erased, session.bound_elsewhere.
func (s *turns) ChangeAsApplicant(ctx context.Context, id idv.SessionID, f session.ChangeFunc) error {
	var late bool
	_, err := s.life.Change(ctx, "", id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if !rec.ErasedAt.IsZero() {
			return problem.New(problem.SessionErased)
		}
		if acts := browserFrom(ctx); acts != "" && acts != rec.TokenHash {
			return problem.New(problem.SessionBoundElsewhere) // it moved on while this call was under way
		}
		if rec.State == idv.Expired {
			return problem.New(problem.SessionExpired)
		}
		if session.Overdue(*rec, s.life.Now()) {
			late = true // the move has to commit, so this is no error yet
			return s.life.Move(ctx, tx, rec, idv.TimedOut, nil)
		}
		return f(ctx, tx, rec, w)
	})
	if err == nil && late {
		return problem.New(problem.SessionExpired)
	}
	return err
}

func (s *turns) task(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Task{}, err
	}
	w, err := session.WorkflowOf(ctx, s.store, rec)
	if err != nil {
		return idv.Task{}, err
	}
	if session.Overdue(rec, s.life.Now()) {
		rec.State = idv.Expired
	}
	return s.plan(ctx, s.store, rec, w)
}

// plan asks the conductor with the captures that count.
func (s *turns) plan(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) (idv.Task, error) {
	captures, err := r.Captures(ctx, rec.ID)
	if err != nil {
		return idv.Task{}, err
	}
	var have []idv.Capture
	for _, c := range session.Active(captures) {
		have = append(have, c.Capture)
	}
	t := flow.Plan(rec.Session, w, have)
	if t.State == idv.TaskDeclined {
		until, err := s.anotherUntil(ctx, r, rec)
		if t.Another = !until.IsZero(); t.Another {
			t.Deadline = until
		}
		return t, err
	}
	if t.State == idv.TaskStep {
		t.FaceOptional = faceOpen(rec, w, captures)
		t.LiveCapture = w.LiveCapture && t.Takes != "" && t.Takes != idv.Frames
		t.AttemptsLeft = max(stepLimit(rec, w, t.Step)-rec.Attempts[t.Step], 0)
		t.Checking = s.checking(rec, captures)
		if t.Gallery, err = galleryQuestion(ctx, r, rec, w); err != nil {
			return t, err
		}
		if t.Back, err = backFrom(ctx, r, t.Step, rec, w, captures); err != nil {
			return t, err
		}
		return t, s.explain(ctx, r, rec, captures, &t)
	}
	return t, nil
}

// galleryQuestion returns what the applicant is asked before their face is compared with those of others; nil where it is answered, or
// not asked.
func galleryQuestion(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) (*idv.GalleryQuestion, error) {
	if _, ok := session.PersonaOf(rec); ok || !asksGallery(rec, w) {
		return nil, nil
	}
	answers, err := r.Consents(ctx, rec.ID)
	if err != nil {
		return nil, err
	}
	if _, asked := session.MayCompareFace(answers); asked {
		return nil, nil
	}
	set := w.Seen.Gallery.OrDefault()
	return &idv.GalleryQuestion{Text: set.Consent, Months: set.Months}, nil
}

// checking returns the step whose picture of a document is being read, or whose answer of a wallet is being verified. It stops waiting after idv.CheckWait.
func (s *turns) checking(rec session.Record, captures []session.CaptureRow) idv.Step {
	if _, ok := session.PersonaOf(rec); ok {
		return "" // judged when all was sent
	}
	for _, c := range session.Active(captures) {
		waits := c.Kind == idv.DocumentImage && !c.Checked || c.Kind == idv.WalletData && !c.Extracted
		if waits && s.life.Now().Before(c.CreatedAt.Add(idv.CheckWait)) {
			return c.Step
		}
	}
	return ""
}

// explain completes why a step is asked for again: what was read of the document, where the words need it, and the reason of a step
// that was reopened together with another one.
func (s *turns) explain(ctx context.Context, r Reader, rec session.Record, captures []session.CaptureRow, t *idv.Task) error {
	if t.Problem == nil && slices.Contains(rec.Redo, t.Step) {
		code, err := s.reasonOf(ctx, r, rec, t.Step)
		t.Problem = &idv.StepProblem{Code: code, Step: t.Step}
		return err
	}
	if t.Problem == nil || t.Problem.Code != problem.DocumentExpired.Code && !problem.IsQuestion(t.Problem.Code) {
		return nil
	}
	found, err := session.ReadOf(ctx, r, rec, captures)
	if err != nil {
		return err
	}
	t.Found = &found
	return hideFromAnotherTab(ctx, r, rec, captures, t.Found)
}

// hideFromAnotherTab removes the date that was read of a document before the present tab had the session. The kind stays: the question
// is about it.
func hideFromAnotherTab(ctx context.Context, r session.TabReader, rec session.Record, captures []session.CaptureRow, found *idv.FoundDocument) error {
	tab, err := r.TabByToken(ctx, rec.TokenHash)
	if problem.Has(err, problem.NotFound) {
		return nil // opened before tabs were noted
	}
	for _, c := range captures {
		if c.CreatedAt.Before(tab.OpenedAt) {
			found.Expiry = ""
		}
	}
	return err
}

// reasonOf returns why a step was reopened, as the newest check says that asked for it since a person last did.
func (s *turns) reasonOf(ctx context.Context, r Reader, rec session.Record, step idv.Step) (string, error) {
	checks, err := r.Checks(ctx, rec.ID)
	if err != nil {
		return "", err
	}
	for _, c := range slices.Backward(checks) {
		if c.Finding == nil || !c.SettledAt.After(rec.ReopenedAt) {
			continue
		}
		for _, reason := range c.Finding.Reasons {
			k, ok := problem.Lookup(reason.Code)
			if ok && reason.Step == step && k.Severity == problem.Retry && k.Reader == problem.Applicant {
				return k.Code, nil
			}
		}
	}
	return problem.CaptureAskedAgain.Code, nil
}

// stepLimit is how many tries a step has. A selfie that is asked for again because it did not match the
// document has one of its own, so that nobody is judged by a single unlucky picture.
func stepLimit(rec session.Record, w idv.WorkflowVersion, step idv.Step) int {
	if p := rec.LastProblem; step == idv.StepSelfie && p != nil && p.Step == step && p.Code == problem.FaceMismatch.Code {
		return max(w.StepAttempts, rec.Attempts[step]+1)
	}
	return w.StepAttempts
}

// checkTurn refuses what an applicant does to a session in which it is not their turn.
func checkTurn(rec session.Record) error {
	switch {
	case rec.State.Final():
		return problem.New(problem.SessionFinished)
	case rec.State != idv.Capturing:
		return problem.New(problem.CaptureOutOfOrder)
	default:
		return nil
	}
}

// countAttempt counts a try, without changing the map that an audit entry is still to be made of.
func countAttempt(attempts map[idv.Step]int, step idv.Step, counts bool) map[idv.Step]int {
	out := map[idv.Step]int{}
	for k, n := range attempts {
		out[k] = n
	}
	if counts {
		out[step]++
	}
	return out
}

// Opened is what the browser that opened a link gets. Token is the applicant's credential from then on.
type Opened struct {
	Session idv.SessionID
	Token   string
	Key     string // continues the session in another tab of the same browser
	Task    idv.Task
}
