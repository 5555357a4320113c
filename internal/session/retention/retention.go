package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// retainBatch bounds what is erased between two cleanings of files, and so how long one takes.
const retainBatch = cleanBatch

// Run is the job that erases what was kept long enough: pictures first, later everything personal, at last entries of the
// audit log. It goes on until nothing is due or its time is over; whatever is left is the next run's. Any node may run it, also
// two at once: a session is erased under its lock, once.
func (s *Retention) Run(ctx context.Context) error {
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.System})
	run := session.RetentionRun{StartedAt: s.life.Now()}
	err := s.runAll(ctx, &run)
	run.EndedAt, run.Failed = s.life.Now(), err != nil
	return errors.Join(err, s.saveRun(ctx, run))
}

func (s *Retention) runAll(ctx context.Context, run *session.RetentionRun) error {
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
		for _, d := range []session.Due{
			{Workflow: w.ID, Scope: session.ScopeAll, Before: s.life.Now().Add(-kept.Report), Limit: retainBatch},
			{Workflow: w.ID, Scope: session.ScopePictures, Before: s.life.Now().Add(-kept.Pictures), Limit: retainBatch},
		} {
			n, err := s.eraseDue(ctx, d)
			if err != nil {
				errs = errors.Join(errs, fmt.Errorf("retention of %s: %w", w.ID, err))
			}
			if d.Scope == session.ScopeAll {
				run.Sessions += n
			} else {
				run.Pictures += n
			}
		}
	}
	run.Entries, err = s.store.TrimAudit(ctx, s.life.Now().Add(-set.InForce().Audit))
	return errors.Join(errs, err)
}

// noteTime is how long the note of a run may take, also where the run's own time is over.
const noteTime = 5 * time.Second

// saveRun saves what a run did, which the console shows.
func (s *Retention) saveRun(ctx context.Context, run session.RetentionRun) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		runs, err := tx.RetentionRuns(ctx)
		if err != nil {
			return err
		}
		runs.Last = run
		if run.Pictures+run.Sessions+run.Entries > 0 {
			runs.Erased = run
		}
		return tx.SetRetentionRuns(ctx, runs)
	})
}

// eraseDue erases everything that is due, batch by batch, and answers of how many sessions. A session that cannot be erased ends
// it: the next run tries again.
func (s *Retention) eraseDue(ctx context.Context, d session.Due) (total int, err error) {
	for ctx.Err() == nil {
		ids, err := s.store.DueSessions(ctx, d)
		if err != nil || len(ids) == 0 {
			return total, err
		}
		done, err := s.eraseBatch(ctx, ids, d.Scope)
		total += len(done)
		if err = errors.Join(err, s.store.Clean(ctx, done)); err != nil {
			return total, err
		}
		if len(done) > 0 {
			s.log.InfoContext(ctx, "erased what was kept long enough", "scope", d.Scope, "sessions", len(done))
		}
		if len(ids) < d.Limit {
			return total, nil
		}
	}
	return total, ctx.Err()
}

// eraseBatch erases sessions until one cannot be.
func (s *Retention) eraseBatch(ctx context.Context, ids []idv.SessionID, scope session.Scope) (done []idv.SessionID, err error) {
	for _, id := range ids {
		fresh, err := s.erasures.erase(ctx, id, scope, session.OnRetention)
		if err != nil && !problem.Has(err, problem.SessionLegalHold) { // set a moment ago
			return done, err
		}
		if fresh {
			done = append(done, id)
		}
	}
	return done, nil
}
