package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Adopt takes over, at once, the jobs of a worker that vanished, where it is certain that it did: on SQLite,
// whoever works holds a lock on a file beside the database, and the kernel gives it back when the process dies.
// On PostgreSQL, where any number of nodes work, River rescues such jobs after job.RescueAfter. The answered
// function releases the lock.
func (s *Queue) Adopt(ctx context.Context) (release func(), err error) {
	if s.db.File == "" {
		return func() {}, nil
	}
	f, err := os.OpenFile(s.db.File+".worker", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("take the worker's lock: %w", err)
	}
	release = func() {
		if err := f.Close(); err != nil {
			s.db.Logger.Error("cannot release the worker's lock", "error", err)
		}
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return release, nil // another process works this database, and its jobs are its own
	}
	if err != nil {
		release()
		return nil, fmt.Errorf("take the worker's lock: %w", err)
	}
	// A job on its last try is left to River, which ends it: it may be what kills the worker.
	res, err := s.db.Write.ExecContext(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running' AND attempt < max_attempts")
	if err != nil {
		release()
		return nil, fmt.Errorf("adopt jobs: %w", err)
	}
	if n, err := res.RowsAffected(); err == nil && n > 0 {
		s.db.Logger.InfoContext(ctx, "jobs of a vanished worker adopted", "count", n)
	}
	return release, nil
}
