package session

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ConsentByPersona is the text version of a persona's consent: no person read any text.
const ConsentByPersona = "persona"

// personaFor names the persona that a test session asks for; none in live mode, where such a number is a number. Problems:
// request.malformed where there is no such persona.
func personaFor(n Spec) (string, error) {
	if n.Mode != idv.Test {
		return "", nil
	}
	p, asked := persona.Of(n.Claimed)
	if asked && p.Name == "" {
		return "", malformed("/claimed/document_number", "there is no test persona of that name; the list is at /docs/guides/test-mode")
	}
	return p.Name, nil
}

// playedBy answers the persona that settles a session.
func playedBy(rec Record) (persona.Persona, bool) {
	if rec.Mode != idv.Test || rec.Persona == "" {
		return persona.Persona{}, false
	}
	return persona.Named(rec.Persona)
}

// claimedOf is what is compared with the document. A number that names a persona is no number.
func claimedOf(rec Record) map[idv.ClaimName]string {
	if _, ok := playedBy(rec); !ok {
		return rec.Claimed
	}
	out := maps.Clone(rec.Claimed)
	delete(out, idv.DocumentNumber)
	return out
}

// engineFor is who looks at a session's captures and answers its checks: the engine, or the session's persona.
func (s *Service) engineFor(rec Record) Engine {
	p, ok := playedBy(rec)
	if !ok {
		return s.engine
	}
	return played{Engine: s.engine, persona: p, rec: rec, now: s.now}
}

// played is the engine with a persona in front of it: which checks there are, and what they need, stays the engine's.
type played struct {
	Engine
	persona persona.Persona
	rec     Record
	now     func() time.Time
}

// Glance implements Engine.
func (e played) Glance(_ context.Context, c idv.Capture) error {
	if k, refused := e.persona.Refuses(c.Step, e.rec.LastProblem); refused {
		return problem.New(k)
	}
	return nil
}

// Extract implements Engine.
func (e played) Extract(_ context.Context, c idv.Capture) (idv.Extraction, error) {
	return e.persona.Found(c, e.Yields(c.Kind), e.rec.DocumentKind, e.rec.Claimed, e.now())
}

// Ask implements Engine.
func (e played) Ask(_ context.Context, k idv.CheckKind, _ idv.Evidence) (idv.Finding, error) {
	f, ran := e.persona.Finds(k, e.rec.Attempts)
	if !ran {
		return idv.Finding{}, fmt.Errorf("check %s: the persona %s says so: %w", k, e.persona.Name, flow.ErrNeverRuns)
	}
	return f, nil
}

// Simulate lets a session's persona take its steps, as an applicant would: open the link, consent, choose, send pictures.
// What follows is the server's work as ever; where the session is reopened, the persona tries again. Problems: not_found,
// session.conflict where the session has no persona or it is not the applicant's turn, session.expired.
func (s *Service) Simulate(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	_, err := s.change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if _, ok := playedBy(*rec); !ok {
			return problem.New(problem.SessionConflict).Saying("Only a test session that was made with a persona can be simulated.")
		}
		return s.letAct(ctx, tx, rec, w)
	})
	if err != nil {
		return View{}, err
	}
	if err := s.act(ctx, id); err != nil {
		return View{}, err
	}
	return s.Get(ctx, mode, id)
}

// SimulateHere is Simulate for the browser that opened the session.
func (s *Service) SimulateHere(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if _, ok := playedBy(*rec); !ok {
			return problem.New(problem.SessionConflict)
		}
		return s.letAct(ctx, tx, rec, w)
	})
	if err != nil {
		return idv.Task{}, err
	}
	if err := s.act(ctx, id); err != nil {
		return idv.Task{}, err
	}
	return s.Task(ctx, id)
}

// letAct notes that the persona takes the steps from here on, and opens a session that nobody opened.
func (s *Service) letAct(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
	if rec.State != idv.Created && rec.State != idv.Capturing {
		return problem.New(problem.SessionConflict)
	}
	before := rec.Session
	rec.PersonaActs = true
	if rec.State == idv.Capturing {
		return s.save(ctx, tx, rec, before, EventPersonaActs, nil)
	}
	token, err := s.secret() // nobody gets it: who opens the link later makes a token of their own
	if err != nil {
		return err
	}
	return s.bind(ctx, tx, rec, w, token)
}

