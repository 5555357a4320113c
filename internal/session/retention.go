package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Due asks for finished sessions of a workflow version whose time is over.
type Due struct {
	Workflow idv.WorkflowVersionID
	Scope    Scope
	Before   time.Time // they came to their end before
	Limit    int
}

// RetentionStore keeps how long things are kept, and finds what was kept long enough.
type RetentionStore interface {
	// Retention answers the deployment's setting; zero where nothing was set.
	Retention(ctx context.Context) (idv.Retention, error)
	// DueSessions lists sessions that are due, neither held nor erased yet, oldest first.
	DueSessions(ctx context.Context, d Due) ([]idv.SessionID, error)
	// WorkflowVersions lists every version of every workflow, also retired ones.
	WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error)
}

// RetentionWriter keeps the setting.
type RetentionWriter interface {
	SetRetention(ctx context.Context, r idv.Retention) error
}

// retainBatch bounds what is erased between two cleanings of files, and so how long one takes.
const retainBatch = cleanBatch

// Retain is the job that erases what was kept long enough: pictures first, later everything personal. It goes on until
// nothing is due or its time is over; whatever is left is the next run's. Any node may run it, also two at once: a session is
// erased under its lock, once.
func (s *Service) Retain(ctx context.Context) error {
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.System})
	set, err := s.store.Retention(ctx)
	if err != nil {
		return err
	}
	versions, err := s.store.WorkflowVersions(ctx)
	if err != nil {
		return err
	}
	var errs error
	for _, w := range versions {
		kept := w.Kept(set)
		for _, d := range []Due{
			{Workflow: w.ID, Scope: ScopeAll, Before: s.now().Add(-kept.Report), Limit: retainBatch},
			{Workflow: w.ID, Scope: ScopePictures, Before: s.now().Add(-kept.Pictures), Limit: retainBatch},
		} {
			if err := s.retain(ctx, d); err != nil {
				errs = errors.Join(errs, fmt.Errorf("retention of %s: %w", w.ID, err))
			}
		}
	}
	return errs
}

// retain erases everything that is due, batch by batch. A session that cannot be erased ends it: the next run tries again.
func (s *Service) retain(ctx context.Context, d Due) error {
	for ctx.Err() == nil {
		ids, err := s.store.DueSessions(ctx, d)
		if err != nil || len(ids) == 0 {
			return err
		}
		var done []idv.SessionID
		for _, id := range ids {
			fresh, err := s.erase(ctx, "", id, d.Scope, OnRetention)
			if err != nil && !problem.Has(err, problem.SessionLegalHold) { // set a moment ago
				return errors.Join(err, s.store.Clean(ctx, done))
			}
			if fresh {
				done = append(done, id)
			}
		}
		if err := s.store.Clean(ctx, done); err != nil {
			return err
		}
		if len(done) > 0 {
			s.log.InfoContext(ctx, "erased what was kept long enough", "scope", d.Scope, "sessions", len(done))
		}
		if len(ids) < d.Limit {
			return nil
		}
	}
	return ctx.Err()
}

// Keeping says until when a session's data is kept. Zero times: not known before the session came to its end, or gone.
type Keeping struct {
	PicturesUntil time.Time
	ReportUntil   time.Time
}

// keeping computes it; while a hold is set the times say what would be due.
func keeping(rec Record, w idv.WorkflowVersion, set idv.Retention) Keeping {
	if !rec.State.Final() || !rec.ErasedAt.IsZero() {
		return Keeping{}
	}
	kept := w.Kept(set)
	out := Keeping{ReportUntil: rec.TouchedAt.Add(kept.Report)}
	if rec.PicturesErasedAt.IsZero() {
		out.PicturesUntil = rec.TouchedAt.Add(kept.Pictures)
	}
	return out
}

// viewed is a session with its workflow version and until when its data is kept.
func (s *Service) viewed(ctx context.Context, r Reader, rec Record, w idv.WorkflowVersion) (View, error) {
	set, err := r.Retention(ctx)
	return View{Session: rec.Session, Workflow: w, Keeping: keeping(rec, w, set)}, err
}
