package decision

import (
	"context"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// errGivenUp is why a check is broken that the sweeper gave up on.
var errGivenUp = errors.New("given up after too many sweeps")

// Evaluate is the job that asks every check that is ready and was not asked about this evidence, and decides when
// nothing is left to ask. A check that could not be asked is tried again with the job; after the last try, or
// at once where it can never run, it is broken. Running it twice counts once.
func (s *Service) Evaluate(ctx context.Context, id idv.SessionID) error {
	return s.evaluate(ctx, id, func(ctx context.Context, rec session.Record, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error) {
		return s.life.EngineFor(rec).Ask(ctx, k, ev)
	})
}

type asker func(ctx context.Context, rec session.Record, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error)

func (s *Service) evaluate(ctx context.Context, id idv.SessionID, ask asker) error {
	rec, err := s.store.Session(ctx, id)
	if err != nil || !awaitsChecks(rec) {
		return err
	}
	if _, ok := session.PersonaOf(rec); ok && rec.State == idv.Capturing { // judged when all was sent, so that it ends the same way every time
		return s.personas.Resume(ctx, rec)
	}
	w, err := session.WorkflowOf(ctx, s.store, rec)
	if err != nil {
		return err
	}
	checks, again, err := s.askReady(ctx, rec, w, ask)
	if err != nil {
		return err
	}
	wctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	if err := s.saveAndDecide(wctx, id, checks); err != nil {
		return err
	}
	return errors.Join(again, s.personas.Resume(ctx, rec))
}

// awaitsChecks reports whether checks of a session in this state still matter.
func awaitsChecks(rec session.Record) bool {
	return rec.State == idv.Capturing || rec.State == idv.Processing
}

// askReady asks what is ready, outside of any transaction. again is why some could not be asked and shall be
// tried again.
func (s *Service) askReady(ctx context.Context, rec session.Record, w idv.WorkflowVersion, ask asker) (checks []idv.Check, again, err error) {
	read := s.store.Together()
	ev, err := session.LoadEvidence(ctx, read, rec.ID)
	if err != nil {
		return nil, nil, err
	}
	have, err := read.Checks(ctx, rec.ID)
	if err != nil {
		return nil, nil, err
	}
	var beyond *idv.Seen
	for _, k := range s.engine.Expected(w) {
		digest := ev.Digest(k, s.engine.Needs(k), rec)
		if isAnswered(have, k, digest) || !s.ready(k, w, rec, ev) {
			continue
		}
		var c idv.Check
		var cause error
		if k.AboutSeen() && beyond == nil {
			beyond, cause = s.lookBack(ctx, rec, w, ev, have)
		}
		if cause == nil {
			c, cause = s.ask(ctx, k, rec, w, ev, beyond, ask)
		} else {
			c = s.settled(k, rec, w, idv.Finding{}, cause, s.life.Now())
		}
		if cause != nil && !job.AttemptFrom(ctx).Last() && !errors.Is(cause, flow.ErrNeverRuns) && !errors.Is(cause, errGivenUp) {
			again = errors.Join(again, cause)
			continue
		}
		if cause != nil && !errors.Is(cause, flow.ErrNotSent) && rec.Persona == "" { // what a persona breaks is in order
			s.log.ErrorContext(ctx, "check broken", "session", rec.ID, "check", k, "error", cause)
		}
		c.Inputs = digest
		checks = append(checks, c)
	}
	return checks, again, nil
}

func isAnswered(have []idv.Check, k idv.CheckKind, digest idv.Digest) bool {
	for _, c := range have {
		if c.Kind == k && c.Inputs == digest && c.Lifecycle != idv.CheckSuperseded {
			return true
		}
	}
	return false
}

// ready: a check whose evidence will never come is asked nevertheless once everything was sent and looked at,
// so that it breaks instead of waiting.
func (s *Service) ready(k idv.CheckKind, w idv.WorkflowVersion, rec session.Record, ev session.Evidence) bool {
	if rec.FaceDeclined && k.AboutFace() {
		return true // nothing will come
	}
	if rec.State == idv.Processing && ev.Extracted() {
		return true
	}
	if k.AboutSeen() {
		return false // what is there beyond the session is asked once, when everything was sent
	}
	if k.AboutChip() && !ev.Has(idv.ChipFiles) || k.AboutWallet() && !ev.Has(idv.WalletData) {
		return false // one may still come
	}
	return s.engine.Ready(k, w, rec.DocumentKind, ev.Artifacts)
}

func (s *Service) ask(
	ctx context.Context, k idv.CheckKind, rec session.Record, w idv.WorkflowVersion, ev session.Evidence, beyond *idv.Seen, ask asker,
) (idv.Check, error) {
	start := s.life.Now()
	if rec.FaceDeclined && k.AboutFace() {
		return idv.Check{
			Kind: k, Session: rec.ID, Required: w.Requires(k),
			Lifecycle: idv.CheckBroken, BrokenBy: problem.BiometricsDeclined.Code, SettledAt: start,
		}, nil
	}
	evidence := ev.ForChecks(rec, w, start)
	if k.AboutSeen() {
		evidence.Seen = beyond
	}
	f, err := ask(ctx, rec, k, evidence)
	return s.settled(k, rec, w, f, err, start), err
}

// settled is the check of a finding, or of the error that kept it from being made.
func (s *Service) settled(k idv.CheckKind, rec session.Record, w idv.WorkflowVersion, f idv.Finding, err error, start time.Time) idv.Check {
	c := flow.Settle(k, f, err)
	c.Session, c.Required, c.SettledAt = rec.ID, w.Requires(k), s.life.Now()
	c.Duration = c.SettledAt.Sub(start)
	return c
}

// saveAndDecide writes the answers and decides, under the lock of the session: of two last checks that settle at
// once, the second sees the first.
func (s *Service) saveAndDecide(ctx context.Context, id idv.SessionID, checks []idv.Check) error {
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || !awaitsChecks(rec) {
			return err
		}
		w, err := session.WorkflowOf(ctx, tx, rec)
		if err != nil {
			return err
		}
		ev, err := session.LoadEvidence(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, c := range checks {
			if c.Inputs != ev.Digest(c.Kind, s.engine.Needs(c.Kind), rec) {
				continue // a retake came in between: this answer is about a picture that no longer counts
			}
			if err := s.saveCheck(ctx, tx, c); err != nil {
				return err
			}
		}
		current, err := s.life.CurrentChecks(ctx, tx, rec, ev)
		if err != nil {
			return err
		}
		if told, err := s.tell(ctx, tx, &rec, w, ev); told || err != nil {
			return err
		}
		return s.decide(ctx, tx, &rec, w, ev, current)
	})
}

func (s *Service) saveCheck(ctx context.Context, tx session.Tx, c idv.Check) error {
	var err error
	if c.ID, err = idv.NewID[idv.CheckID](s.life.Now(), s.life.Random()); err != nil {
		return err
	}
	fresh, err := tx.AddCheck(ctx, c)
	if err != nil || !fresh || c.Lifecycle != idv.CheckBroken || c.BrokenBy == problem.BiometricsDeclined.Code {
		return err // what the applicant did not want is not broken: it is shown as not run
	}
	return s.life.Notify(ctx, tx, c.Session, session.EventCheckBroken, map[string]any{"check": c.Kind, "by": c.BrokenBy})
}
