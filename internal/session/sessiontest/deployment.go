package sessiontest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
)

// Deployment is the services of sessions on a store in memory, with an engine that reads scenes.
type Deployment struct {
	*services.Services
	Store *Store
	Lab   *idvtest.Lab
	Clock *Clock
	// PDF renders PDF files. Nil makes them no pictures.
	PDF func(b []byte) ([][]byte, error)
	// Reviewers may decide cases, whatever the mode.
	Reviewers []review.Reviewer
}

// pages renders by the Deployment's PDF.
type pages struct{ *Deployment }

func (p pages) Render(_ context.Context, b []byte) ([][]byte, error) {
	if p.PDF == nil {
		return nil, problem.New(problem.CaptureNotAnImage)
	}
	return p.PDF(b)
}

// New returns a Deployment whose clock starts at noon of 2 March 2026, UTC.
func New(t testing.TB) *Deployment {
	t.Helper()
	d := &Deployment{Lab: &idvtest.Lab{}, Clock: &Clock{now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}}
	engine, err := flow.New(d.Lab.Gates(), d.Lab.Extractors(), append(d.Lab.Checkers(), checker.OfSeen(idvtest.Faces{})...), flow.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.Store = NewStore(d.Clock.Now)
	d.Services = services.New(d.Store, d.Store.Pictures(), engine, services.Options{
		Now: d.Clock.Now, Log: slog.New(slog.DiscardHandler), Renderer: pages{d},
		Deciders: func(context.Context, idv.Mode) ([]review.Reviewer, error) { return slices.Clone(d.Reviewers), nil },
	})
	return d
}

// Clock is moved by tests alone.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the time.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// maxRounds bounds Work: jobs that enqueue others for ever are a fault.
const maxRounds = 1000

// Work runs the jobs that wait, and those that they enqueue, in the order of enqueueing until none is left. A job that fails
// is tried again at once, as often as job.MaxAttempts says, and is given up then.
func (d *Deployment) Work(t testing.TB) {
	t.Helper()
	for range maxRounds {
		waiting := d.Store.Jobs()
		if len(waiting) == 0 {
			return
		}
		d.Store.EndJob(waiting[0].Seq)
		if err := d.run(t.Context(), waiting[0].Args); err != nil {
			t.Logf("job %s is given up: %v", waiting[0].Args.Kind(), err)
		}
	}
	t.Fatalf("jobs are left after %d", maxRounds)
}

// run tries a job until it succeeds or no try is left.
func (d *Deployment) run(ctx context.Context, a job.Args) error {
	h := d.Handlers()
	var err error
	for n := 1; n <= job.MaxAttempts(); n++ {
		ctx := job.WithAttempt(ctx, job.Attempt{Number: n, Max: job.MaxAttempts()})
		switch a := a.(type) {
		case job.Extract:
			err = h.Extract(ctx, a)
		case job.Check:
			err = h.Check(ctx, a)
		case job.Erase:
			err = h.Erase(ctx, a)
		case job.Assign:
			err = h.Assign(ctx)
		default:
			return fmt.Errorf("no handler for jobs of kind %s", a.Kind())
		}
		if err == nil {
			return nil
		}
	}
	return err
}

// Workflow publishes a variant of the workflow for pictures alone in test mode, and returns its name.
func (d *Deployment) Workflow(name string, change func(*idv.WorkflowVersion)) string {
	w := idv.PictureWorkflow(idv.Test)
	w.Name = name
	change(&w)
	d.Store.AddWorkflow(w)
	return name
}

// Session reads a session.
func (d *Deployment) Session(t testing.TB, id idv.SessionID) idv.Session {
	t.Helper()
	v, err := d.Sessions.Get(t.Context(), "", id)
	if err != nil {
		t.Fatal(err)
	}
	return v.Session
}

// Record reads a session with what must not leave the server.
func (d *Deployment) Record(t testing.TB, id idv.SessionID) session.Record {
	t.Helper()
	rec, err := d.Store.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Create makes a session: in test mode, following the workflow for pictures alone, unless the specification says otherwise.
func (d *Deployment) Create(t testing.TB, n session.Spec) session.Created {
	t.Helper()
	if n.Mode == "" {
		n.Mode = idv.Test
	}
	if n.Workflow == "" {
		n.Workflow = idv.WorkflowNoLiveness
	}
	c, err := d.Sessions.Create(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// WantProblem fails the test unless err is a problem of kind k.
func WantProblem(t testing.TB, err error, k problem.Kind) {
	t.Helper()
	if !problem.Has(err, k) {
		t.Errorf("got %v, want problem %s", err, k.Code)
	}
}

// As is the context in which a member acts.
func As(t testing.TB, id idv.UserID) context.Context {
	return audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: string(id), Address: "192.0.2.7"})
}
