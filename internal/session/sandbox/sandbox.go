package sandbox

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// ConsentByPersona is the text version of a persona's consent: no person read any text.
const ConsentByPersona = "persona"

// Simulate lets a session's persona take its steps, as an applicant would: open the link, consent, choose, send pictures.
// What follows is the server's work as ever; where the session is reopened, the persona tries again. Problems: not_found,
// session.conflict where the session has no persona or it is not the applicant's turn, session.expired.
func (s *Service) Simulate(ctx context.Context, mode idv.Mode, id idv.SessionID) (session.View, error) {
	_, err := s.life.Change(ctx, mode, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if _, ok := session.PersonaOf(*rec); !ok {
			return problem.New(problem.SessionConflict).In(string(rec.State)).
				Saying("Only a test session that was made with a persona can be simulated.")
		}
		return s.start(ctx, tx, rec, w)
	})
	if err != nil {
		return session.View{}, err
	}
	if err := s.act(ctx, id); err != nil {
		return session.View{}, err
	}
	return s.life.View(ctx, mode, id)
}

// SimulateHere is Simulate for the browser that opened the session.
func (s *Service) SimulateHere(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	err := s.applicant.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if _, ok := session.PersonaOf(*rec); !ok {
			return session.Conflict(*rec)
		}
		return s.start(ctx, tx, rec, w)
	})
	if err != nil {
		return idv.Task{}, err
	}
	if err := s.act(ctx, id); err != nil {
		return idv.Task{}, err
	}
	return s.applicant.Task(ctx, id)
}

// start notes that the persona takes the steps from here on, and opens a session that nobody opened.
func (s *Service) start(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
	if rec.State != idv.Created && rec.State != idv.Capturing {
		return session.Conflict(*rec)
	}
	before := rec.Session
	rec.PersonaActs = true
	if rec.State == idv.Capturing {
		return s.life.Save(ctx, tx, rec, before, session.EventPersonaActs, nil)
	}
	token, err := s.life.NewSecret() // nobody gets it: who opens the link later makes a token of their own
	if err != nil {
		return err
	}
	return s.applicant.Bind(ctx, tx, rec, w, applicant.Secrets{Token: token})
}

// Resume goes on for a persona whose session was reopened since it was read, or whose credential was judged.
func (s *Service) Resume(ctx context.Context, read session.Record) error {
	if !read.PersonaActs {
		return nil
	}
	rec, err := s.store.Session(ctx, read.ID)
	if err != nil || rec.State != idv.Capturing || len(rec.Redo) == 0 && rec.Wallet == idv.NoWallet {
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
	ctx = audit.WithActor(ctx, applicant.Actor(ctx, id))
	for range mostActs {
		rec, err := s.store.Session(ctx, id)
		if err != nil {
			return err
		}
		p, ok := session.PersonaOf(rec)
		if !ok || rec.State != idv.Capturing {
			return nil
		}
		t, err := s.applicant.Task(ctx, id)
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
func (s *Service) takeStep(ctx context.Context, p persona.Persona, rec session.Record, t idv.Task) (done bool, err error) {
	switch {
	case t.Step == idv.StepConsent:
		given := p.Act != persona.Declines && (p.Act != persona.Refrains || rec.FaceDeclined)
		_, err = s.applicant.Consent(ctx, rec.ID, session.Consent{Given: given, TextVersion: ConsentByPersona, Locale: "en"})
		return false, err // who declines is asked again where the workflow leads on without a face, and declines that, too
	case p.Act == persona.Withdraws:
		return true, s.applicant.Withdraw(ctx, rec.ID)
	case p.Act == persona.Dawdles:
		return true, s.expire(ctx, rec.ID)
	case p.Presents != "" && t.Wallet != "" && t.Wallet != idv.WalletOff && t.WalletHas == idv.NoWallet:
		asked, err := s.store.WalletRequests(ctx, rec.ID)
		if err == nil && len(asked) == 0 {
			err = s.present(ctx, rec.ID, testwallet.Choice(p.Presents))
			if problem.Has(err, problem.WalletDeclined) {
				return false, nil // it takes photographs
			}
			return true, err // it goes on when the credential was judged
		}
		if err != nil || p.Presents != string(testwallet.Decline) {
			return true, err
		}
		return s.takeStepWithout(ctx, p, rec, t)
	}
	return s.takeStepWithout(ctx, p, rec, t)
}

// takeStepWithout takes a step other than consent, without a wallet.
func (s *Service) takeStepWithout(ctx context.Context, p persona.Persona, rec session.Record, t idv.Task) (done bool, err error) {
	switch {
	case p.Chip != "" && t.Chip != "" && t.Chip != idv.ChipOff && !t.ChipSent && t.Step != idv.StepChoose:
		_, err = s.SendChip(ctx, rec.ID, testchip.Choice(p.Chip))
		return err != nil, err
	case t.Step == idv.StepChoose:
		_, err = s.applicant.Choose(ctx, rec.ID, applicant.Choice{Kind: p.Chooses(t.Accepts)})
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
		sub := applicant.FrameSubmission{Step: t.Step, Attempt: attempt, TimesMS: times, Frames: frames, Camera: idv.Camera{Label: "test persona"}}
		if t.Challenge != nil {
			sub.Challenge = t.Challenge.Token
		}
		_, err = s.applicant.Captures.SubmitFrames(ctx, id, sub)
		return err
	}
	raw, err := p.Picture(t.Step, try)
	if err != nil {
		return err
	}
	_, err = s.applicant.Captures.Submit(ctx, id, applicant.Submission{
		Step: t.Step, Attempt: attempt, MediaType: "image/jpeg", Source: idv.SourceCamera, Bytes: raw,
	})
	return err
}

// expire ends a session's time now.
func (s *Service) expire(ctx context.Context, id idv.SessionID) error {
	_, err := s.life.Change(ctx, idv.Test, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if rec.State != idv.Capturing {
			return session.Conflict(*rec)
		}
		rec.ExpiresAt = s.life.Now()
		return s.life.Move(ctx, tx, rec, idv.TimedOut, nil)
	})
	return err
}
