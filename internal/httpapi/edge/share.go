package edge

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"
)

// Grants are limits that several nodes share. A node asks for a slice of what is left and spends that without asking again.
type Grants interface {
	// Grant grants a caller up to want calls in a span, as far as all grants of that span stay within room, and answers how
	// many, and how many all nodes were granted. What is kept of it may go at expires.
	Grant(ctx context.Context, caller string, span int64, want, room int, expires time.Time) (got, all int, err error)
	// Granted is how many calls all nodes were granted in a span.
	Granted(ctx context.Context, caller string, span int64) (int, error)
}

const (
	sliceOf    = 20               // a slice is this part of a limit at most
	refusedFor = time.Second      // how long a node that was granted nothing refuses without asking
	awayFor    = time.Second      // how long a node that got no answer counts alone without asking
	calm       = 10 * time.Second // how long nothing may have been asked in vain before the log says that the common count is back
)

// outage logs once that the nodes' common count is away, and once that it is back, for all limits together.
type outage struct {
	log  *slog.Logger
	mu   sync.Mutex
	last time.Time // when it was asked in vain; zero while it is there
}

// record takes the result of each question, and logs a change.
func (o *outage) record(ctx context.Context, now time.Time, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	there := o.last.IsZero()
	switch {
	case err != nil && there:
		o.log.WarnContext(ctx, "calls are counted by this node alone", "error", err)
		o.last = now
	case err != nil:
		o.last = now
	case !there && now.Sub(o.last) >= calm:
		o.log.InfoContext(ctx, "calls are counted by all nodes together again")
		o.last = time.Time{}
	}
}

// shares are the slices that this node has, by caller.
type shares struct {
	grants Grants
	outage *outage
	name   string
	within time.Duration // what takes longer is counted by this node alone
	mu     sync.Mutex
	span   int64
	by     map[string]*share
}

type share struct {
	mu      sync.Mutex
	read    bool
	before  int // granted in the span before
	all     int // granted in this one, as far as this node knows
	left    int // of this node's slice
	refused time.Time
	fault   error // of the last question
	away    time.Time
}

// shareOf answers a caller's share. Those of a span that is over are forgotten; a call that is late gets one for itself.
func (s *shares) shareOf(caller string, span int64) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	if span < s.span {
		return &share{}
	}
	if span > s.span {
		s.span, s.by = span, map[string]*share{}
	}
	if s.by[caller] == nil {
		s.by[caller] = &share{}
	}
	return s.by[caller]
}

// count spends a call of a slice, and asks for another slice where there is none left.
func (s *shares) count(ctx context.Context, r Rate, now time.Time, caller string) (spent, error) {
	mine := s.shareOf(caller, now.UnixNano()/int64(r.Window))
	mine.mu.Lock()
	defer mine.mu.Unlock()
	if now.Before(mine.away) { // whoever waited while somebody asked in vain does not wait once more
		return spent{}, mine.fault
	}
	began := time.Now()
	out, err := s.spend(ctx, mine, r, now, caller)
	if err != nil && ctx.Err() == nil {
		mine.fault, mine.away = err, now.Add(time.Since(began)+awayFor)
	}
	return out, err
}

// spend is count for a caller that holds the lock of the share.
func (s *shares) spend(ctx context.Context, mine *share, r Rate, now time.Time, caller string) (spent, error) {
	span := now.UnixNano() / int64(r.Window)
	into := time.Duration(now.UnixNano() % int64(r.Window))
	answered := func(err error) error {
		if err == nil || ctx.Err() == nil { // who hangs up says nothing about the count
			s.outage.record(ctx, now, err)
		}
		return err
	}
	within, cancel := context.WithTimeout(ctx, s.within)
	defer cancel()
	name := s.name + " " + caller
	if !mine.read {
		before, err := s.grants.Granted(within, name, span-1)
		if answered(err) != nil {
			return spent{}, err
		}
		mine.before, mine.read = before, true
	}
	room := r.Calls - int(math.Round(float64(mine.before)*float64(r.Window-into)/float64(r.Window)))
	if mine.left == 0 && !now.Before(mine.refused) {
		want := max(1, min(r.Calls/sliceOf, (room-mine.all)/4)) // small ones near the end, so that little is left unused elsewhere
		got, all, err := s.grants.Grant(within, name, span, want, room, now.Add(2*r.Window-into))
		if answered(err) != nil {
			return spent{}, err
		}
		if mine.left, mine.all = got, all; got == 0 {
			mine.refused = now.Add(refusedFor)
		}
	}
	out := spent{limit: r.Calls, reset: int(math.Ceil((r.Window - into).Seconds()))}
	if mine.left > 0 {
		mine.left--
		out.allowed, out.remaining = true, mine.left+max(0, room-mine.all)
	}
	return out, nil
}
