// Package load measures how many sessions a server can be asked for: a real `serve` process over HTTP, sessions made at a
// steady rate whether or not those before are done (an open loop: nothing waits for the server, as nothing does outside), and
// readers of the console at the same time. Beside it, before and after, a loop that does nothing but insert a row and commit
// it, on the same database with the same durability: how fast the machine is goes out of the ratio of the two.
package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/bench/server"
)

// Options of a run.
type Options struct {
	Program string        // the binary that serves
	Args    []string      // of its serve: the data directory and the database
	Rate    float64       // sessions a second
	Span    time.Duration // how long
	Warm    time.Duration // at the same rate beforehand, not counted
	Readers int           // of the console
	Pause   time.Duration // between two pages of a reader
}

// Committer keeps one row and commits it.
type Committer interface {
	Commit(ctx context.Context) error
}

// Bare is what the bare loop took.
type Bare struct {
	Paced   Latency `json:"paced"`                   // at the rate of the sessions
	Commits float64 `json:"most_commits_per_second"` // one after the other, as fast as it goes
}

// Result is what came of a run.
type Result struct {
	Database  string         `json:"database"`
	Asked     float64        `json:"asked_per_second"`
	Achieved  float64        `json:"achieved_per_second"`
	Seconds   float64        `json:"seconds"`
	Creations Latency        `json:"creations"`
	Errors    map[string]int `json:"errors"`
	Lag       float64        `json:"generator_behind_p99_ms"` // by how much the starter of calls was itself late; part of the latencies
	Server    Processor      `json:"server"`
	Readers   Reading        `json:"readers"`
	Before    Bare           `json:"bare_before"`
	After     Bare           `json:"bare_after"`
	Ratio     Ratio          `json:"ratio_to_bare"`
}

// Processor is what the server process used while sessions were made. A database of its own is not in it.
type Processor struct {
	Cores float64 `json:"cores"`          // on average
	PerMS float64 `json:"ms_per_session"` // all that it did, readers included
}

// Reading is how the console fared meanwhile.
type Reading struct {
	Readers int            `json:"readers"`
	Pages   Latency        `json:"pages"`
	Events  int64          `json:"stream_events"`
	Errors  map[string]int `json:"errors"`
}

// Ratio is how many times longer a creation took than one bare insert and commit at the same rate.
type Ratio struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
}

// bareSpan is how long each half of the bare loop runs, at most.
const bareSpan = 10 * time.Second

// MeasureBare runs the bare loop: at the rate, then as fast as it goes.
func MeasureBare(ctx context.Context, c Committer, rate float64, span time.Duration) (Bare, error) {
	span = min(span, bareSpan)
	paced := arrivals(ctx, rate, span, func(ctx context.Context) string { return wrong(c.Commit(ctx)) })
	if len(paced.errors) > 0 {
		return Bare{}, fmt.Errorf("the bare loop failed: %v", paced.errors)
	}
	begin, n := time.Now(), 0
	for ; time.Since(begin) < span/2; n++ {
		if err := c.Commit(ctx); err != nil {
			return Bare{}, err
		}
	}
	return Bare{Paced: latencyOf(paced.took), Commits: math.Round(float64(n) / time.Since(begin).Seconds())}, nil
}

// Run starts a server, makes sessions and reads, and stops the server.
func Run(ctx context.Context, o Options) (r Result, err error) {
	s, err := server.Start(ctx, o.Program, o.Args, server.Options{})
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	c := newClient(s)
	defer c.http.CloseIdleConnections()
	if err := c.loaded(ctx); err != nil {
		return Result{}, err
	}
	cookie, err := c.enter(ctx, s.Door)
	if err != nil {
		return Result{}, err
	}
	seen, err := c.anySession(ctx, cookie)
	if err != nil {
		return Result{}, fmt.Errorf("find a session to look at: %w", err)
	}
	return measure(ctx, o, s, c, &readers{c: c, cookie: cookie, session: seen})
}

func measure(ctx context.Context, o Options, s *server.Server, c *client, look *readers) (Result, error) {
	var made int64
	warm := arrivals(ctx, o.Rate, o.Warm, func(ctx context.Context) string { return wrong(c.create(ctx, -time.Now().UnixNano())) })
	if len(warm.errors) > 0 {
		return Result{}, fmt.Errorf("sessions cannot be made: %v", warm.errors)
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var beside sync.WaitGroup
	beside.Go(func() { look.run(reading, o.Readers, o.Pause) })
	var mu sync.Mutex
	before, begin := s.Processor(), time.Now()
	got := arrivals(ctx, o.Rate, o.Span, func(ctx context.Context) string {
		mu.Lock()
		made++
		n := made
		mu.Unlock()
		return wrong(c.create(ctx, n))
	})
	used, wall := s.Processor()-before, time.Since(begin)
	stop()
	beside.Wait()
	r := Result{
		Asked: o.Rate, Achieved: round(float64(len(got.took)) / got.span.Seconds()), Seconds: round(got.span.Seconds()), Creations: latencyOf(got.took),
		Errors: got.errors, Lag: latencyOf(got.late).P99,
		Server:  Processor{Cores: round(used.Seconds() / wall.Seconds()), PerMS: round(float64(used.Milliseconds()) / max(1, float64(len(got.took))))},
		Readers: Reading{Readers: o.Readers, Pages: latencyOf(look.took), Events: look.events.Load(), Errors: look.errors},
	}
	return r, ctx.Err()
}

// Against adds what the bare loop took, and how that compares.
func (r *Result) Against(before, after Bare) {
	r.Before, r.After = before, after
	mean := func(of func(Latency) float64) float64 { return (of(before.Paced) + of(after.Paced)) / 2 }
	r.Ratio = Ratio{
		P50: round(r.Creations.P50 / max(.01, mean(func(l Latency) float64 { return l.P50 }))),
		P99: round(r.Creations.P99 / max(.01, mean(func(l Latency) float64 { return l.P99 }))),
	}
}

func round(v float64) float64 { return math.Round(v*100) / 100 }

// String tells the result to a person.
func (r Result) String() string {
	var b strings.Builder
	line := func(what string, l Latency) {
		fmt.Fprintf(&b, "  %-22s %6d calls   p50 %.1f ms, p95 %.1f ms, p99 %.1f ms, longest %.1f ms\n", what, l.Calls, l.P50, l.P95, l.P99, l.Max)
	}
	fmt.Fprintf(&b, "%s: %.0f sessions a second asked for, %.1f made, for %.0f s\n", r.Database, r.Asked, r.Achieved, r.Seconds)
	line("sessions made", r.Creations)
	line("pages of the console", r.Readers.Pages)
	line("bare commit, before", r.Before.Paced)
	line("bare commit, after", r.After.Paced)
	fmt.Fprintf(&b, "  errors                 %v making, %v reading\n", r.Errors, r.Readers.Errors)
	fmt.Fprintf(
		&b, "  against a bare commit  p50 × %.1f, p99 × %.1f; bare, one after the other: %.0f and %.0f a second\n", r.Ratio.P50, r.Ratio.P99,
		r.Before.Commits, r.After.Commits,
	)
	fmt.Fprintf(
		&b, "  server                 %.2f cores, %.2f ms of processor a session; %d readers, %d events\n", r.Server.Cores, r.Server.PerMS,
		r.Readers.Readers, r.Readers.Events,
	)
	fmt.Fprintf(&b, "  the generator          started calls up to %.1f ms late (p99), which is in the figures\n", r.Lag)
	return b.String()
}
