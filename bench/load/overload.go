package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-id/bonafide/bench/server"
)

// OverloadOptions are those of an overload.
type OverloadOptions struct {
	Program string
	Args    []string
	Span    time.Duration // of each stage
	Times   []float64     // of what the server can bear, one stage each; the first is what the others are compared with
	Server  []int         // processors of the server; all if empty
	Client  []int         // processors of the calls; all if empty
}

// Overloaded is how a server fared that was asked for more than it can bear.
type Overloaded struct {
	Database string            `json:"database"`
	Capacity float64           `json:"capacity_per_second"` // calls accepted of as many callers as are needed, who call one after the other
	Mix      map[string]string `json:"mix"`
	Stages   []Stage           `json:"stages"`
	Lost     int               `json:"accepted_and_lost"`
	Apart    bool              `json:"server_and_client_on_processors_of_their_own"`
}

// Stage is a span at one rate.
type Stage struct {
	Times float64         `json:"times_capacity"`
	Asked float64         `json:"asked_per_second"`
	Kinds map[string]Kind `json:"calls"`
	Cores float64         `json:"server_cores"`
	Lag   float64         `json:"generator_behind_p99_ms"`
}

// Kind is what came of the calls of a kind.
type Kind struct {
	Accepted Latency        `json:"accepted"` // counted from when the call was meant to start
	Onset    Latency        `json:"accepted_in_the_first_second"`
	Later    Latency        `json:"accepted_later"`
	Refusals Latency        `json:"refused"` // 503 or 429
	Errors   map[string]int `json:"errors"`  // anything else
	Ratio    float64        `json:"p99_to_first_stage,omitempty"`
}

// kinds of calls and their share.
var kinds = []struct {
	name  string
	share float64
}{{"read", .5}, {"create", .2}, {"upload", .15}, {"submit", .15}}

// RunOverload starts a server and calls it at the rates, in an open loop.
func RunOverload(ctx context.Context, o OverloadOptions) (out Overloaded, err error) {
	s, err := server.Start(ctx, o.Program, o.Args, server.Options{Processors: o.Server})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if err := server.Bind(o.Client); err != nil {
		return out, err
	}
	out.Apart = len(o.Server) > 0 && len(o.Client) > 0
	out.Mix = map[string]string{}
	for _, k := range kinds {
		out.Mix[k.name] = fmt.Sprintf("%.0f %%", 100*k.share)
	}
	c := newClient(s)
	defer c.http.CloseIdleConnections()
	if err := c.loaded(ctx); err != nil {
		return out, err
	}
	w := &callers{client: c}
	if err := w.prepare(ctx, 50); err != nil {
		return out, err
	}
	if err := w.warm(ctx); err != nil {
		return out, err
	}
	if out.Capacity, err = w.capacity(ctx, o.Span); err != nil {
		return out, err
	}
	if err := pause(ctx, 2*time.Second); err != nil {
		return out, err
	}
	for _, times := range o.Times {
		rate := times * out.Capacity
		if err := w.prepare(ctx, int(min(times, 1.5)*out.Capacity*o.Span.Seconds()*.3)+int(rate/10)+50); err != nil {
			return out, err
		}
		st := w.stage(ctx, s, rate, o.Span)
		st.Times = times
		out.Stages = append(out.Stages, st)
		if err := pause(ctx, time.Second); err != nil {
			return out, err
		}
	}
	out.compare()
	out.Lost, err = w.lost(ctx)
	return out, err
}

