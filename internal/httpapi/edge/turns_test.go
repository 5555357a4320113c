package edge

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// machine answers calls of one route on processors that they share: a call of one unit of work takes as long as there are others.
type machine struct {
	mu   sync.Mutex
	free time.Time // of the one processor
}

// work takes its place behind what is under way.
func (m *machine) work(d time.Duration) {
	m.mu.Lock()
	m.free = maxTime(m.free, time.Now()).Add(d)
	until := m.free
	m.mu.Unlock()
	time.Sleep(time.Until(until))
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func TestAtFiveTimesWhatIsBorneSomeAreRefusedAtOnceAndTheOthersAreAnsweredSoon(t *testing.T) {
	const unit = 4 * time.Millisecond // 250 calls a second
	synctest.Test(t, func(t *testing.T) {
		turns, m := newTurns(time.Now, burstTime, newPressure(time.Now)), &machine{}
		turns.limit, turns.least = 8, 4
		for range 20 { // hardly anybody calls
			mine, err := turns.take(t.Context(), "/")
			if err != nil {
				t.Fatal(err)
			}
			m.work(unit)
			mine.end()
		}
		var mu sync.Mutex
		var under sync.WaitGroup
		accepted, refused := 0, 0
		var longest, burst, latest time.Duration
		began := time.Now()
		for i := range 5000 {
			if at := began.Add(time.Duration(i) * unit / 5); time.Until(at) > 0 {
				time.Sleep(time.Until(at))
			}
			under.Go(func() {
				start := time.Now()
				mine, err := turns.take(t.Context(), "/")
				if err == nil {
					m.work(unit)
					mine.end()
				}
				took := time.Since(start)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					accepted++
					if start.Sub(began) > burstTime {
						longest = max(longest, took)
					} else {
						burst = max(burst, took)
					}
				case problem.Has(err, problem.Unavailable):
					refused++
					latest = max(latest, took)
				default:
					t.Error(err)
				}
			})
		}
		under.Wait()
		if span := time.Since(began); float64(accepted) < .9*float64(span/unit) {
			t.Errorf("%d of %d were accepted in %v, want nearly all that can be worked", accepted, accepted+refused, span)
		}
		if longest > 8*unit {
			t.Errorf("an accepted call took %v, where one alone takes %v", longest, unit)
		}
		if most := burstTime + 16*unit; burst > most {
			t.Errorf("in the first second an accepted call took %v, want at most %v", burst, most)
		}
		if latest > burstTime+unit {
			t.Errorf("a call waited %v for being refused", latest)
		}
	})
}

func TestABurstIsNotRefused(t *testing.T) {
	const unit = 2 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		turns, m := newTurns(time.Now, burstTime, newPressure(time.Now)), &machine{}
		turns.limit, turns.least = 4, 4
		for range 3 { // with pauses between them
			var under sync.WaitGroup
			for range 40 {
				under.Go(func() {
					mine, err := turns.take(t.Context(), "/")
					if err != nil {
						t.Error(err)
						return
					}
					m.work(unit)
					mine.end()
				})
			}
			under.Wait()
			time.Sleep(time.Second)
		}
	})
}

// steadily makes n calls at 400 a second; took says how long each of them works. It returns the number of refusals among the calls after
// the one numbered last.
func steadily(t *testing.T, n, last int, took func(call int) time.Duration) (refused int) {
	t.Helper()
	turns := newTurns(time.Now, burstTime, newPressure(time.Now))
	turns.limit, turns.least = 4, 4
	var under sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		time.Sleep(2500 * time.Microsecond)
		under.Go(func() {
			mine, err := turns.take(t.Context(), "/")
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				if i > last {
					refused++
				}
				return
			}
			time.Sleep(took(i))
			mine.end()
		})
	}
	under.Wait()
	return refused
}

func TestWhereCallsWaitForTheDiskMoreAreWorkedAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := steadily(t, 5000, 4000, func(int) time.Duration { return 100 * time.Millisecond }) // 40 at the same time
		if refused > 0 {
			t.Errorf("%d of the last thousand calls were refused by a server that only waits", refused)
		}
	})
}

func TestACallThatBecameSlowForGoodIsNotTakenForOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := steadily(t, 40_000, 36_000, func(call int) time.Duration {
			if call < 4000 {
				return 10 * time.Millisecond
			}
			return 100 * time.Millisecond
		})
		if refused > 40 {
			t.Errorf("%d of the last 4000 calls were refused by a server that only waits", refused)
		}
	})
}

func TestATurnIsNotHeldByWhoeverDoesNotSendOrRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(time.Now, burstTime, newPressure(time.Now))
		working := func() int {
			turns.mu.Lock()
			defer turns.mu.Unlock()
			return turns.working
		}
		mine, err := turns.take(t.Context(), "/")
		if err != nil || working() != 1 {
			t.Fatal(working(), err)
		}
		mine.pause()
		if working() != 0 {
			t.Error("a call whose body does not arrive holds a turn")
		}
		mine.resume()
		if working() != 1 {
			t.Error("a call goes on without a turn")
		}
		w := endsTurn(httptest.NewRecorder(), mine)
		_, _ = w.Write([]byte("short"))
		if working() != 1 {
			t.Error("a short answer ended the turn")
		}
		_, _ = w.Write([]byte(strings.Repeat("long", longBody)))
		mine.end()
		if working() != 0 {
			t.Error("a long answer holds a turn until the client has read it")
		}
		slow, err := turns.take(t.Context(), "/")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(turnTime)
		synctest.Wait()
		if working() != 0 {
			t.Error("a call that waits for something else than the processor holds a turn")
		}
		slow.pause()
		slow.resume()
		slow.end()
		if working() != 0 {
			t.Errorf("%d turns are held by nobody", working())
		}
	})
}

func TestACallThatIsGivenUpWhileItWaitsLeavesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(time.Now, burstTime, newPressure(time.Now))
		turns.limit = 1
		first, err := turns.take(t.Context(), "/")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := turns.take(ctx, "/")
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; err == nil {
			t.Error("a call that was given up got a turn")
		}
		first.end()
		if turns.working != 0 || len(turns.waiting) != 0 {
			t.Errorf("%d work and %d wait", turns.working, len(turns.waiting))
		}
	})
}

func TestProbesAndLiveUpdatesAreNotRefused(t *testing.T) {
	shared := newPressure(time.Now)
	e := &Edge{turns: newTurns(time.Now, burstTime, shared), pictureTurns: newTurns(time.Now, burstTime, shared), Problems: &Problems{}}
	for e.turns.limit = 0; e.turns.working < runtime.GOMAXPROCS(0); e.turns.working++ { // full
	}
	for _, row := range []Route{{Path: "/readyz"}, {Path: "/healthz"}, {Path: "/v1/applicant/events", Streams: true}} {
		called := false
		e.inTurn(row, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { called = true })).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, row.Path, nil))
		if !called {
			t.Errorf("%s was refused", row.Path)
		}
	}
}
