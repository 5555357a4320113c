package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

// errLeft: the applicant went away.
var errLeft = errors.New("the applicant goes away")

// maxTurns bounds what an applicant does in one session.
const maxTurns = 40

// capture plays the applicant until nothing is left to do for them, and works the jobs.
func (p *players) capture(ctx context.Context, id idv.SessionID, s *scene) error {
	for turn := range maxTurns {
		t, err := p.sessions.Applicant.Task(ctx, id)
		if err != nil {
			return err
		}
		if t.State != idv.TaskStep {
			return nil
		}
		if s.ending == leaves && t.Step == s.step {
			return errLeft
		}
		if err := p.passed(s.wait(25 * time.Second)); err != nil {
			return err
		}
		if err := p.step(ctx, id, s, t, turn); err != nil {
			return err
		}
		if err := p.work(ctx, id); err != nil {
			return err
		}
	}
	return fmt.Errorf("session %s does not come to an end", id)
}

func (p *players) step(ctx context.Context, id idv.SessionID, s *scene, t idv.Task, turn int) error {
	var err error
	attempt := fmt.Sprintf("try-%d", turn)
	switch {
	case t.Step == idv.StepConsent:
		_, err = p.sessions.Applicant.Consent(ctx, id, session.Consent{
			Given: s.ending != refuses, TextVersion: "demo", Locale: s.locale, Address: audit.ActorFrom(ctx).Address,
		})
	case t.Step == idv.StepChoose:
		_, err = p.sessions.Applicant.Choose(ctx, id, applicant.Choice{Kind: s.kind})
	case t.Takes == idv.Frames && s.byPerson:
		_, err = p.sessions.Applicant.ChooseLiveness(ctx, id, idv.PersonPath)
	case t.Takes == idv.Frames:
		err = p.film(ctx, id, t, attempt)
	default:
		_, err = p.sessions.Captures.Submit(ctx, id, applicant.Submission{
			Step: t.Step, Attempt: attempt, MediaType: "image/jpeg", Source: s.source(),
			Bytes: picture("DEMO DATA", "no picture", string(t.Step), fmt.Sprintf("%s, try %d", s.reference, turn)),
		})
	}
	if e, ok := problem.As(err); ok && e.Kind.Severity == problem.Retry {
		return nil // they are told what to mend, and try again
	}
	return err
}

// film answers a challenge.
func (p *players) film(ctx context.Context, id idv.SessionID, t idv.Task, attempt string) error {
	const frames = 12
	if err := p.passed(time.Duration(t.Challenge.DurationMS+1500) * time.Millisecond); err != nil {
		return err
	}
	sub := applicant.FrameSubmission{
		Step: t.Step, Attempt: attempt, Challenge: t.Challenge.Token,
		Camera: idv.Camera{Label: "demo data", Facing: "user", Width: 240, Height: 180, FrameRate: 30},
	}
	for i := range frames {
		sub.TimesMS = append(sub.TimesMS, i*t.Challenge.DurationMS/frames)
		sub.Frames = append(sub.Frames, framePicture())
	}
	_, err := p.sessions.Captures.SubmitFrames(ctx, id, sub)
	return err
}

// work does the jobs of a session: everything that was sent is looked at, then every question is asked.
func (p *players) work(ctx context.Context, id idv.SessionID) error {
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.System})
	rows, err := p.store.Captures(ctx, id)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Extracted || row.Superseded {
			continue
		}
		_ = p.clock.pass(700 * time.Millisecond)
		if err := p.sessions.Decisions.Extract(ctx, id, row.ID); err != nil {
			return err
		}
	}
	_ = p.clock.pass(400 * time.Millisecond)
	return p.sessions.Decisions.Evaluate(ctx, id)
}

// review plays what follows a verdict: the people who decide, and an applicant who is asked again.
func (p *players) review(ctx, applicant context.Context, id idv.SessionID, s *scene) error {
	for range 3 {
		v, err := p.sessions.Sessions.Get(ctx, idv.Test, id)
		if err != nil {
			return err
		}
		if v.Session.State != idv.InReview {
			if err := p.finish(id, s); err != nil {
				return err
			}
			return p.hold(ctx, id, s)
		}
		if err := p.rule(ctx, id, s); err != nil {
			return err
		}
		if err := p.capture(applicant, id, s); err != nil {
			return err
		}
	}
	return nil
}

// rule plays the person who has the case. errNow: nobody has looked yet.
func (p *players) rule(ctx context.Context, id idv.SessionID, s *scene) error {
	who := p.options.Staff[s.number%len(p.options.Staff)]
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(who.ID), Address: "198.51.100.20"})
	c, err := p.sessions.Queue.CaseOf(ctx, id)
	if err != nil || s.ruling == waits {
		return errors.Join(err, errNow)
	}
	if err := p.passed(s.thinks); err != nil {
		return err
	}
	if _, err := p.sessions.Queue.Claim(ctx, c.ID, who); err != nil {
		return err
	}
	if s.ruling == notes {
		p.clock.Set(p.clock.now.Add(-3 * time.Minute))
		_, err := p.sessions.Rulings.Note(ctx, c.ID, who, "Demo data: asked a colleague about the edge of the portrait.")
		return errors.Join(err, errNow)
	}
	if err := p.passed(s.wait(3 * time.Minute)); err != nil {
		return err
	}
	v, err := p.sessions.Queue.Case(ctx, c.ID)
	if err != nil {
		return err
	}
	basis := review.Basis{Version: v.Case.Version, Report: v.Case.Report}
	ruling := s.ruling
	s.ruling = approves // the second time they are asked
	switch ruling {
	case asksAgain:
		_, err = p.sessions.Rulings.RedoStep(ctx, c.ID, who, review.Redo{Basis: basis, Step: idv.StepDocumentFront, Reason: problem.CaptureGlare.Code})
	case declines:
		_, err = p.sessions.Rulings.DecideCase(ctx, c.ID, who, review.Ruling{
			Basis: basis, Outcome: idv.DecideDecline, Reasons: []string{s.reason()}, Note: "Demo data.",
		})
	default:
		_, err = p.sessions.Rulings.DecideCase(ctx, c.ID, who, review.Ruling{Basis: basis, Outcome: idv.DecideApprove})
	}
	return err
}

// reason is what a person declines a session for.
func (s *scene) reason() string {
	switch s.code {
	case problem.FaceUncertain.Code:
		return problem.FaceMismatch.Code
	case problem.CheckNotRun.Code, "":
		return problem.DocumentUnreadable.Code
	default:
		return s.code
	}
}