// compare sets the ratios to the first stage.
func (o *Overloaded) compare() {
	for _, st := range o.Stages[1:] {
		for name, k := range st.Kinds {
			k.Ratio = round(k.Accepted.P99 / max(.01, o.Stages[0].Kinds[name].Accepted.P99))
			st.Kinds[name] = k
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// tally is what came of the calls of a kind in a stage.
type tally struct {
	mu       sync.Mutex
	accepted []time.Duration
	onset    []time.Duration // those accepted in the first second
	later    []time.Duration // the others
	refused  []time.Duration
	errors   map[string]int
	late     []time.Duration
}

func (t *tally) note(after, took, late time.Duration, wrong string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.late = append(t.late, late)
	switch wrong {
	case "":
		t.accepted = append(t.accepted, took)
		if after < time.Second {
			t.onset = append(t.onset, took)
		} else {
			t.later = append(t.later, took)
		}
	case refused(503).Error(), refused(429).Error():
		t.refused = append(t.refused, took)
	default:
		t.errors[wrong]++
	}
}

// stage calls at a rate, whether or not the calls before have ended.
func (w *callers) stage(ctx context.Context, s *server.Server, rate float64, span time.Duration) Stage {
	tallies := map[string]*tally{}
	for _, k := range kinds {
		tallies[k.name] = &tally{errors: map[string]int{}}
	}
	var under sync.WaitGroup
	before, start := s.Processor(), time.Now()
	for i := 0; ; i++ {
		after := time.Duration(float64(i) / rate * float64(time.Second))
		if after >= span || ctx.Err() != nil {
			break
		}
		intended := start.Add(after)
		time.Sleep(time.Until(intended))
		late, kind := time.Since(intended), kindOf(i)
		under.Go(func() {
			wrong := w.one(ctx, kind)
			tallies[kind].note(after, time.Since(intended), late, wrong)
		})
	}
	cores := (s.Processor() - before).Seconds() / time.Since(start).Seconds()
	under.Wait()
	st := Stage{Asked: round(rate), Kinds: map[string]Kind{}, Cores: round(cores)}
	var late []time.Duration
	for name, t := range tallies {
		st.Kinds[name] = Kind{Accepted: latencyOf(t.accepted), Onset: latencyOf(t.onset), Later: latencyOf(t.later), Refusals: latencyOf(t.refused), Errors: t.errors}
		late = append(late, t.late...)
	}
	st.Lag = latencyOf(late).P99
	return st
}

// kindOf spreads the kinds over the calls by their shares, each evenly (a low-discrepancy sequence).
func kindOf(i int) string {
	const golden = .6180339887498949
	_, at := math.Modf(float64(i) * golden)
	for _, k := range kinds {
		if at < k.share {
			return k.name
		}
		at -= k.share
	}
	return kinds[0].name
}

// capacity is how many calls a second are accepted of callers that call one after the other, the most of several numbers of them.
func (w *callers) capacity(ctx context.Context, span time.Duration) (float64, error) {
	best := 0.
	for _, n := range []int{2, 4, 8, 16} {
		if err := w.prepare(ctx, 400); err != nil {
			return 0, err
		}
		var good, next atomic.Int64
		var under sync.WaitGroup
		start, part := time.Now(), span/4
		for range n {
			under.Go(func() {
				for time.Since(start) < part && ctx.Err() == nil {
					if w.one(ctx, kindOf(int(next.Add(1)))) == "" {
						good.Add(1)
					}
				}
			})
		}
		under.Wait()
		best = max(best, float64(good.Load())/time.Since(start).Seconds())
	}
	return round(best), ctx.Err()
}

// warm makes the server learn how long its calls take where hardly anybody calls.
func (w *callers) warm(ctx context.Context) error {
	for i := range 100 {
		if wrong := w.one(ctx, kindOf(i)); wrong != "" {
			return fmt.Errorf("a server that nobody else calls answers %s", wrong)
		}
	}
	return nil
}

// String tells it to a person.
func (o Overloaded) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %.0f calls a second are borne (%v); apart: %v; accepted and lost: %d\n", o.Database, o.Capacity, o.Mix, o.Apart, o.Lost)
	for _, st := range o.Stages {
		fmt.Fprintf(&b, "  × %.1f: %.0f a second asked for, server %.2f cores, generator behind by %.1f ms (p99)\n", st.Times, st.Asked, st.Cores, st.Lag)
		names := make([]string, 0, len(kinds))
		for _, k := range kinds {
			names = append(names, k.name)
		}
		slices.Sort(names)
		for _, name := range names {
			k := st.Kinds[name]
			fmt.Fprintf(
				&b, "    %-8s accepted %6d  p50 %6.1f  p99 %6.1f ms (× %.2f; in the first second %.1f, later %.1f)   refused %6d  p50 %5.1f  p99 %6.1f ms   errors %v\n",
				name, k.Accepted.Calls, k.Accepted.P50, k.Accepted.P99, k.Ratio, k.Onset.P99, k.Later.P99, k.Refusals.Calls, k.Refusals.P50, k.Refusals.P99, k.Errors,
			)
		}
	}
	return b.String()
}
