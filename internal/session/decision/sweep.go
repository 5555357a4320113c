package decision

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

const (
	// staleAfter spares sessions that moved a moment ago a look into the queue.
	staleAfter = 20 * time.Second
	// maxSweeps is how often the work of a session is asked for again before what is missing counts as broken.
	maxSweeps = 3
)

// Sweep is the job that finds sessions that wait for the server while nothing is under way for them, and asks
// for their work again. One that stays stuck is decided with what is missing broken, which refers it.
func (s *Service) Sweep(ctx context.Context) error {
	ids, err := s.store.Stale(ctx, s.life.Now().Add(-staleAfter), session.BatchSize)
	if err != nil {
		return err
	}
	return s.sweepAll(ctx, ids, staleAfter)
}

// SweepEach sweeps sessions whose jobs ended without a result, however lately they moved.
func (s *Service) SweepEach(ctx context.Context, ids []idv.SessionID) error {
	return s.sweepAll(ctx, ids, 0)
}

func (s *Service) sweepAll(ctx context.Context, ids []idv.SessionID, after time.Duration) error {
	var errs error
	for _, id := range ids {
		if err := s.sweep(ctx, id, after); err != nil {
			errs = errors.Join(errs, fmt.Errorf("sweep %s: %w", id, err))
		}
	}
	return errs
}

// sweep asks for the work of a session again that has not moved for the time after.
func (s *Service) sweep(ctx context.Context, id idv.SessionID, after time.Duration) error {
	var giveUp bool
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || rec.State != idv.Processing || rec.TouchedAt.After(s.life.Now().Add(-after)) {
			return err
		}
		busy, err := tx.Pending(ctx, id)
		if err != nil || busy {
			return err // a crowded queue is no reason to ask twice, nor to give up
		}
		rec.Sweeps++
		rec.TouchedAt = s.life.Now()
		giveUp = rec.Sweeps > maxSweeps
		s.log.WarnContext(ctx, "session swept", "session", id, "sweeps", rec.Sweeps)
		if err := tx.SaveSession(ctx, rec); err != nil || giveUp {
			return err
		}
		return s.enqueueMissing(ctx, tx, id)
	})
	if err != nil || !giveUp {
		return err
	}
	return s.giveUp(ctx, id)
}

func (s *Service) enqueueMissing(ctx context.Context, tx session.Tx, id idv.SessionID) error {
	captures, err := tx.Captures(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range session.Active(captures) {
		if c.Extracted {
			continue
		}
		if err := tx.Enqueue(ctx, job.Extract{Session: id, Capture: c.ID}); err != nil {
			return err
		}
	}
	return tx.Enqueue(ctx, job.Check{Session: id})
}

// giveUp settles what was never looked at as absent and what was never answered as broken.
func (s *Service) giveUp(ctx context.Context, id idv.SessionID) error {
	captures, err := s.store.Captures(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range session.Active(captures) {
		if c.Extracted {
			continue
		}
		if err := s.saveExtraction(ctx, id, c, s.absent(c, problem.CheckNotRun.Code)); err != nil {
			return err
		}
	}
	return s.evaluate(ctx, id, func(context.Context, session.Record, idv.CheckKind, idv.Evidence) (idv.Finding, error) {
		return idv.Finding{}, errGivenUp
	})
}
