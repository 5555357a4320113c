// Package job names the work that is done later and the one way to ask for it: an Enqueuer that writes the
// job inside the caller's transaction, so that a step and the work it causes commit together or not at all.
//
// Jobs carry ids, never pictures or facts. A job may run more than once (a worker dies after its work was
// committed and before that was noted); every handler is written so that this counts once.
package job

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Args says what a job is about.
type Args interface {
	Kind() string // stable name, stored with the job
}

// Extract looks at one capture and settles its artifacts and claims.
type Extract struct {
	Session idv.SessionID `json:"session"`
	Capture idv.CaptureID `json:"capture"`
}

// Kind implements Args.
func (Extract) Kind() string { return "extract" }

// Check asks every check of a session that is ready, and decides when there is nothing left to ask.
type Check struct {
	Session idv.SessionID `json:"session"`
}

// Kind implements Args.
func (Check) Kind() string { return "check" }

// Sweep finds sessions that wait for the server while nothing is under way for them.
type Sweep struct{}

// Kind implements Args.
func (Sweep) Kind() string { return "sweep" }

// Expire ends sessions that ran out of time.
type Expire struct{}

// Kind implements Args.
func (Expire) Kind() string { return "expire" }

// Sequence gives new audit entries their position in the log.
type Sequence struct{}

// Kind implements Args.
func (Sequence) Kind() string { return "sequence" }

// Tidy removes what nothing refers to any more.
type Tidy struct{}

// Kind implements Args.
func (Tidy) Kind() string { return "tidy" }

// Deliver sends the deliveries of one webhook endpoint that are due.
type Deliver struct {
	Endpoint idv.EndpointID `json:"endpoint"`
	// Ailing endpoints, whose last deliveries failed, are worked apart, so that they keep no other waiting.
	Ailing bool      `json:"-"`
	At     time.Time `json:"-"` // not before; zero for now
}

// Kind implements Args.
func (Deliver) Kind() string { return "deliver" }

// Redeliver finds deliveries that are due while nothing is under way for them.
type Redeliver struct{}

// Kind implements Args.
func (Redeliver) Kind() string { return "redeliver" }

// Erase finishes the erasing of a session: blobs, and the files of the database.
type Erase struct {
	Session idv.SessionID `json:"session"`
}

// Kind implements Args.
func (Erase) Kind() string { return "erase" }

// Retain erases what is kept no longer.
type Retain struct{}

// Kind implements Args.
func (Retain) Kind() string { return "retain" }

// Sum counts the sessions of days that are over, for figures.
type Sum struct{}

// Kind implements Args.
func (Sum) Kind() string { return "sum" }

// Enqueuer writes a job in the caller's transaction.
type Enqueuer interface {
	Enqueue(ctx context.Context, a Args) error
}

// Handlers do the work. A handler that returns an error is tried again after the next of Retries.
type Handlers struct {
	Extract   func(context.Context, Extract) error
	Check     func(context.Context, Check) error
	Sweep     func(context.Context) error
	Expire    func(context.Context) error
	Sequence  func(context.Context) error
	Tidy      func(context.Context) error
	Deliver   func(context.Context, Deliver) error
	Redeliver func(context.Context) error
	Erase     func(context.Context, Erase) error
	Retain    func(context.Context) error
	Sum       func(context.Context) error
}

// Timing of jobs.
const (
	Timeout      = 60 * time.Second // a handler's context ends then
	RescuedAfter = 90 * time.Second // a job whose worker vanished is tried again then
	RetainEvery  = 10 * time.Minute // how often what was kept long enough is erased
)

// Retries are the pauses before each further try.
func Retries() []time.Duration {
	return []time.Duration{1 * time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second}
}

// MaxTries is how often a job is tried at all.
func MaxTries() int { return len(Retries()) + 1 }

// Try says which of its tries a job is in. Number counts from 1.
type Try struct{ Number, Max int }

// Last reports whether no further try follows. The zero Try is not the last.
func (t Try) Last() bool { return t.Max > 0 && t.Number >= t.Max }

type tryKey struct{}

// WithTry tells a handler which try it is in.
func WithTry(ctx context.Context, t Try) context.Context { return context.WithValue(ctx, tryKey{}, t) }

// TryFrom answers which try this is; the zero Try outside of a job.
func TryFrom(ctx context.Context) Try {
	t, _ := ctx.Value(tryKey{}).(Try)
	return t
}
