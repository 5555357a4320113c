package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivertype"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// The queues. Upkeep has its own, so that no crowd of pictures holds it up. Webhooks wait for others most of the time;
// endpoints that fail have a queue apart from those that answer, so that no number of them keeps the others waiting.
const (
	queueWork   = river.QueueDefault
	queueUpkeep = "upkeep"
	queueHooks  = "webhooks"
	queueAiling = "webhooks_ailing"
	queueLists  = "watchlists"
	queueMails  = "mails"

	HooksAtOnce  = 8
	ailingAtOnce = 4
	mailsAtOnce  = 4
)

// Queue is the job queue of a database. It is safe for concurrent use.
type Queue struct {
	db       *database.DB
	inserter inserter
}

// JobWriter enqueues jobs in a transaction: they are worked only if it commits.
type JobWriter struct {
	*database.Tx
	queue *Queue
}

// In returns a JobWriter for a transaction.
func (s *Queue) In(t *database.Tx) JobWriter { return JobWriter{Tx: t, queue: s} }

// JobReader looks at jobs.
type JobReader struct{ *database.Reader }

// inserter writes jobs in a transaction of database/sql.
type inserter interface {
	InsertTx(ctx context.Context, tx *sql.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
}

// New returns the Queue of a database. It reads nothing yet: the schema may be missing.
func New(db *database.DB) (*Queue, error) {
	// A job that is added within the cooldown after another tells no worker of it: on PostgreSQL it would wait for the next poll
	// where its transaction commits after the worker looked.
	conf := &river.Config{Logger: db.Logger, FetchCooldown: river.FetchCooldownMin}
	s := &Queue{db: db}
	var err error
	if db.Pool != nil {
		s.inserter, err = river.NewClient(riverdatabasesql.New(db.Write.DB), conf)
	} else {
		s.inserter, err = river.NewClient(riversqlite.New(db.Write.DB), conf)
	}
	if err != nil {
		return nil, fmt.Errorf("open the job queue: %w", err)
	}
	return s, nil
}

// Enqueue implements job.Enqueuer.
func (t *JobWriter) Enqueue(ctx context.Context, a job.Args) error {
	o, err := withTraceparent(ctx, a, insertOpts(a))
	if err != nil {
		return err
	}
	if _, err := t.queue.inserter.InsertTx(ctx, t.SQL, a, o); err != nil {
		return fmt.Errorf("enqueue %s: %w", a.Kind(), err)
	}
	return nil
}

// Pending implements session.RecordReader. The job of a worker that vanished counts until River rescues it.
func (r *JobReader) Pending(ctx context.Context, id idv.SessionID) (bool, error) {
	n, err := r.Conn.NewSelect().TableExpr("river_job").
		Where("state NOT IN ('completed', 'cancelled', 'discarded')").
		Where("kind IN (?, ?)", job.Extract{}.Kind(), job.Check{}.Kind()).
		Where("args ->> 'session' = ?", string(id)).Count(ctx)
	if err != nil {
		return false, fmt.Errorf("look into the queue: %w", err)
	}
	return n > 0, nil
}

// insertOpts: a check is quick and brings a session to its end, so it goes first.
func insertOpts(a job.Args) *river.InsertOpts {
	o := &river.InsertOpts{MaxAttempts: job.MaxAttempts(), Queue: queueWork, Priority: 2}
	switch a := a.(type) {
	case job.Check:
		o.Priority = 1
	case job.Deliver:
		o.Queue, o.ScheduledAt = queueHooks, a.At
		if a.Failing {
			o.Queue = queueAiling
		}
	case job.FetchList, job.Rescreen:
		o.Queue, o.Priority = queueLists, 3
	case job.FetchRevocations:
		o.MaxAttempts, o.Queue, o.Priority = 1, queueLists, 3
	case job.Mail:
		o.Queue, o.ScheduledAt = queueMails, a.At
	case job.Sweep, job.Expire, job.Assign, job.Sequence, job.Tidy, job.Redeliver, job.Retain, job.Sum, job.SweepLists, job.Notice:
		o.MaxAttempts, o.Queue = 1, queueUpkeep
	case job.Erase:
		o.Queue, o.ScheduledAt = queueUpkeep, time.Now().Add(eraseAfter)
	}
	return o
}

// Every how often the upkeep runs.
const (
	sweepEvery    = 30 * time.Second
	expireEvery   = time.Minute
	sequenceEvery = 10 * time.Second
	tidyEvery     = 24 * time.Hour
	redeliverEach = 30 * time.Second
	sumEvery      = 5 * time.Minute
	listsEvery    = time.Minute
	noticeEvery   = 5 * time.Minute
	revokedEvery  = 6 * time.Hour // states issue a revocation list at least every 90 days, and after an incident within two (ICAO 9303-12)
)

// eraseAfter is when a job looks after an erasing that its caller should have finished, by the clock that River goes by.
const eraseAfter = 15 * time.Second

// WorkOptions say how jobs are worked.
type WorkOptions struct {
	Workers int           // at the same time; 0 for 2
	Poll    time.Duration // how often a queue without notifications is asked; 0 for 100 ms
	Rescue  time.Duration // when a job whose worker vanished is tried again; 0 for job.RescueAfter
	Timeout time.Duration // of one try; 0 for job.Timeout
}

// Upkeep is what the store does itself beside the work of some jobs.
type Upkeep struct {
	Adopt    func(context.Context) error // once before jobs are worked, where what a worker held that has died can be released; may be nil
	Expire   func(context.Context) error // with job.Expire
	Sequence func(context.Context) error // with job.Sequence
}

// Work works jobs until the context ends, and then waits up to ten seconds for those under way. A job that takes longer is
// canceled and tried again later. A database that does not answer at the start is asked again until it does. Every handler must be set.
func (s *Queue) Work(ctx context.Context, h job.Handlers, up Upkeep, o WorkOptions) error {
	release, err := s.Adopt(ctx, up)
	if errors.Is(err, context.Canceled) {
		return nil // before it was this process's turn
	}
	if err != nil {
		return err
	}
	defer release()
	if s.db.Pool != nil {
		return workOn(ctx, riverpgxv5.New(s.db.Pool), s.workConfig(h, up, o), s.db.Logger)
	}
	return workOn(ctx, riversqlite.New(s.db.Write.DB), s.workConfig(h, up, o), s.db.Logger)
}

func (s *Queue) workConfig(h job.Handlers, up Upkeep, o WorkOptions) *river.Config {
	if o.Workers == 0 {
		o.Workers = 2
	}
	if o.Poll == 0 {
		o.Poll = 100 * time.Millisecond
	}
	if o.Rescue == 0 {
		o.Rescue = job.RescueAfter
	}
	if o.Timeout == 0 {
		o.Timeout = job.Timeout
	}
	cooldown := min(o.Poll, river.FetchCooldownDefault)
	if s.db.Pool != nil {
		o.Poll = max(o.Poll, time.Second) // notifications wake it; the poll is for those that got lost
	}
	return &river.Config{
		Logger:                      s.db.Logger,
		Workers:                     s.workers(h, up),
		Queues:                      queues(o),
		PeriodicJobs:                upkeep(),
		FetchCooldown:               cooldown,
		FetchPollInterval:           o.Poll,
		JobTimeout:                  o.Timeout,
		RescueStuckJobsAfter:        o.Rescue,
		RetryPolicy:                 retryPolicy{},
		MaxAttempts:                 job.MaxAttempts(),
		CompletedJobRetentionPeriod: time.Hour,
	}
}

// queues says how many jobs of each queue are worked at the same time. Webhooks need not start within a moment, and
// asking for them less often spares the database.
func queues(o WorkOptions) map[string]river.QueueConfig {
	return map[string]river.QueueConfig{
		queueWork: {MaxWorkers: o.Workers}, queueUpkeep: {MaxWorkers: 1},
		queueHooks:  {MaxWorkers: HooksAtOnce, FetchPollInterval: 4 * o.Poll},
		queueAiling: {MaxWorkers: ailingAtOnce, FetchPollInterval: 10 * o.Poll},
		queueLists:  {MaxWorkers: 1, FetchPollInterval: 4 * o.Poll}, // a long list must not keep pictures waiting
		queueMails:  {MaxWorkers: mailsAtOnce, FetchPollInterval: 4 * o.Poll},
	}
}

func workOn[TTx any](ctx context.Context, driver riverdriver.Driver[TTx], conf *river.Config, log *slog.Logger) error {
	client, err := river.NewClient(driver, conf)
	if err != nil {
		return fmt.Errorf("open the job queue: %w", err)
	}
	if !start(ctx, client, log) {
		return nil
	}
	<-ctx.Done()
	graceful, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	err = client.Stop(graceful)
	if errors.Is(err, context.DeadlineExceeded) {
		hard, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		err = client.StopAndCancel(hard)
	}
	if err != nil {
		return fmt.Errorf("stop working jobs: %w", err)
	}
	return nil
}

// startAgain is the pause between two tries to start a client.
const startAgain = time.Second

// start starts the client, as often as it takes: the only error that a client of a valid configuration meets is a database that does
// not answer, and a server outlives that. It returns false if the context ended first.
func start[TTx any](ctx context.Context, client *river.Client[TTx], log *slog.Logger) bool {
	for {
		// River's own start context must outlive ours, or it would cancel jobs instead of letting them finish.
		err := client.Start(context.WithoutCancel(ctx))
		if err == nil {
			return true
		}
		log.WarnContext(ctx, "cannot start working jobs, trying again", "error", err)
		select {
		case <-ctx.Done():
			return false
		case <-time.After(startAgain):
		}
	}
}

func upkeep() []*river.PeriodicJob {
	every := func(d time.Duration, a job.Args) *river.PeriodicJob {
		return river.NewPeriodicJob(river.PeriodicInterval(d),
			func() (river.JobArgs, *river.InsertOpts) { return a, insertOpts(a) },
			&river.PeriodicJobOpts{ID: a.Kind(), RunOnStart: true})
	}
	return []*river.PeriodicJob{
		every(sweepEvery, job.Sweep{}), every(expireEvery, job.Expire{}), every(sequenceEvery, job.Sequence{}),
		every(tidyEvery, job.Tidy{}), every(redeliverEach, job.Redeliver{}), every(job.RetainEvery, job.Retain{}),
		every(sumEvery, job.Sum{}), every(listsEvery, job.SweepLists{}), every(noticeEvery, job.Notice{}),
		every(revokedEvery, job.FetchRevocations{}),
	}
}

func (s *Queue) workers(h job.Handlers, up Upkeep) *river.Workers {
	w := river.NewWorkers()
	add(s, w, h.Extract)
	add(s, w, h.Check)
	add(s, w, h.Erase)
	add(s, w, func(ctx context.Context, _ job.Retain) error { return h.Retain(ctx) })
	add(s, w, func(ctx context.Context, _ job.Sum) error { return h.Sum(ctx) })
	add(s, w, h.Sweep)
	add(s, w, func(ctx context.Context, _ job.Expire) error {
		return errors.Join(h.Expire(ctx), up.Expire(ctx))
	})
	add(s, w, func(ctx context.Context, _ job.Assign) error { return h.Assign(ctx) })
	add(s, w, func(ctx context.Context, _ job.Tidy) error { return h.Tidy(ctx) })
	add(s, w, func(ctx context.Context, _ job.Sequence) error {
		return errors.Join(h.Sequence(ctx), up.Sequence(ctx))
	})
	add(s, w, h.Deliver)
	add(s, w, func(ctx context.Context, _ job.Redeliver) error { return h.Redeliver(ctx) })
	add(s, w, func(ctx context.Context, _ job.SweepLists) error { return h.SweepLists(ctx) })
	addLong(s, w, h.FetchList)
	addLong(s, w, h.Rescreen)
	addLong(s, w, func(ctx context.Context, _ job.FetchRevocations) error { return h.FetchRevocations(ctx) })
	add(s, w, h.Mail)
	add(s, w, func(ctx context.Context, _ job.Notice) error { return h.Notice(ctx) })
	return w
}

func add[T job.Args](s *Queue, w *river.Workers, f func(context.Context, T) error) {
	river.AddWorker(w, river.WorkFunc(work(s, f)))
}

// addLong is add for jobs that may take job.ListTimeout.
func addLong[T job.Args](s *Queue, w *river.Workers, f func(context.Context, T) error) {
	river.AddWorker(w, &long[T]{work: work(s, f)})
}

// long is a worker with a time limit of its own. River rescues its jobs by that limit, too.
type long[T job.Args] struct {
	river.WorkerDefaults[T]
	work func(context.Context, *river.Job[T]) error
}

// Work implements river.Worker.
func (l *long[T]) Work(ctx context.Context, j *river.Job[T]) error { return l.work(ctx, j) }

// Timeout implements river.Worker.
func (*long[T]) Timeout(*river.Job[T]) time.Duration { return job.ListTimeout }

func work[T job.Args](s *Queue, f func(context.Context, T) error) func(context.Context, *river.Job[T]) error {
	return func(ctx context.Context, j *river.Job[T]) (err error) {
		ctx, span := s.traceJob(ctx, j.JobRow)
		defer span.Close(&err)
		err = f(job.WithAttempt(ctx, job.Attempt{Number: j.Attempt, Max: j.MaxAttempts}), j.Args)
		if err != nil {
			s.db.Logger.WarnContext(ctx, "job failed", "kind", j.Kind, "job", j.ID, "try", j.Attempt, "of", j.MaxAttempts, "error", err)
		}
		return err
	}
}

// retryPolicy waits as job.RetryPauses says, by the clock that River goes by.
type retryPolicy struct{}

// NextRetry implements river.ClientRetryPolicy.
func (retryPolicy) NextRetry(j *rivertype.JobRow) time.Time {
	pauses := job.RetryPauses()
	return time.Now().Add(pauses[min(max(j.Attempt, 1), len(pauses))-1])
}
