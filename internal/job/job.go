// Package job defines the background jobs and the one way to enqueue them: an Enqueuer that writes the job in the
// caller's transaction, so that a step and the work it causes commit together or not at all.
//
// Jobs carry ids, never pictures or facts. A job may run more than once, for example when a worker dies after its work was
// committed but before the job was marked as done. Every handler must be idempotent.
package job

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Args are the arguments of a job.
type Args interface {
	Kind() string // stored with the job; never changes
}

// Extract runs the extractors on one capture and stores its artifacts and claims.
type Extract struct {
	Session idv.SessionID `json:"session"`
	Capture idv.CaptureID `json:"capture"`
}

// Kind implements Args.
func (Extract) Kind() string { return "extract" }

// Check runs every check of a session whose inputs are complete, and decides the session when all have run.
type Check struct {
	Session idv.SessionID `json:"session"`
}

// Kind implements Args.
func (Check) Kind() string { return "check" }

// Sweep finds sessions that wait for the server but have no pending job. If Sessions are named it looks at those alone, also at one
// that moved a moment ago.
type Sweep struct {
	Sessions []idv.SessionID `json:"sessions,omitempty"`
}

// Kind implements Args.
func (Sweep) Kind() string { return "sweep" }

// Expire ends sessions whose time is up.
type Expire struct{}

// Kind implements Args.
func (Expire) Kind() string { return "expire" }

// Assign gives waiting cases to reviewers who have room for them.
type Assign struct{}

// Kind implements Args.
func (Assign) Kind() string { return "assign" }

// Sequence assigns new audit entries their positions in the log.
type Sequence struct{}

// Kind implements Args.
func (Sequence) Kind() string { return "sequence" }

// Tidy removes rows and blobs that nothing refers to any more.
type Tidy struct{}

// Kind implements Args.
func (Tidy) Kind() string { return "tidy" }

// Deliver sends the deliveries of one webhook endpoint that are due.
type Deliver struct {
	Endpoint idv.EndpointID `json:"endpoint"`
	// Failing is set for an endpoint whose last deliveries failed. Its job runs in a queue of its own, so that it delays no other.
	Failing bool      `json:"-"`
	At      time.Time `json:"-"` // when to run; zero for now
}

// Kind implements Args.
func (Deliver) Kind() string { return "deliver" }

// Mail sends one mail.
type Mail struct {
	Mail idv.MailID `json:"mail"`
	At   time.Time  `json:"-"` // when to run; zero for now
}

// Kind implements Args.
func (Mail) Kind() string { return "mail" }

// Notice looks for what members asked to be told of by mail, and for mails that no job sends.
type Notice struct{}

// Kind implements Args.
func (Notice) Kind() string { return "notice" }

// Redeliver finds deliveries that are due but have no pending job.
type Redeliver struct{}

// Kind implements Args.
func (Redeliver) Kind() string { return "redeliver" }

// Erase finishes the erasure of a session: its blobs, and what is left of it in the files of the database.
type Erase struct {
	Session idv.SessionID `json:"session"`
}

// Kind implements Args.
func (Erase) Kind() string { return "erase" }

// Retain erases data whose retention period is over.
type Retain struct{}

// Kind implements Args.
func (Retain) Kind() string { return "retain" }

// Sum adds up the sessions of past days, for figures.
type Sum struct{}

// Kind implements Args.
func (Sum) Kind() string { return "sum" }

// SweepLists ends imports of watchlists whose server died, and finds lists that are due to be fetched and people who are due to be
// screened again.
type SweepLists struct{}

// Kind implements Args.
func (SweepLists) Kind() string { return "sweep_lists" }

// FetchList fetches a watchlist from its publisher and imports it.
type FetchList struct {
	List idv.WatchlistID `json:"list"`
}

// Kind implements Args.
func (FetchList) Kind() string { return "fetch_list" }

// FetchRevocations fetches the revocation lists whose addresses the operator named.
type FetchRevocations struct{}

// Kind implements Args.
func (FetchRevocations) Kind() string { return "fetch_revocations" }

// Rescreen screens people again: those whom a newer version of a list may be about, or with a run, those that the run has still to
// look at. A run that is not at its end enqueues the next job.
type Rescreen struct {
	List   idv.WatchlistID        `json:"list,omitempty"`
	Before idv.WatchlistVersionID `json:"before,omitempty"`
	After  idv.WatchlistVersionID `json:"after,omitempty"`
	Run    idv.ScreeningRunID     `json:"run,omitempty"`
}

// Kind implements Args.
func (Rescreen) Kind() string { return "rescreen" }

// Enqueuer writes jobs in the caller's transaction.
type Enqueuer interface {
	Enqueue(ctx context.Context, a Args) error
}

// Handlers run the jobs. A job whose handler returns an error is repeated after the next of RetryPauses.
type Handlers struct {
	Extract   func(context.Context, Extract) error
	Check     func(context.Context, Check) error
	Sweep     func(context.Context, Sweep) error
	Expire    func(context.Context) error
	Assign    func(context.Context) error
	Sequence  func(context.Context) error
	Tidy      func(context.Context) error
	Deliver   func(context.Context, Deliver) error
	Redeliver func(context.Context) error
	Mail      func(context.Context, Mail) error
	Notice    func(context.Context) error
	Erase     func(context.Context, Erase) error
	Retain    func(context.Context) error
	Sum       func(context.Context) error

	SweepLists func(context.Context) error
	FetchList  func(context.Context, FetchList) error
	Rescreen   func(context.Context, Rescreen) error

	FetchRevocations func(context.Context) error
}

// Timing of jobs.
const (
	Timeout     = 60 * time.Second // after which a handler's context ends
	RescueAfter = 90 * time.Second // after which a job is repeated whose worker has died
	RetainEvery = 10 * time.Minute // between runs of Retain
	ListTimeout = 20 * time.Minute // after which the context of a job about watchlists ends
)

// RetryPauses returns the pauses before each further attempt.
func RetryPauses() []time.Duration {
	return []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}
}

// MaxAttempts returns how many attempts are made at a job.
func MaxAttempts() int { return len(RetryPauses()) + 1 }

// Attempt says which attempt of a job this is. Number counts from 1.
type Attempt struct{ Number, Max int }

// Last reports whether no further attempt follows. The zero Attempt is not the last.
func (t Attempt) Last() bool { return t.Max > 0 && t.Number >= t.Max }

type attemptKey struct{}

// WithAttempt returns a context that tells a handler which attempt it runs.
func WithAttempt(ctx context.Context, t Attempt) context.Context {
	return context.WithValue(ctx, attemptKey{}, t)
}

// AttemptFrom returns which attempt this is; the zero Attempt outside of a job.
func AttemptFrom(ctx context.Context) Attempt {
	t, _ := ctx.Value(attemptKey{}).(Attempt)
	return t
}
