// Package kills measures what a `kill -9` costs. A server is killed at random moments while sessions are at every stage of their
// lives, is started again, and each session is followed to its end: how long after the server was ready again it was decided, in
// which stage the kill met it, and whether anything was lost or done twice. Every life has to end before the next one begins, so
// that a session that waits is seen and not run over by the next kill; one kill in four meets the server again while it recovers.
package kills

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/bench/server"
)

// Options of a run.
type Options struct {
	Program string                                             // the binary that serves
	Place   func(ctx context.Context, slot int) (Place, error) // a new one, or the one that the slot had
	AtOnce  int                                                // places at the same time, each with a server; 1 if zero
	Kills   int                                                // in this run
	Seed    uint64                                             // of the first kill; the next has the next
	Lives   int                                                // sessions at the same time; 6 if zero
	Real    bool                                               // one life in eight sends pictures that are read; else personas settle all
	Log     io.Writer
	From    *Result             // what earlier runs found; nil for none
	Save    func(*Result) error // keeps what was found so far; nil for nothing
	Say     func(done, of int)
}

// Place is where a server keeps its data.
type Place struct {
	Args   []string // of serve
	Verify []string // the arguments that check the whole audit log there
}

// Bounds.
const (
	defaultLives = 6
	perPlace     = 50                     // kills before a place is checked as a whole and a new one taken
	again        = .25                    // of the kills, that another follows while the server recovers
	recovery     = time.Second            // within which it follows
	spread       = 600 * time.Millisecond // within which the lives of a cycle begin
	lifeTime     = 5 * time.Minute        // after which a life counts as stuck
)

// Run kills servers o.Kills times and adds what came of it to o.From.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Lives == 0 {
		o.Lives = defaultLives
	}
	b := &book{result: o.From, Options: o}
	if b.result == nil {
		b.result = newResult()
	}
	b.taken, b.end = b.result.Kills, b.result.Kills+o.Kills
	read, err := drawPictures(o.Real)
	if err != nil {
		return nil, err
	}
	drawn, err := personaPictures()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var slots sync.WaitGroup
	for slot := range max(1, o.AtOnce) {
		slots.Go(func() {
			for b.left() && ctx.Err() == nil {
				r := &run{book: b, slot: slot, pictures: read, drawn: drawn}
				err := r.place(ctx)
				if err == nil {
					err = b.save() // what was broken off is not kept
				}
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	slots.Wait()
	return b.result, context.Cause(ctx)
}

// book is what all places write into.
type book struct {
	Options
	mu         sync.Mutex
	result     *Result
	taken, end int // numbers of kills
}

// take returns the number of the next kill, if one is left.
func (b *book) take() (n int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken == b.end {
		return 0, false
	}
	b.taken++
	return b.taken - 1, true
}

func (b *book) left() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken < b.end
}

func (b *book) save() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.Save == nil {
		return nil
	}
	return b.Save(b.result)
}

// write changes the result.
func (b *book) write(change func(*Result)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b.result)
}

// run is what happens at one place.
type run struct {
	*book
	slot     int
	typical  [over]time.Duration // how long a stage takes
	pictures pair                // that are read
	drawn    pair                // that a persona sends

	server *server.Server
	call   *caller
	hooks  *receiver
	here   Place
	lives  []*life // all of this place
	killed int     // times here
}

// place kills a server at a new place, and checks in the end what is there.
func (r *run) place(ctx context.Context) (err error) {
	if r.here, err = r.Place(ctx, r.slot); err != nil {
		return err
	}
	if r.hooks, err = listen(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.hooks.close()) }()
	if err := r.start(ctx); err != nil {
		return err
	}
	defer func() {
		if r.server != nil {
			err = errors.Join(err, r.server.Kill())
		}
	}()
	r.call = &caller{base: r.server.Base, key: r.server.Key, http: &http.Client{Transport: &http.Transport{
		MaxIdleConns: 256, MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute,
	}}}
	defer r.call.http.CloseIdleConnections()
	a, err := r.call.post(ctx, "/v1/webhook-endpoints", r.call.key, map[string]string{"url": r.hooks.url})
	if err != nil {
		return err
	}
	if !a.ok() {
		return fmt.Errorf("register a webhook endpoint: %d %s", a.status, a.body)
	}
	for r.killed < perPlace && ctx.Err() == nil {
		n, ok := r.take()
		if !ok {
			break
		}
		if err := r.cycle(ctx, n); err != nil {
			return err
		}
	}
	return r.close(ctx)
}

