package edge

import (
	"context"
	"math"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/felixge/httpsnoop"
)

// Turns bound how many calls are worked at the same time, so that beyond what the server can bear some are refused at once and the
// others are answered as soon as ever, instead of all of them late. How many that is follows from how long calls take: while they
// take at most evenPace times as long as when hardly anybody calls, one more is worked; from latePace on it is fewer. The others wait
// for their turn, first come, first served, as long as that is a burst. Where somebody has waited without a break for longer, half as
// many may wait as are worked; one more is refused.
//
// A call counts while the server works it: not while its body arrives or a long answer leaves, because both depend on the client, and
// for turnTime at most, because what takes longer waits for something that others do not need.
type Turns struct {
	mu      sync.Mutex
	limit   float64
	working int
	waiting []chan grant
	usual   map[string]time.Duration // how long calls of a route take when hardly anybody calls

	crowded  time.Time // since when somebody has waited without a break
	standing bool      // that was no burst
	refused  time.Time // the last call

	calls   int     // since the limit was looked at
	pace    float64 // sum of how many times longer than usual they took
	reached bool    // somebody had to wait
	first   float64 // limit to begin with, and to come back to
	least   float64
	quiet   time.Time     // when a call began last while hardly anybody called
	probing bool          // few are worked for a moment, to learn anew how long calls take
	burst   time.Duration // for which somebody may wait without a break
	shared  *pressure     // of all gates; never nil
	now     func() time.Time
}

// How long a burst lasts: a page of the console asks for a dozen things at once, and pictures come one at a time.
const (
	burstTime        = time.Second
	pictureBurstTime = 100 * time.Millisecond
)

const (
	evenPace    = 1.4
	latePace    = 2.0
	paceCalls   = 16          // after which the limit is looked at
	mostPace    = 10          // that one call counts for
	mostTurns   = 256         // at the same time
	mostWaiting = 256         // in a burst
	calmTime    = time.Second // without a refusal, after which calls may come in a burst again
	turnTime    = 5 * time.Second
	probeTime   = 10 * time.Second // that few are worked without a quiet moment, after which one is made
	longBody    = 2 << 10          // bytes, from which an answer may have to wait for the client
)

func newTurns(now func() time.Time, burst time.Duration, shared *pressure) *Turns {
	least := float64(2 * runtime.GOMAXPROCS(0))
	return &Turns{
		limit: 4 * least, first: 4 * least, least: least, usual: map[string]time.Duration{}, quiet: now(), burst: burst, shared: shared, now: now,
	}
}

// turn is the turn of one call. Its methods may be called on nil.
type turn struct {
	turns  *Turns
	route  string
	alone  bool // hardly anybody else called when it began
	start  time.Time
	paused time.Time
	idle   time.Duration // while it was paused
	timer  *time.Timer

	mu   sync.Mutex
	held bool
	over bool
}

// grant is what somebody who waits is told.
type grant int

const (
	granted      grant = iota
	grantedAlone       // hardly anybody else is worked
	turnedAway
)

// take takes a turn for a call, and waits for it where that will be soon. Problems: unavailable.
func (t *Turns) take(ctx context.Context, route string) (*turn, error) {
	tooMany := tooManyCalls()
	got := granted
	t.mu.Lock()
	if len(t.waiting) == 0 && float64(t.working) < t.most() {
		if t.alone() {
			got = grantedAlone
		}
		t.working++
		t.mu.Unlock()
	} else {
		mine := t.wait()
		t.mu.Unlock()
		if mine == nil {
			return nil, tooMany
		}
		select {
		case got = <-mine:
		case <-ctx.Done():
			if !t.leave(mine) && <-mine != turnedAway {
				t.release()
			}
			return nil, ctx.Err()
		}
	}
	if got == turnedAway {
		return nil, tooMany
	}
	t.shared.count()
	out := &turn{turns: t, route: route, alone: got == grantedAlone, start: t.now(), held: true}
	out.timer = time.AfterFunc(turnTime, out.lapse)
	return out, nil
}

func tooManyCalls() error { return busy("As many calls as this server can answer soon are under way.") }

// wait returns where the turn of one more call will be told; nil where it would come too late. t.mu is held.
func (t *Turns) wait() chan grant {
	now := t.now()
	t.reached = true
	if len(t.waiting) == 0 {
		t.crowded = now
		t.standing = t.standing && now.Sub(t.refused) < calmTime
	}
	room := t.room(now)
	if len(t.waiting) >= room {
		t.refused = now
		return nil
	}
	mine := make(chan grant, 1)
	t.waiting = append(t.waiting, mine)
	return mine
}

