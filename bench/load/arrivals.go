package load

import (
	"context"
	"math"
	"slices"
	"sync"
	"time"
)

// Latency of calls in milliseconds, each counted from the moment at which it was meant to start: what waits because
// something before it was slow counts as slow, whoever made it wait.
type Latency struct {
	Calls int     `json:"calls"`
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	P99   float64 `json:"p99_ms"`
	Max   float64 `json:"max_ms"`
}

// latencyOf takes the nearest rank; all zero for an empty list.
func latencyOf(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	v := slices.Sorted(slices.Values(took))
	at := func(p float64) float64 { return milliseconds(v[max(0, int(math.Ceil(p*float64(len(v))))-1)]) }
	return Latency{Calls: len(v), P50: at(.5), P95: at(.95), P99: at(.99), Max: milliseconds(v[len(v)-1])}
}

func milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())/10) / 100 }

// ran is what came of calls that were started at a steady rate.
type ran struct {
	took   []time.Duration // of those that succeeded, from the intended start
	late   []time.Duration // by how much the starter itself was behind
	errors map[string]int
	span   time.Duration // from the first intended start to the end of the last call
}

// arrivals starts a call every 1/rate seconds for as long as span, whether or not those before have ended, and waits for
// all. call answers what went wrong in a word, or nothing.
func arrivals(ctx context.Context, rate float64, span time.Duration, call func(context.Context) string) ran {
	out := ran{errors: map[string]int{}}
	var mu sync.Mutex
	var under sync.WaitGroup
	every := time.Duration(float64(time.Second) / rate)
	start := time.Now()
	for i := 0; ; i++ {
		after := time.Duration(i) * every
		if after >= span || ctx.Err() != nil {
			break
		}
		intended := start.Add(after)
		if wait := time.Until(intended); wait > 0 {
			time.Sleep(wait)
		}
		behind := time.Since(intended)
		under.Go(func() {
			wrong := call(ctx)
			took := time.Since(intended)
			mu.Lock()
			defer mu.Unlock()
			out.late = append(out.late, behind)
			if wrong != "" {
				out.errors[wrong]++
				return
			}
			out.took = append(out.took, took)
		})
	}
	under.Wait()
	out.span = time.Since(start)
	return out
}
