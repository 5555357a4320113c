package session

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Engine looks at captures and answers questions (flow.Engine).
type Engine interface {
	Glance(ctx context.Context, c idv.Capture) error
	Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error)
	Yields(k idv.CaptureKind) []idv.ArtifactKind
	Needs(k idv.CheckKind) []idv.ArtifactKind
	Expected(w idv.WorkflowVersion) []idv.CheckKind
	Ready(k idv.CheckKind, w idv.WorkflowVersion, chosen idv.DocumentKind, settled []idv.Artifact) bool
	Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error)
}

// Pictures keeps bytes under the session's pictures key (store.Pictures).
type Pictures interface {
	Put(ctx context.Context, s idv.SessionID, name string, b []byte) error
	Get(ctx context.Context, s idv.SessionID, name string) ([]byte, error)
	// Delete removes one; nothing there is no error.
	Delete(ctx context.Context, name string) error
}

// Options of a Service. The zero value works.
type Options struct {
	Now    func() time.Time // time.Now
	Random io.Reader        // crypto/rand
	Log    *slog.Logger     // slog.Default

	ClaimLife  time.Duration // how long somebody has a case without doing anything; DefaultClaimLife
	CaseTarget time.Duration // within which a case should be decided; DefaultCaseTarget
}

// looksAtOnce bounds the memory of pictures opened while somebody waits: each may have 50 million pixels. Jobs have
// their own bound, the number of workers.
const looksAtOnce = 4

// Service does everything that is done with sessions. It is safe for concurrent use.
type Service struct {
	store    Store
	pictures Pictures
	engine   Engine
	now      func() time.Time
	random   io.Reader
	log      *slog.Logger
	looks    chan struct{}
	judge    policy.Judge

	claimLife, caseTarget time.Duration
}

// New makes a Service.
func New(st Store, pictures Pictures, engine Engine, o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.ClaimLife <= 0 {
		o.ClaimLife = DefaultClaimLife
	}
	if o.CaseTarget <= 0 {
		o.CaseTarget = DefaultCaseTarget
	}
	// Databases keep microseconds: what is returned has to be what is read back.
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }
	return &Service{
		store: st, pictures: pictures, engine: engine, now: now, random: o.Random, log: o.Log, looks: make(chan struct{}, looksAtOnce),
		claimLife: o.ClaimLife, caseTarget: o.CaseTarget,
	}
}

// look waits for a turn to open a picture.
func (s *Service) look(ctx context.Context) (done func(), err error) {
	select {
	case s.looks <- struct{}{}:
		return func() { <-s.looks }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to look at a picture: %w", ctx.Err())
	}
}

// Handlers are this service's share of the job handlers.
func (s *Service) Handlers() job.Handlers {
	return job.Handlers{
		Extract: func(ctx context.Context, a job.Extract) error { return gone(s.Extract(ctx, a.Session, a.Capture)) },
		Check:   func(ctx context.Context, a job.Check) error { return gone(s.Settle(ctx, a.Session)) },
		Sweep:   s.Sweep,
		Erase:   func(ctx context.Context, a job.Erase) error { return s.FinishErasing(ctx, a.Session) },
		Retain:  s.Retain,
		Expire:  s.Expire,
	}
}

// gone leaves alone what was erased while its job waited: there is nothing to do, and no retry brings it back.
func gone(err error) error {
	if problem.Has(err, problem.SessionErased) {
		return nil
	}
	return err
}