// room returns how many may wait. It turns away those that waited longest where that is fewer than do: a burst did not end. t.mu is
// held.
func (t *Turns) room(now time.Time) int {
	t.standing = t.standing || len(t.waiting) > 0 && (now.Sub(t.crowded) > t.burst || t.shared.limits.Load())
	if !t.standing {
		return mostWaiting
	}
	room := int(math.Ceil(t.limit / 2))
	for len(t.waiting) > room {
		t.waiting[0] <- turnedAway
		t.waiting, t.refused = t.waiting[1:], now
	}
	return room
}

// alone reports whether hardly anybody is worked. t.mu is held.
func (t *Turns) alone() bool { return float64(t.working) < t.least/2 }

// most returns how many calls are worked at the same time now. t.mu is held.
func (t *Turns) most() float64 {
	if t.probing {
		return t.least / 2
	}
	return t.limit
}

// leave ends a wait. It returns false where the turn came meanwhile.
func (t *Turns) leave(mine chan grant) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, w := range t.waiting {
		if w == mine {
			t.waiting = append(t.waiting[:i:i], t.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// under returns how many calls are worked.
func (t *Turns) under() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.working
}

func (t *Turns) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.working--
	t.next()
}

// next begins the turns of those that wait, as far as the limit goes. t.mu is held.
func (t *Turns) next() {
	t.room(t.now())
	for len(t.waiting) > 0 && float64(t.working) < t.most() {
		got := granted
		if t.alone() {
			got = grantedAlone
		}
		t.waiting[0] <- got
		t.working++
		t.waiting = t.waiting[1:]
	}
}

// learn takes how long a call took, and sets the limit after paceCalls of them.
func (t *Turns) learn(route string, took time.Duration, alone bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	usual, known := t.usual[route]
	switch {
	case !known:
		usual = took
	case t.probing && !alone:
		return // it began before
	case t.probing:
		usual += (took - usual) / 4
	case alone:
		usual += (took - usual) / 16
	}
	t.usual[route] = usual
	if alone {
		t.quiet = t.now()
	}
	t.calls++
	t.pace += min(mostPace, float64(took)/float64(max(usual, 100*time.Microsecond)))
	if t.calls < paceCalls {
		return
	}
	switch pace := t.pace / float64(t.calls); {
	case pace > latePace:
		t.limit = max(t.least, t.limit*max(.5, latePace/pace))
	case pace < evenPace && (t.reached || t.limit < t.first):
		t.limit = min(mostTurns, t.limit+1)
	}
	t.calls, t.pace, t.reached = 0, 0, false
	t.probing = t.limit <= t.least && t.now().Sub(t.quiet) > probeTime
	t.next()
}

// pause gives the turn back while the server waits for the client.
func (c *turn) pause() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.held {
		c.held, c.paused = false, c.turns.now()
		c.turns.release()
	}
}

// resume goes on with a turn that was paused; it does not wait, because the call was accepted.
func (c *turn) resume() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || c.held || c.paused.IsZero() {
		return
	}
	c.idle += c.turns.now().Sub(c.paused)
	c.held, c.paused = true, time.Time{}
	c.turns.mu.Lock()
	c.turns.working++
	c.turns.mu.Unlock()
}

// lapse ends the turn of a call that takes long.
func (c *turn) lapse() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.held {
		c.held = false
		c.turns.release()
	}
}

// end ends the turn. It does nothing the second time.
func (c *turn) end() {
	if c == nil {
		return
	}
	c.timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.over = true
	if c.held {
		c.held = false
		c.turns.learn(c.route, c.turns.now().Sub(c.start)-c.idle, c.alone)
		c.turns.release()
	}
}

// endsTurn ends the turn of a call whose answer becomes long before more of it is written.
func endsTurn(w http.ResponseWriter, c *turn) http.ResponseWriter {
	written := 0
	return httpsnoop.Wrap(w, httpsnoop.Hooks{Write: func(write httpsnoop.WriteFunc) httpsnoop.WriteFunc {
		return func(b []byte) (int, error) {
			if written += len(b); written > longBody {
				c.end()
			}
			return write(b)
		}
	}})
}

// inTurn lets a call be worked when it is its turn. Problems: unavailable.
func (e *Edge) inTurn(row Route, next http.Handler) http.Handler {
	turns := e.turns
	switch {
	case row.Streams || row.Sends == Pictures || probe(row.Path): // bounded otherwise, or not to be refused
		return next
	case row.Sends == Picture || row.Sends == Logo:
		turns = e.pictureTurns
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		var mine *turn
		err := tooManyCalls()
		if turns.shared.accepts(e.turns.under() + e.pictureTurns.under()) {
			mine, err = turns.take(r.Context(), row.Path)
		}
		if err != nil {
			q.refused = true
			if row.Sends != Nothing && row.Sends != JSON {
				drain(r.Context(), r.Body)
			}
			e.Problems.Write(w, r, err)
			return
		}
		defer mine.end()
		if q.body != nil {
			q.body.turn = mine
		}
		next.ServeHTTP(endsTurn(w, mine), r)
	})
}
