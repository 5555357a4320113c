package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// lockPoll is the pause between two tries to become the process that works jobs on SQLite.
const lockPoll = 200 * time.Millisecond

// Adopt waits until this process is the only one that works jobs, and takes over at once what a worker held that has died. It does so
// where one can know: on SQLite, where whoever works holds a lock on a file beside the database, so that nobody runs what is marked
// as running. On PostgreSQL it returns at once, and River rescues the jobs after WorkOptions.Rescue. release gives the lock back.
func (s *Queue) Adopt(ctx context.Context, up Upkeep) (release func(), err error) {
	if s.db.File == "" {
		return func() {}, nil
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	release = func() {
		if err := lock.Release(); err != nil {
			s.db.Logger.Error("cannot release the worker's lock", "error", err)
		}
	}
	if err := s.adopt(ctx); err != nil {
		release()
		return nil, err
	}
	if up.Adopt != nil {
		if err := up.Adopt(ctx); err != nil {
			release()
			return nil, err
		}
	}
	return release, nil
}

// lock waits for the lock of the worker: a server that is being replaced may hold it for some seconds more.
func (s *Queue) lock(ctx context.Context) (*database.Lock, error) {
	for said := false; ; said = true {
		lock, err := s.db.TryLock("worker", true)
		if lock != nil || err != nil {
			return lock, err
		}
		if !said {
			s.db.Logger.InfoContext(ctx, "another process works the jobs of this database; this one takes over when it ends")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// adopt releases what is marked as running, and the leadership, which would otherwise be held for some twenty seconds more: without
// a leader nothing that is scheduled or to be repeated is worked, nor is anything swept.
func (s *Queue) adopt(ctx context.Context) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		res, err := t.Conn.ExecContext(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running' AND attempt < max_attempts")
		if err != nil {
			return fmt.Errorf("adopt jobs: %w", err)
		}
		adopted, err := res.RowsAffected()
		if err != nil {
			return fmt.Errorf("adopt jobs: %w", err)
		}
		// A job on its last try may be what kills the worker. It ends, and the sweep decides what becomes of its session.
		var ended []endedJob
		err = t.Conn.NewRaw("UPDATE river_job SET state = 'discarded', finalized_at = datetime('now', 'subsec') "+
			"WHERE state = 'running' RETURNING kind, args ->> 'session' AS session").Scan(ctx, &ended)
		if err != nil {
			return fmt.Errorf("end jobs: %w", err)
		}
		if _, err := t.Conn.ExecContext(ctx, "DELETE FROM river_leader"); err != nil {
			return fmt.Errorf("end the leadership: %w", err)
		}
		if adopted+int64(len(ended)) > 0 {
			s.db.Logger.InfoContext(ctx, "jobs of a vanished worker adopted", "count", adopted, "ended", len(ended))
		}
		return s.sweepEnded(ctx, t, ended)
	})
}

// endedJob is a job that had no try left.
type endedJob struct {
	Kind    string
	Session *string
}

// sweepEnded has the sessions swept that waited for jobs that ended.
func (s *Queue) sweepEnded(ctx context.Context, t *database.Tx, ended []endedJob) error {
	var sweep job.Sweep
	for _, j := range ended {
		if j.Session != nil && (j.Kind == job.Extract{}.Kind() || j.Kind == job.Check{}.Kind()) {
			sweep.Sessions = append(sweep.Sessions, idv.SessionID(*j.Session))
		}
	}
	if len(sweep.Sessions) == 0 {
		return nil
	}
	w := s.In(t)
	return w.Enqueue(ctx, sweep)
}
