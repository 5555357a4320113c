// Package monitor screens people again. A newer version of a list is searched for those whom its new and changed entries may be; once
// a week everybody under monitoring is searched for on every list; and once, at an operator's wish, everybody who was approved before
// their workflow screened. All of it goes through screening.Find, as the checks of a session do.
//
// Under monitoring is who was approved by a workflow that says so, until the session is erased, the decision is changed, or somebody
// ends it.
package monitor

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Kind is what a run looks at.
type Kind string

// The kinds.
const (
	ListChanged Kind = "list_changed" // people whom the new and changed entries of a list may be
	Weekly      Kind = "weekly"       // everybody under monitoring
	Everybody   Kind = "everybody"    // everybody who was approved and is not under monitoring, once
)

// State is how far a run has come.
type State string

// The states.
const (
	Running State = "running"
	Ended   State = "ended"
)

// Run is one pass over people.
type Run struct {
	ID        idv.ScreeningRunID
	Kind      Kind
	List      idv.WatchlistID
	Before    idv.WatchlistVersionID // of the list: the version that was in use
	Version   idv.WatchlistVersionID // of the list: the one that is
	State     State
	Cursor    idv.SessionID // the last one that was looked at
	People    int           // when it began
	Done      int
	Hits      int // that were opened
	Failed    int // people who could not be screened
	StartedBy string
	StartedAt time.Time
	EndedAt   time.Time
}

// Store keeps who is screened again, and runs.
type Store interface {
	// ScreeningSubjects lists who is under monitoring, after a session, at most limit.
	ScreeningSubjects(ctx context.Context, after idv.SessionID, limit int) ([]session.Subject, error)
	// CountScreeningSubjects counts who is under monitoring and was last looked at before a time; everybody for its zero.
	CountScreeningSubjects(ctx context.Context, before time.Time) (int, error)
	// ListUnscreened lists approved sessions that are not under monitoring and were never looked at by a run, after a session, at most limit.
	ListUnscreened(ctx context.Context, after idv.SessionID, limit int) ([]idv.SessionID, error)
	CountUnscreened(ctx context.Context) (int, error)
	// ScreeningRuns lists the newest runs, at most limit.
	ScreeningRuns(ctx context.Context, limit int) ([]Run, error)
	ScreeningRun(ctx context.Context, id idv.ScreeningRunID) (Run, error)
	// AddScreeningRun adds a run with the job that works it, unless one of the kind is running; false then. Runs for a list do not exclude each other.
	AddScreeningRun(ctx context.Context, r Run, by audit.Record) (bool, error)
	SaveScreeningRun(ctx context.Context, r Run) error
	// EndMonitoring ends the monitoring of a session; false where it is not under it.
	EndMonitoring(ctx context.Context, id idv.SessionID, by string, at time.Time) (bool, error)
	// NoteScreened notes when people were last looked at.
	NoteScreened(ctx context.Context, ids []idv.SessionID, at time.Time) error

	// EnqueueFetch enqueues the job that fetches a list.
	EnqueueFetch(ctx context.Context, id idv.WatchlistID) error

	Reports(ctx context.Context, id idv.SessionID) ([]idv.Report, error)
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// Lists are the lists of the deployment (lists.Keeper).
type Lists interface {
	// Entries calls each for every entry of a version.
	Entries(ctx context.Context, id idv.WatchlistVersionID, each func(watchlist.Entity) error) error
}

// Index searches compiled lists, and tells quickly whom changed entries cannot be.
type Index interface {
	screening.Source
	// Refresh compiles the lists if they changed.
	Refresh(ctx context.Context) error
}

// Options of a Monitor. The zero value works.
type Options struct {
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
}

// Monitor screens people again. It is safe for concurrent use.
type Monitor struct {
	store  Store
	life   *session.Lifecycle
	lists  Lists
	index  Index
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
}

// New returns a Monitor.
func New(store Store, life *session.Lifecycle, lists Lists, index Index, o Options) *Monitor {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) }
	return &Monitor{store: store, life: life, lists: lists, index: index, now: now, random: o.Random, log: o.Log}
}

// personOf reads whom a subject is.
func personOf(s session.Subject) (screening.Person, error) {
	var p screening.Person
	if err := json.Unmarshal(s.Person, &p); err != nil {
		return p, fmt.Errorf("read who is screened: %w", err)
	}
	return p, nil
}

// Job returns the job that works a run.
func (r Run) Job() job.Args { return job.Rescreen{Run: r.ID} }
