package webhook

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

const (
	// batch is how many deliveries of one endpoint are sent at the same time.
	batch = 16
	// workTime is how long one job sends to an endpoint before it ends and leaves room for others.
	workTime  = 30 * time.Second
	sweepPage = 100
)

// LeaseTime is how long a job holds an endpoint's queue. It exceeds job.Timeout, so that a queue is taken over only from a
// worker that has died.
const LeaseTime = 2 * time.Minute

// Deliver is the job that sends the deliveries that are due at an endpoint. It ends after the first batch in which none
// arrives, so that an endpoint that does not answer waits until the others have had their turn.
func (s *Service) Deliver(ctx context.Context, id idv.EndpointID) (err error) {
	start := s.now()
	until := start.Add(LeaseTime)
	taken, err := s.store.Lease(ctx, id, until)
	if err != nil || !taken {
		return err
	}
	var r round
	defer func() {
		// Also when the worker is stopping: otherwise the queue would be blocked until the lease ends.
		err = errors.Join(err, s.store.Release(context.WithoutCancel(ctx), id, until, r.pausedUntil, r.worked))
	}()
	begun := time.Now()
	for more := true; more && time.Since(begun) < workTime; {
		if more, err = s.deliverNext(ctx, id, &r); err != nil {
			return err
		}
	}
	return nil
}

// heldTime is how long the queue of a paused endpoint rests before a job looks again. Resuming ends the rest.
const heldTime = time.Hour

// deliverNext sends the next batch to an endpoint, as it is now. It returns true if there may be more to send.
func (s *Service) deliverNext(ctx context.Context, id idv.EndpointID, r *round) (more bool, err error) {
	e, err := s.store.WebhookEndpoint(ctx, id)
	switch {
	case problem.Has(err, problem.NotFound):
		return false, nil // it was removed in the meantime
	case err != nil:
		return false, err
	case !e.StoppedAt.IsZero(): // events written while it was being stopped may have become deliveries
		return false, s.store.GiveUp(ctx, id)
	case !e.HeldAt.IsZero():
		r.pausedUntil = s.now().Add(heldTime)
		return false, nil
	}
	return s.deliverBatch(ctx, e, r)
}

// round is what one job has learnt about an endpoint.
type round struct {
	worked      bool      // something was due
	pausedUntil time.Time // the latest Retry-After; zero for none
	gone        bool      // it answered 410 Gone
}

// observe adds the outcome of an attempt.
func (r *round) observe(t Attempt, now time.Time) {
	r.gone = r.gone || t.gone()
	if rest := now.Add(t.RetryAfter); t.RetryAfter > 0 && rest.After(r.pausedUntil) {
		r.pausedUntil = rest
	}
}

// deliverBatch sends up to batch deliveries. It returns true if the endpoint accepted one and asked for no pause.
func (s *Service) deliverBatch(ctx context.Context, e Endpoint, r *round) (more bool, err error) {
	due, err := s.store.Due(ctx, e.ID, batch)
	if err != nil || len(due) == 0 {
		return false, err
	}
	r.worked = true
	results := make([]Result, len(due))
	failed := make([]error, len(due))
	var sending sync.WaitGroup
	for i, d := range due {
		sending.Go(func() { results[i], failed[i] = s.attempt(ctx, e, d) })
	}
	sending.Wait()
	if err := errors.Join(failed...); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, fmt.Errorf("deliver: %w", ctx.Err()) // the worker is stopping; attempts that it cut off do not count
	}
	for _, one := range results {
		r.observe(one.Attempt, s.now())
		more = more || one.State == Delivered
	}
	if err := s.store.SaveResults(ctx, e.ID, results, r.gone); err != nil {
		return false, err
	}
	s.logResults(ctx, e, results, r.gone)
	return more && r.pausedUntil.IsZero() && !r.gone, nil
}

// logResults logs what an operator has to look at.
func (s *Service) logResults(ctx context.Context, e Endpoint, results []Result, gone bool) {
	if gone {
		s.log.WarnContext(ctx, "a webhook endpoint was stopped, because it answered 410 Gone: the console can start it again", "endpoint", e.ID)
		return
	}
	for _, r := range results {
		if r.State == GivenUp {
			s.log.WarnContext(ctx, "a webhook was given up: the console shows why, and can send it again",
				"endpoint", e.ID, "delivery", r.Delivery, "tries", r.Before+1, "last", r.Attempt.String())
		}
	}
}

// attempt sends a delivery once and returns its new state.
func (s *Service) attempt(ctx context.Context, e Endpoint, d Due) (Result, error) {
	d.Event.Mode = e.Mode
	t, err := s.send(ctx, e, d)
	if err != nil {
		return Result{}, err
	}
	r := Result{Delivery: d.ID, Before: d.Attempts, Attempt: t, State: Delivered}
	if t.Fault == "" {
		return r, nil
	}
	r.State = GivenUp
	if d.Attempts < len(pauses) && !t.gone() {
		pause, err := s.pause(d.Attempts)
		if err != nil {
			return Result{}, err
		}
		r.State, r.NextAt = Pending, s.now().Add(max(pause, t.RetryAfter))
	}
	return r, nil
}

// pause returns the time to wait after the n-th attempt, counted from 0, with jitter.
func (s *Service) pause(n int) (time.Duration, error) {
	var raw [4]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return 0, fmt.Errorf("draw a pause: %w", err)
	}
	share := float64(binary.BigEndian.Uint32(raw[:]))/float64(1<<32)*2 - 1 // -1 to 1
	return time.Duration(float64(pauses[n]) * (1 + jitter*share)), nil
}

// Redeliver is the job that enqueues delivery at endpoints where something is due and nothing sends it.
func (s *Service) Redeliver(ctx context.Context) error {
	ids, err := s.store.ListStalled(ctx, sweepPage)
	if err != nil {
		return err
	}
	var errs error
	for _, id := range ids {
		errs = errors.Join(errs, s.store.EnqueueDelivery(ctx, id))
	}
	return errs
}
