package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
)

// errNow ends a story that has come to the present: what is there is how it stands now.
var errNow = errors.New("the story goes on later")

// players play stories through the use cases.
type players struct {
	store    idle
	sessions *services.Services
	pictures session.Pictures
	clock    *Clock
	options  Options
	key      string
	finished []idv.SessionID // to be kept from now on
}

func newPlayers(st session.Store, pictures session.Pictures, clock *Clock, o Options) *players {
	p := &players{store: idle{Store: st}, pictures: pictures, clock: clock, options: o}
	if id, err := idv.NewID[idv.KeyID](clock.Now().AddDate(0, 0, -o.Days), chanceOf(o.Seed, 1<<41)); err == nil {
		p.key = string(id)
	}
	p.with(engine{})
	return p
}

// with makes the use cases anew, with another engine.
func (p *players) with(e session.Engine) {
	p.sessions = services.New(p.store, p.pictures, e, services.Options{Now: p.clock.Now, Log: p.options.Log})
}

// invent makes ids of members who are not there.
func (o *Options) invent(now time.Time) {
	chance := chanceOf(o.Seed, 1<<40)
	for i := range 3 {
		if id, err := idv.NewID[idv.UserID](now.AddDate(0, 0, -o.Days), chance); err == nil {
			o.Staff = append(o.Staff, review.Reviewer{ID: id, Overrules: i == 0})
		}
	}
	o.Officer = o.Staff[0].ID
}

func chanceOf(seed, of uint64) readerOf {
	return readerOf{rand.New(rand.NewPCG(seed, of))} //nolint:gosec // ids of nobody
}

// readerOf reads from a generator that is no secret.
type readerOf struct{ r *rand.Rand }

// Read implements io.Reader.
func (c readerOf) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c.r.IntN(256)) //nolint:gosec // a byte
	}
	return len(b), nil
}

// idle is a store whose transactions ask for no jobs: players do the work themselves.
type idle struct{ session.Store }

// InTx implements session.Store.
func (s idle) InTx(ctx context.Context, f func(context.Context, session.Tx) error) error {
	return s.Store.InTx(ctx, func(ctx context.Context, tx session.Tx) error { return f(ctx, idleTx{tx}) })
}

type idleTx struct{ session.Tx }

// Enqueue implements job.Enqueuer.
func (idleTx) Enqueue(context.Context, job.Args) error { return nil }

// play plays every story, then the specimens, then what time does to all of them.
func (p *players) play(ctx context.Context, stories []story, specimens []Specimen) error {
	all := len(stories) + len(specimens)
	for i, s := range stories {
		p.clock.Set(s.at)
		err := p.perform(ctx, &scene{story: s})
		if err != nil && !errors.Is(err, errNow) {
			return fmt.Errorf("story %d: %w", s.number, err)
		}
		p.options.Progress(i+1, all)
	}
	if err := p.playSpecimens(ctx, specimens, len(stories)); err != nil {
		return err
	}
	return p.afterwards(ctx)
}

// passed lets time go by, up to the present.
func (p *players) passed(d time.Duration) error {
	if !p.clock.pass(d) {
		return errNow
	}
	return nil
}

// perform plays one story.
func (p *players) perform(ctx context.Context, s *scene) error {
	ctx = withScene(ctx, s)
	integrator := audit.WithActor(ctx, audit.Actor{Kind: audit.APIKey, ID: p.key, Address: "198.51.100.7"})
	made, err := p.sessions.Sessions.Create(integrator, session.Spec{
		Mode: idv.Test, Workflow: s.workflow, ExternalReference: s.reference, Metadata: s.metadata, Claimed: s.facts(), Locale: s.locale,
	})
	if err != nil {
		return err
	}
	id := made.Session.ID
	if s.ending == cancelled {
		if err := p.passed(s.wait(40 * time.Minute)); err != nil {
			return err
		}
		if _, err := p.sessions.Sessions.Cancel(integrator, idv.Test, id); err != nil {
			return err
		}
		return p.finish(id, s)
	}
	if s.ending == unopened {
		return p.runOut(ctx, id, s, made.Workflow.LinkLife)
	}
	if err := p.passed(s.wait(9 * time.Minute)); err != nil {
		return err
	}
	applicant := audit.WithActor(ctx, audit.Actor{
		Kind: audit.Applicant, ID: string(id), Address: fmt.Sprintf("203.0.113.%d", 1+s.number%250),
	})
	if _, err := p.sessions.Applicant.Open(session.WithDevice(applicant, s.device), made.Link); err != nil {
		return err
	}
	if err := p.capture(applicant, id, s); err != nil {
		if errors.Is(err, errLeft) {
			return p.runOut(ctx, id, s, made.Workflow.SessionLife)
		}
		return err
	}
	return p.review(ctx, applicant, id, s)
}

// wait draws how long somebody takes, about d.
func (s *scene) wait(d time.Duration) time.Duration {
	return time.Duration(float64(d) * s.pace * (.4 + 1.2*s.r.Float64()))
}

// runOut lets the time of a session run out.
func (p *players) runOut(ctx context.Context, id idv.SessionID, s *scene, life time.Duration) error {
	if err := p.passed(life + 5*time.Minute); err != nil {
		return err
	}
	if err := p.sessions.Expire(ctx); err != nil {
		return err
	}
	return p.finish(id, s)
}

// finish notes that a session has come to its end.
func (p *players) finish(id idv.SessionID, s *scene) error {
	if !s.erased {
		p.finished = append(p.finished, id)
	}
	return nil
}

// afterwards lets the present do what it does to finished sessions: some are erased, some are held, the others are kept as
// if they had ended now, for else the next run of retention would erase what is older than a day.
func (p *players) afterwards(ctx context.Context) error {
	p.clock.Set(p.clock.now)
	if err := p.sessions.Expire(ctx); err != nil {
		return err
	}
	for _, id := range p.finished {
		err := p.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
			rec, err := tx.Lock(ctx, id)
			if err != nil || !rec.ErasedAt.IsZero() {
				return err
			}
			rec.TouchedAt = p.clock.Now()
			return tx.SaveSession(ctx, rec)
		})
		if err != nil {
			return fmt.Errorf("keep %s: %w", id, err)
		}
	}
	return p.sessions.Retention.Run(ctx) // what was not kept: the erased ones
}

// hold sets a legal hold.
func (p *players) hold(ctx context.Context, id idv.SessionID, s *scene) error {
	if !s.held {
		return nil
	}
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(p.options.Officer)})
	_, err := p.sessions.Holds.SetHold(ctx, idv.Test, id, "Demo data: a dispute that is not settled.")
	if problem.Has(err, problem.SessionErased) {
		return nil
	}
	return err
}