// actAgain goes on for a persona whose session was reopened since it was read.
func (s *Service) actAgain(ctx context.Context, read Record) error {
	if !read.PersonaActs {
		return nil
	}
	rec, err := s.store.Session(ctx, read.ID)
	if err != nil || rec.State != idv.Capturing || len(rec.Redo) == 0 {
		return err
	}
	err = s.act(ctx, rec.ID)
	if _, told := problem.As(err); told {
		s.log.DebugContext(ctx, "somebody was faster than a persona", "session", rec.ID, "error", err)
		return nil
	}
	return err
}

// mostActs bounds what a persona does at a time: consent, choice, and some tries at three steps.
const mostActs = 16

// act takes the steps that are due, by the calls that an applicant's browser makes.
func (s *Service) act(ctx context.Context, id idv.SessionID) error {
	ctx = audit.WithActor(ctx, asApplicant(ctx, id))
	for range mostActs {
		rec, err := s.store.Session(ctx, id)
		if err != nil {
			return err
		}
		p, ok := playedBy(rec)
		if !ok || rec.State != idv.Capturing {
			return nil
		}
		t, err := s.Task(ctx, id)
		if err != nil || t.State != idv.TaskStep {
			return err
		}
		done, err := s.takeStep(ctx, p, rec, t)
		if refused, ok := problem.As(err); ok && refused.Kind.Severity == problem.Retry {
			continue
		}
		if done || err != nil {
			return err
		}
	}
	return nil
}

// takeStep takes one; done where the persona leaves it at that.
func (s *Service) takeStep(ctx context.Context, p persona.Persona, rec Record, t idv.Task) (done bool, err error) {
	switch {
	case t.Step == idv.StepConsent:
		given := p.Act != persona.Declines && (p.Act != persona.Refrains || rec.FaceDeclined)
		_, err = s.Consent(ctx, rec.ID, Consent{Given: given, TextVersion: ConsentByPersona, Locale: "en"})
		return false, err // who declines is asked again where the workflow leads on without a face, and declines that, too
	case p.Act == persona.Withdraws:
		return true, s.Withdraw(ctx, rec.ID)
	case p.Act == persona.Dawdles:
		return true, s.runOut(ctx, rec.ID)
	case t.Step == idv.StepChoose:
		_, err = s.Choose(ctx, rec.ID, Choice{Kind: p.Chooses(t.Accepts)})
		return false, err
	case t.Step == idv.StepSelfie && p.Act == persona.Leaves:
		return true, nil
	}
	total, err := s.store.CountAttempts(ctx, rec.ID)
	if err != nil {
		return false, err
	}
	return false, s.send(ctx, p, rec.ID, t, total+1)
}

// send draws what a step takes and sends it.
func (s *Service) send(ctx context.Context, p persona.Persona, id idv.SessionID, t idv.Task, try int) error {
	attempt := fmt.Sprintf("persona-%d", try)
	if t.Takes == idv.Frames {
		frames, times, err := p.Recording(try)
		if err != nil {
			return err
		}
		sub := FrameSubmission{Step: t.Step, Attempt: attempt, TimesMS: times, Frames: frames, Camera: idv.Camera{Label: "test persona"}}
		if t.Challenge != nil {
			sub.Challenge = t.Challenge.Token
		}
		_, err = s.SubmitFrames(ctx, id, sub)
		return err
	}
	raw, err := p.Picture(t.Step, try)
	if err != nil {
		return err
	}
	_, err = s.Submit(ctx, id, Submission{Step: t.Step, Attempt: attempt, MediaType: "image/jpeg", Bytes: raw})
	return err
}

// runOut ends a session's time now.
func (s *Service) runOut(ctx context.Context, id idv.SessionID) error {
	_, err := s.change(ctx, idv.Test, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if rec.State != idv.Capturing {
			return problem.New(problem.SessionConflict)
		}
		rec.ExpiresAt = s.now()
		return s.move(ctx, tx, rec, idv.TimedOut, nil)
	})
	return err
}
