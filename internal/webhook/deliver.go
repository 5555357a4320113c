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
	// batch is how many deliveries of one endpoint are under way at the same time.
	batch = 16
	// workTime is how long one job works on an endpoint before it makes room for the next.
	workTime  = 30 * time.Second
	sweepPage = 100
)

// LeaseTime is longer than any job lives, so that a queue is only taken over from a worker that is gone.
const LeaseTime = 2 * time.Minute

// Deliver is the job that sends what is due at an endpoint. It stops at the first batch of which nothing arrives: an
// endpoint that does not answer gets its next turn after everybody else had theirs.
func (s *Service) Deliver(ctx context.Context, id idv.EndpointID) (err error) {
	start := s.now()
	until := start.Add(LeaseTime)
	taken, err := s.store.Lease(ctx, id, until)
	if err != nil || !taken {
		return err
	}
	var r round
	defer func() {
		// Also where the worker is told to stop: else the queue would stand still for as long as it was taken.
		err = errors.Join(err, s.store.Release(context.WithoutCancel(ctx), id, until, r.rest, r.worked))
	}()
	e, err := s.store.WebhookEndpoint(ctx, id)
	if problem.Has(err, problem.NotFound) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err
	}
	if !e.StoppedAt.IsZero() { // an event that was written while it was stopped may have found it running
		return s.store.GiveUp(ctx, id)
	}
	begun := time.Now()
	for time.Since(begun) < workTime {
		more, err := s.deliverSome(ctx, e, &r)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// round is what one job found at an endpoint.
type round struct {
	worked bool      // there was something to send
	rest   time.Time // until when the target asked to be left alone; zero where it did not
	gone   bool      // it said that it takes nothing more
}

// add notes how a delivery went.
func (r *round) add(t Try, now time.Time) {
	r.gone = r.gone || t.gone()
	if rest := now.Add(t.After); t.After > 0 && rest.After(r.rest) {
		r.rest = rest
	}
}

// deliverSome sends a batch. more: it is worth going on.
func (s *Service) deliverSome(ctx context.Context, e Endpoint, r *round) (more bool, err error) {
	due, err := s.store.Due(ctx, e.ID, batch)
	if err != nil || len(due) == 0 {
		return false, err
	}
	r.worked = true
	results := make([]Result, len(due))
	failed := make([]error, len(due))
	var sending sync.WaitGroup
	for i, d := range due {
		sending.Go(func() { results[i], failed[i] = s.try(ctx, e, d) })
	}
	sending.Wait()
	if err := errors.Join(failed...); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, fmt.Errorf("deliver: %w", ctx.Err()) // the worker stops; what it broke off does not count
	}
	for _, one := range results {
		r.add(one.Try, s.now())
		more = more || one.State == Delivered
	}
	if err := s.store.Tried(ctx, e.ID, results, r.gone); err != nil {
		return false, err
	}
	s.tell(ctx, e, results, r.gone)
	return more && r.rest.IsZero() && !r.gone, nil
}

// tell logs what somebody has to look at.
func (s *Service) tell(ctx context.Context, e Endpoint, results []Result, gone bool) {
	if gone {
		s.log.WarnContext(ctx, "a webhook endpoint was stopped, because it answered 410 Gone: the console can start it again", "endpoint", e.ID)
		return
	}
	for _, r := range results {
		if r.State == GivenUp {
			s.log.WarnContext(ctx, "a webhook was given up: the console shows why, and can send it again", "endpoint", e.ID, "delivery", r.Delivery, "tries", r.Attempt+1, "last", r.Try.String())
		}
	}
}

// try sends a delivery once and says what follows.
func (s *Service) try(ctx context.Context, e Endpoint, d Due) (Result, error) {
	d.Event.Mode = e.Mode
	t, err := s.send(ctx, e, d)
	if err != nil {
		return Result{}, err
	}
	r := Result{Delivery: d.ID, Attempt: d.Attempt, Try: t, State: Delivered}
	if t.Fault == "" {
		return r, nil
	}
	r.State = GivenUp
	if d.Attempt < len(pauses) && !t.gone() {
		pause, err := s.pause(d.Attempt)
		if err != nil {
			return Result{}, err
		}
		r.State, r.NextAt = Waiting, s.now().Add(max(pause, t.After))
	}
	return r, nil
}

// pause is the one after a try, the first of which is 0.
func (s *Service) pause(try int) (time.Duration, error) {
	var raw [4]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return 0, fmt.Errorf("draw a pause: %w", err)
	}
	share := float64(binary.BigEndian.Uint32(raw[:]))/float64(1<<32)*2 - 1 // -1 to 1
	return time.Duration(float64(pauses[try]) * (1 + jitter*share)), nil
}

// Redeliver is the job that finds what is due while nothing is under way for it.
func (s *Service) Redeliver(ctx context.Context) error {
	ids, err := s.store.Neglected(ctx, sweepPage)
	if err != nil {
		return err
	}
	var errs error
	for _, id := range ids {
		errs = errors.Join(errs, s.store.Wake(ctx, id))
	}
	return errs
}
