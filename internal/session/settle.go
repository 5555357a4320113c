package session

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// errGivenUp is why a check is broken that the sweeper gave up on.
var errGivenUp = errors.New("given up after too many sweeps")

// Settle is the job that asks every check that is ready and was not asked about this evidence, and decides when
// nothing is left to ask. A check that could not be asked is tried again with the job; after the last try, or
// at once where it can never run, it is broken. Running it twice counts once.
func (s *Service) Settle(ctx context.Context, id idv.SessionID) error {
	return s.settle(ctx, id, func(ctx context.Context, rec Record, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error) {
		return s.engineFor(rec).Ask(ctx, k, ev)
	})
}

type asker func(ctx context.Context, rec Record, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error)

func (s *Service) settle(ctx context.Context, id idv.SessionID, ask asker) error {
	rec, err := s.store.Session(ctx, id)
	if err != nil || !unsettled(rec) {
		return err
	}
	if _, ok := playedBy(rec); ok && rec.State == idv.Capturing { // judged when all was sent, so that it ends the same way every time
		return s.actAgain(ctx, rec)
	}
	w, err := asked(ctx, s.store, rec)
	if err != nil {
		return err
	}
	checks, again, err := s.askAll(ctx, rec, w, ask)
	if err != nil {
		return err
	}
	wctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := s.conclude(wctx, id, checks); err != nil {
		return err
	}
	return errors.Join(again, s.actAgain(ctx, rec))
}

// unsettled reports whether checks of a session in this state still matter.
func unsettled(rec Record) bool { return rec.State == idv.Capturing || rec.State == idv.Processing }

// askAll asks what is ready, outside of any transaction. again is why some could not be asked and shall be
// tried again.
func (s *Service) askAll(ctx context.Context, rec Record, w idv.WorkflowVersion, ask asker) (checks []idv.Check, again, err error) {
	read := s.store.Together()
	ev, err := evidenceOf(ctx, read, rec.ID)
	if err != nil {
		return nil, nil, err
	}
	have, err := read.Checks(ctx, rec.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range s.engine.Expected(w) {
		digest := ev.digest(k, s.engine.Needs(k), rec)
		if answered(have, k, digest) || !s.ready(k, w, rec, ev) {
			continue
		}
		c, cause := s.ask(ctx, k, rec, w, ev, ask)
		if cause != nil && !job.AttemptFrom(ctx).Last() && !errors.Is(cause, flow.ErrNeverRuns) && !errors.Is(cause, errGivenUp) {
			again = errors.Join(again, cause)
			continue
		}
		if cause != nil {
			s.log.ErrorContext(ctx, "check broken", "session", rec.ID, "check", k, "error", cause)
		}
		c.Inputs = digest
		checks = append(checks, c)
	}
	return checks, again, nil
}

func answered(have []idv.Check, k idv.CheckKind, digest idv.Digest) bool {
	for _, c := range have {
		if c.Kind == k && c.Inputs == digest && c.Lifecycle != idv.CheckSuperseded {
			return true
		}
	}
	return false
}

// ready: a check whose evidence will never come is asked nevertheless once everything was sent and looked at,
// so that it breaks instead of waiting.
func (s *Service) ready(k idv.CheckKind, w idv.WorkflowVersion, rec Record, ev evidence) bool {
	if rec.FaceDeclined && k.AboutFace() {
		return true // nothing will come
	}
	if rec.State == idv.Processing && ev.extracted() {
		return true
	}
	return s.engine.Ready(k, w, rec.DocumentKind, ev.artifacts)
}

func (s *Service) ask(ctx context.Context, k idv.CheckKind, rec Record, w idv.WorkflowVersion, ev evidence, ask asker) (idv.Check, error) {
	start := s.now()
	if rec.FaceDeclined && k.AboutFace() {
		return idv.Check{Kind: k, Session: rec.ID, Required: w.Requires(k), Lifecycle: idv.CheckBroken, BrokenBy: problem.BiometricsDeclined.Code, SettledAt: start}, nil
	}
	f, err := ask(ctx, rec, k, ev.shown(rec, w, start))
	c := flow.Settle(k, f, err)
	c.Session, c.Required, c.SettledAt = rec.ID, w.Requires(k), s.now()
	c.Duration = c.SettledAt.Sub(start)
	return c, err
}

// conclude writes the answers and decides, under the lock of the session: of two last checks that settle at
// once, the second sees the first.
func (s *Service) conclude(ctx context.Context, id idv.SessionID, checks []idv.Check) error {
	return s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || !unsettled(rec) {
			return err
		}
		w, err := asked(ctx, tx, rec)
		if err != nil {
			return err
		}
		ev, err := evidenceOf(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, c := range checks {
			if c.Inputs != ev.digest(c.Kind, s.engine.Needs(c.Kind), rec) {
				continue // a retake came in between: this answer is about a picture that no longer counts
			}
			if err := s.keepCheck(ctx, tx, c); err != nil {
				return err
			}
		}
		current, err := s.current(ctx, tx, rec, ev)
		if err != nil {
			return err
		}
		return s.decide(ctx, tx, &rec, w, ev, current)
	})
}

func (s *Service) keepCheck(ctx context.Context, tx Tx, c idv.Check) error {
	var err error
	if c.ID, err = idv.NewID[idv.CheckID](s.now(), s.random); err != nil {
		return err
	}
	fresh, err := tx.AddCheck(ctx, c)
	if err != nil || !fresh || c.Lifecycle != idv.CheckBroken || c.BrokenBy == problem.BiometricsDeclined.Code {
		return err // what the applicant did not want is not broken: it is shown as not run
	}
	return s.tell(ctx, tx, c.Session, EventCheckBroken, map[string]any{"check": c.Kind, "by": c.BrokenBy})
}

// current answers the checks that are about the present evidence, and supersedes the others.
func (s *Service) current(ctx context.Context, tx Tx, rec Record, ev evidence) ([]idv.Check, error) {
	checks, err := tx.Checks(ctx, rec.ID)
	if err != nil {
		return nil, err
	}
	var out []idv.Check
	for _, c := range checks {
		switch {
		case c.Lifecycle == idv.CheckSuperseded:
		case c.Inputs == ev.digest(c.Kind, s.engine.Needs(c.Kind), rec):
			out = append(out, c)
		default:
			if err := tx.SupersedeCheck(ctx, c.ID); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
