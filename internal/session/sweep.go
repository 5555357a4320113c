package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

const (
	// staleAfter spares sessions that moved a moment ago a look into the queue.
	staleAfter = 20 * time.Second
	// maxSweeps is how often the work of a session is asked for again before what is missing counts as broken.
	maxSweeps = 3
	sweepPage = 100
)

// Sweep is the job that finds sessions that wait for the server while nothing is under way for them, and asks
// for their work again. One that stays stuck is decided with what is missing broken, which refers it.
func (s *Service) Sweep(ctx context.Context) error {
	ids, err := s.store.Stale(ctx, s.now().Add(-staleAfter), sweepPage)
	if err != nil {
		return err
	}
	errs := s.sweepErasings(ctx)
	for _, id := range ids {
		if err := s.sweep(ctx, id); err != nil {
			errs = errors.Join(errs, fmt.Errorf("sweep %s: %w", id, err))
		}
	}
	return errs
}

func (s *Service) sweep(ctx context.Context, id idv.SessionID) error {
	var giveUp bool
	err := s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || rec.State != idv.Processing || rec.TouchedAt.After(s.now().Add(-staleAfter)) {
			return err
		}
		busy, err := tx.Pending(ctx, id)
		if err != nil || busy {
			return err // a crowded queue is no reason to ask twice, nor to give up
		}
		rec.Sweeps++
		rec.TouchedAt = s.now()
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

func (s *Service) enqueueMissing(ctx context.Context, tx Tx, id idv.SessionID) error {
	captures, err := tx.Captures(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range active(captures) {
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
	for _, c := range active(captures) {
		if c.Extracted {
			continue
		}
		if err := s.keepExtraction(ctx, id, c, s.nothing(c, problem.CheckNotRun.Code)); err != nil {
			return err
		}
	}
	return s.settle(ctx, id, func(context.Context, Record, idv.CheckKind, idv.Evidence) (idv.Finding, error) {
		return idv.Finding{}, errGivenUp
	})
}

// Expire is the job that ends sessions, claims of cases and uploads that ran out of time.
func (s *Service) Expire(ctx context.Context) error {
	errs := errors.Join(s.lapse(ctx), s.dropUploads(ctx))
	for {
		ids, err := s.store.Overdue(ctx, s.now(), sweepPage)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := s.expire(ctx, id); err != nil {
				errs = errors.Join(errs, fmt.Errorf("expire %s: %w", id, err))
			}
		}
		if len(ids) < sweepPage || errs != nil {
			return errs
		}
	}
}

func (s *Service) expire(ctx context.Context, id idv.SessionID) error {
	_, err := s.change(ctx, "", id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if !overdue(*rec, s.now()) {
			return nil
		}
		return s.move(ctx, tx, rec, idv.TimedOut, nil)
	})
	return err
}