func (r *run) start(ctx context.Context) error {
	s, err := server.Start(ctx, r.Program, r.here.Args, server.Options{Log: r.Log})
	if err != nil {
		return err
	}
	r.server = s
	return s.Ready(ctx)
}

// cycle lets sessions live, kills the server once or several times meanwhile, and waits for the end of all.
func (r *run) cycle(ctx context.Context, n int) error {
	seed := r.Seed + uint64(n)
	rng := rand.New(rand.NewPCG(seed, 0))                //nolint:gosec // a repeatable choice, no secret
	living, cancel := context.WithTimeout(ctx, lifeTime) // the server outlives it
	defer cancel()
	var under sync.WaitGroup
	lives := make([]*life, r.Lives)
	for i := range lives {
		l := r.newLife(rng, seed, i)
		lives[i] = l
		after := time.Duration(rng.Float64() * float64(spread))
		under.Go(func() {
			select {
			case <-living.Done():
			case <-time.After(after):
			}
			l.live(living)
		})
	}
	r.lives = append(r.lives, lives...)
	aim, target := stage(rng.IntN(int(over))), lives[rng.IntN(len(lives))]
	select {
	case <-target.reached[aim]:
	case <-living.Done():
	}
	wait := time.Duration(rng.Float64() * float64(max(r.typical[aim], 2*time.Millisecond)))
	for {
		select {
		case <-living.Done():
		case <-time.After(wait):
		}
		if err := r.kill(ctx, lives); err != nil {
			return err
		}
		if rng.Float64() >= again || allOver(lives) {
			break
		}
		if _, ok := r.take(); !ok {
			break
		}
		wait = time.Duration(rng.Float64() * float64(recovery))
	}
	under.Wait()
	if err := ctx.Err(); err != nil { // no life was left the time that it has
		return err
	}
	for _, l := range lives {
		r.learn(l)
		r.write(func(all *Result) { all.add(l, seed) })
	}
	return nil
}

func allOver(lives []*life) bool {
	for _, l := range lives {
		l.mu.Lock()
		at := l.at
		l.mu.Unlock()
		if at != over {
			return false
		}
	}
	return true
}

// kill kills the server and starts it again.
func (r *run) kill(ctx context.Context, lives []*life) error {
	for _, l := range lives {
		l.meet()
	}
	if err := r.server.Kill(); err != nil {
		return err
	}
	r.server = nil
	r.killed++
	began := time.Now()
	if err := r.start(ctx); err != nil {
		return err
	}
	ready := time.Now()
	r.write(func(all *Result) {
		all.Kills++
		all.Starts.add(ready.Sub(began))
		if r.Say != nil {
			r.Say(r.Kills-(r.end-all.Kills), r.Kills)
		}
	})
	for _, l := range lives {
		l.resume(ready)
	}
	return nil
}

func (r *run) newLife(rng *rand.Rand, seed uint64, i int) *life {
	l := newLife()
	l.name = fmt.Sprintf("kill-%d-%d", seed, i)
	l.persona = !r.Real || i > 0 || rng.IntN(4) > 0
	l.parts, l.erases = rng.IntN(2) == 0, rng.IntN(2) == 0
	l.call, l.hooks = r.call, r.hooks
	l.pictures = r.pictures
	if l.persona {
		l.pictures = r.drawn
	}
	l.pictures = l.pictures.marked(l.name)
	return l
}

// learn keeps how long stages take where nothing disturbs them.
func (r *run) learn(l *life) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s, took := range l.took {
		disturbed := false
		for _, m := range l.met {
			disturbed = disturbed || int(m.at) == s
		}
		if took == 0 || disturbed {
			continue
		}
		if r.typical[s] == 0 {
			r.typical[s] = took
		}
		r.typical[s] += (took - r.typical[s]) / 8
	}
}
