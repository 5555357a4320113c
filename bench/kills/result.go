package kills

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Kinds of fault.
const (
	stuck   = "stuck"
	refused = "refused"
	twice   = "decided twice"
	lost    = "accepted upload lost"
	wrong   = "wrong outcome"
	untold  = "webhook missing"
	renamed = "one event under several ids"
	broken  = "audit log broken"
	undone  = "erased and still there"
)

// fault is something that must not be.
type fault struct {
	Kind    string `json:"kind"`
	What    string `json:"what"`
	Life    string `json:"life,omitempty"` // names the seed of the kill
	Session string `json:"session,omitempty"`
}

// Result is what all runs so far found.
type Result struct {
	Database string             `json:"database"`
	Kills    int                `json:"kills"`
	Sessions int                `json:"sessions"`
	Met      int                `json:"sessions_met_by_a_kill"`
	Once     int                `json:"sessions_decided_once"`
	Twins    int                `json:"sessions_made_twice"` // a creation was repeated whose answer was lost
	Relinked int                `json:"links_replaced"`      // an opening was repeated whose answer was lost
	Repeats  int                `json:"webhooks_repeated"`   // the same event, told again
	Starts   *Times             `json:"start_to_ready"`
	Decision map[string]*Times  `json:"ready_to_decision"` // by the stage that the last kill met
	Webhook  *Times             `json:"ready_to_webhook"`  // of decisions that were made before the kill
	Erasure  *Times             `json:"ready_to_erased"`
	Slowest  []Slow             `json:"slowest"` // to their decisions, the slowest first
	Faults   map[string][]fault `json:"faults"`
}

// Slow is a session that waited for its decision.
type Slow struct {
	Seconds float64 `json:"seconds"`
	Stage   string  `json:"stage"`
	Seed    uint64  `json:"seed"`
	Life    string  `json:"life"`
	Kills   int     `json:"kills"` // that met it
	Real    bool    `json:"pictures_read"`
}

// mostSlow is how many of the slowest are named.
const mostSlow = 10

func newResult() *Result {
	return &Result{
		Starts: newTimes(), Decision: map[string]*Times{}, Webhook: newTimes(), Erasure: newTimes(), Faults: map[string][]fault{},
	}
}

// Bounds of the histogram in seconds; the last bin has no bound.
var bounds = []float64{.1, .25, .5, 1, 2, 5, 10, 20, 30, 60, 120, math.Inf(1)}

// Times is a histogram.
type Times struct {
	Count   int            `json:"count"`
	Longest float64        `json:"longest_s"`
	Sum     float64        `json:"sum_s"`
	Within  map[string]int `json:"within_s"` // by the bin's upper bound
}

func newTimes() *Times { return &Times{Within: map[string]int{}} }

func (t *Times) add(d time.Duration) {
	s := max(0, d.Seconds())
	t.Count++
	t.Sum = round(t.Sum + s)
	t.Longest = max(t.Longest, round(s))
	i := slices.IndexFunc(bounds, func(b float64) bool { return s <= b })
	t.Within[bin(i)]++
}

func bin(i int) string {
	if math.IsInf(bounds[i], 1) {
		return "more"
	}
	return fmt.Sprint(bounds[i])
}

func round(s float64) float64 { return math.Round(s*1000) / 1000 }

// add adds a life that is over.
func (r *Result) add(l *life, seed uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.Sessions++
	if len(l.met) > 0 {
		r.Met++
	}
	if l.relinked {
		r.Relinked++
	}
	good := !l.decided.IsZero()
	for _, f := range l.faults {
		r.Faults[f.Kind] = append(r.Faults[f.Kind], f)
		good = good && f.Kind != twice && f.Kind != wrong
	}
	if good {
		r.Once++
	}
	if d, at, ok := l.after(l.decided, deciding); ok {
		if r.Decision[at.String()] == nil {
			r.Decision[at.String()] = newTimes()
		}
		r.Decision[at.String()].add(d)
		r.slow(Slow{Seconds: round(d.Seconds()), Stage: at.String(), Seed: seed, Life: l.name, Kills: len(l.met), Real: !l.persona})
	}
	if d, at, ok := l.after(l.told, telling); ok && at == telling {
		r.Webhook.add(d)
	}
	if d, at, ok := l.after(l.finished, erasing); ok && at == erasing {
		r.Erasure.add(d)
	}
}

// after returns how long after the last kill before it, counted from when the server was ready again, something came; and the stage
// that the kill met. Not ok where no kill met the life at that stage or before.
func (l *life) after(came time.Time, latest stage) (d time.Duration, at stage, ok bool) {
	if came.IsZero() {
		return 0, 0, false
	}
	for _, m := range l.met {
		if m.at <= latest && !m.ready.IsZero() {
			d, at, ok = came.Sub(m.ready), m.at, true
		}
	}
	return d, at, ok
}

func (r *Result) slow(s Slow) {
	r.Slowest = append(r.Slowest, s)
	slices.SortStableFunc(r.Slowest, func(a, b Slow) int {
		switch {
		case a.Seconds > b.Seconds:
			return -1
		case a.Seconds < b.Seconds:
			return 1
		}
		return 0
	})
	r.Slowest = r.Slowest[:min(len(r.Slowest), mostSlow)]
}

// Good reports whether nothing was lost, stuck or done twice.
func (r *Result) Good() bool { return len(r.Faults) == 0 && r.Once == r.Sessions }

// String tells the result to a person.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d kills, %d sessions, %d met by a kill, %d decided once\n", r.Database, r.Kills, r.Sessions, r.Met, r.Once)
	fmt.Fprintf(&b, "  made twice, links replaced, webhooks repeated: %d, %d, %d\n", r.Twins, r.Relinked, r.Repeats)
	line := func(what string, t *Times) {
		if t == nil || t.Count == 0 {
			return
		}
		fmt.Fprintf(&b, "  %-28s %5d  mean %6.2f s  longest %6.2f s ", what, t.Count, t.Sum/float64(t.Count), t.Longest)
		for i := range bounds {
			if n := t.Within[bin(i)]; n > 0 {
				fmt.Fprintf(&b, "  ≤%s: %d", bin(i), n)
			}
		}
		b.WriteString("\n")
	}
	line("start to ready", r.Starts)
	for s := creating; s <= deciding; s++ {
		line("decision, killed at "+s.String(), r.Decision[s.String()])
	}
	line("webhook, killed at webhook", r.Webhook)
	line("erased, killed at erase", r.Erasure)
	for _, s := range r.Slowest {
		fmt.Fprintf(&b, "  slow: %.2f s after a kill at %s, %s (seed %d, %d kills)\n", s.Seconds, s.Stage, s.Life, s.Seed, s.Kills)
	}
	for kind, all := range r.Faults {
		fmt.Fprintf(&b, "  FAULT %s: %d, the first %s %s: %s\n", kind, len(all), all[0].Life, all[0].Session, all[0].What)
	}
	return b.String()
}
