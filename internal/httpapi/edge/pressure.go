package edge

import (
	"math"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// pressure limits the rate of accepted calls while goroutines wait too long for a processor.
//
// Turns bound how many calls are worked at the same time, which is not enough where the processor is what is scarce: a call needs it
// many times, and each time it queues behind the calls that are being read only to be refused. So while the wait for a processor is
// too long, the rate falls, until accepting and refusing together leave the processors some time to spare.
//
// All gates share one pressure, because they share the processors.
type pressure struct {
	now  func() time.Time
	read func() (late, all uint64) // scheduling waits since the process began, and those longer than lateWait

	procs  int
	limits atomic.Bool // rate applies

	mu        sync.Mutex
	looked    time.Time // the last look
	late, all uint64    // at the last look
	since     time.Time // since when every look found waits too long; zero if the last one did not
	crowd     int       // calls that asked since then
	rate      float64   // accepted calls a second
	saved     float64   // calls that may be accepted at once
	filled    time.Time // saved is as of then
	refusal   time.Time // the last one

	// Since the last look.
	asked   int  // calls
	worked  int  // calls
	refused bool // a call
	under   int  // the most calls worked at the same time
}

const (
	lateWait   = 4 * time.Millisecond
	lateShare  = .15 // of scheduling waits longer than lateWait, above which the rate falls
	calmShare  = .05 // below which it rises fast
	fewWaits   = 6   // between two looks; fewer say nothing (the runtime samples one in eight)
	lookTime   = 20 * time.Millisecond
	crowdTime  = 40 * time.Millisecond // of long waits before the first refusal
	crowdCalls = 64                    // a processor, that ask meanwhile; fewer are no crowd, whatever else keeps the processors busy
	crowdTurns = 4                     // a processor, worked at the same time; fewer are no crowd either
	savedCalls = 16                    // a processor: a page of the console asks for a dozen things at once
	leastRate  = 20                    // a processor
)

func newPressure(now func() time.Time) *pressure {
	return &pressure{now: now, read: schedulingWaits(lateWait), procs: runtime.GOMAXPROCS(0), looked: now()}
}

// accepts reports whether one more call is accepted while that many are worked.
func (p *pressure) accepts(working int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if span := now.Sub(p.looked); span >= lookTime {
		p.look(now, span)
	}
	p.asked++
	p.under = max(p.under, working)
	if p.limits.Load() {
		p.saved = min(float64(savedCalls*p.procs), p.saved+p.rate*now.Sub(p.filled).Seconds())
		p.filled = now
		if p.saved < 1 {
			p.refused, p.refusal = true, now
			return false
		}
		p.saved--
	}
	return true
}

// count counts a call that is worked.
func (p *pressure) count() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.worked++
}

// look sets the rate by the scheduling waits since the last look. p.mu is held.
func (p *pressure) look(now time.Time, span time.Duration) {
	late, all := p.read()
	waits, limits := all-p.all, p.limits.Load()
	share := float64(late-p.late) / max(1, float64(waits))
	tooLong := waits >= fewWaits && share > lateShare && (limits || p.under >= crowdTurns*p.procs)
	switch {
	case !tooLong:
		p.since, p.crowd = time.Time{}, 0
	case p.since.IsZero():
		p.since, p.crowd = p.looked, p.asked
	default:
		p.crowd += p.asked
	}
	least := float64(leastRate * p.procs)
	switch {
	case tooLong && limits:
		p.rate = max(least, p.rate*max(.7, 1-(share-lateShare)))
	case tooLong && now.Sub(p.since) >= crowdTime && p.crowd >= crowdCalls*p.procs:
		p.limits.Store(true)
		p.rate = max(least, .7*float64(p.worked)/span.Seconds())
		p.saved, p.filled, p.refusal = 0, now, now
	case limits && p.refused && share < calmShare:
		p.rate *= 1.1
	case limits && p.refused:
		p.rate *= 1.02
	case limits && now.Sub(p.refusal) >= calmTime:
		p.limits.Store(false)
	}
	p.looked, p.late, p.all = now, late, all
	p.asked, p.worked, p.under, p.refused = 0, 0, 0, false
}

// schedulingWaits returns a function that returns how often a goroutine waited for a processor since the process began, and how often
// for longer than long.
func schedulingWaits(long time.Duration) func() (late, all uint64) {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	return func() (late, all uint64) {
		metrics.Read(sample)
		if sample[0].Value.Kind() != metrics.KindFloat64Histogram {
			return 0, 0
		}
		h := sample[0].Value.Float64Histogram()
		for i, n := range h.Counts {
			all += n
			if at := h.Buckets[i]; at >= long.Seconds() && !math.IsInf(at, 0) {
				late += n
			}
		}
		return late, all
	}
}
