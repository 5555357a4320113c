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
	Retention(ctx context.Context) (idv.RetentionSetting, error)
	// DueSessions lists sessions that are due, neither held nor erased yet, oldest first.
	DueSessions(ctx context.Context, d Due) ([]idv.SessionID, error)
	// CountDue counts such sessions, for each of several times.
	CountDue(ctx context.Context, of []idv.WorkflowVersionID, scope Scope, before []time.Time) ([]int, error)
	// CountEntries counts entries of the audit log that were made before each of several times and belong to no held session.
	CountEntries(ctx context.Context, before []time.Time) ([]int, error)
	// RetentionRuns answers what the job did lately; zero where it never ran.
	RetentionRuns(ctx context.Context) (RetentionRuns, error)
	// WorkflowVersions lists every version of every workflow, also retired ones.
	WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error)
}

// RetentionWriter keeps the setting.
type RetentionWriter interface {
	SetRetention(ctx context.Context, r idv.RetentionSetting) error
	SetRetentionRuns(ctx context.Context, r RetentionRuns) error
}

// AuditTrimmer takes entries out of the audit log. Their hashes stay, so that everything else can still be proven.
type AuditTrimmer interface {
	// TrimAudit removes entries that were made before a time and belong to no held session, and answers how many. It is put on
	// record first; at most once a day.
	TrimAudit(ctx context.Context, before time.Time) (int, error)
}

// RetentionRun is what one run of the job did.
type RetentionRun struct {
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at"`
	Pictures  int       `json:"pictures"` // sessions whose pictures were erased, and nothing else yet
	Sessions  int       `json:"sessions"` // sessions of which everything was erased
	Entries   int       `json:"entries"`  // entries that left the audit log
	Failed    bool      `json:"failed"`   // something could not be erased, or time was over: the next run goes on
}

// RetentionRuns are the last run, and the last that erased something.
type RetentionRuns struct {
	Last   RetentionRun `json:"last"`
	Erased RetentionRun `json:"erased"`
}

// retainBatch bounds what is erased between two cleanings of files, and so how long one takes.
const retainBatch = cleanBatch

// Retain is the job that erases what was kept long enough: pictures first, later everything personal, at last entries of the
// audit log. It goes on until nothing is due or its time is over; whatever is left is the next run's. Any node may run it, also
// two at once: a session is erased under its lock, once.
func (s *Service) Retain(ctx context.Context) error {
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.System})
	run := RetentionRun{StartedAt: s.now()}
	err := s.retainAll(ctx, &run)
	run.EndedAt, run.Failed = s.now(), err != nil
	return errors.Join(err, s.noteRun(ctx, run))
}

func (s *Service) retainAll(ctx context.Context, run *RetentionRun) error {
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
			n, err := s.retain(ctx, d)
			if err != nil {
				errs = errors.Join(errs, fmt.Errorf("retention of %s: %w", w.ID, err))
			}
			if d.Scope == ScopeAll {
				run.Sessions += n
			} else {
				run.Pictures += n
			}
		}
	}
	run.Entries, err = s.store.TrimAudit(ctx, s.now().Add(-set.InForce().Audit))
	return errors.Join(errs, err)
}

// noteTime is how long the note of a run may take, also where the run's own time is over.
const noteTime = 5 * time.Second

// noteRun keeps what a run did, for whoever wants to see that erasing goes on.
func (s *Service) noteRun(ctx context.Context, run RetentionRun) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	return s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
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

// retain erases everything that is due, batch by batch, and answers of how many sessions. A session that cannot be erased ends
// it: the next run tries again.
func (s *Service) retain(ctx context.Context, d Due) (total int, err error) {
	for ctx.Err() == nil {
		ids, err := s.store.DueSessions(ctx, d)
		if err != nil || len(ids) == 0 {
			return total, err
		}
		done, err := s.retainSome(ctx, ids, d.Scope)
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

// retainSome erases sessions until one cannot be.
func (s *Service) retainSome(ctx context.Context, ids []idv.SessionID, scope Scope) (done []idv.SessionID, err error) {
	for _, id := range ids {
		fresh, err := s.erase(ctx, "", id, scope, OnRetention)
		if err != nil && !problem.Has(err, problem.SessionLegalHold) { // set a moment ago
			return done, err
		}
		if fresh {
			done = append(done, id)
		}
	}
	return done, nil
}

// Keeping says until when a session's data is kept. Zero times: not known before the session came to its end, or gone.
type Keeping struct {
	PicturesUntil time.Time
	ReportUntil   time.Time
}

// keeping computes it; while a hold is set the times say what would be due.
func keeping(rec Record, w idv.WorkflowVersion, set idv.RetentionSetting) Keeping {
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
