// Package lists keeps the watchlists of a deployment: lists and their versions, as files or as they are fetched from their publishers.
//
// A version is read as it arrives, entry by entry, and kept in packed chunks. It counts for nothing before it is whole: then guards
// judge it. One that is empty, has shrunk by a fifth, is older than the version in use, is of another kind, or of which more than one
// entry of a hundred cannot be read is held, and the version in use stays in use. Otherwise it is activated, or waits where the
// operator wants to look first. A version that was in use can be used again.
//
// Each server compiles the versions in use into an index of its own, and searches the one before until the new one is whole.
package lists

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// List is a watchlist. Its name never changes.
type List struct {
	ID   idv.WatchlistID
	Name string
	Settings
	CreatedBy string
	CreatedAt time.Time
	Fetching
}

// Settings are what an operator settles about a list.
type Settings struct {
	Title     string
	Topics    []idv.ScreeningTopic // that the list covers: without a list a topic cannot be screened for
	Licence   string
	Source    string        // https address that the list is fetched from; empty for by hand
	Every     time.Duration // between two fetches
	MaxAge    time.Duration // after which people are referred because the list is old; 0 for never
	LookFirst bool          // a new version waits until somebody activates it
	Disabled  bool          // nobody is searched for on the list, and it is not fetched
}

// Fetching is how fetching a list goes.
type Fetching struct {
	NextAt       time.Time // zero where it is not fetched
	TriedAt      time.Time
	CheckedAt    time.Time // when the publisher last said that the version in use is current
	Fault        Fault     // of the last try; empty where it went well
	Fails        int       // in a row
	ETag         string
	LastModified string
}

// Fault is why a fetch failed.
type Fault string

// The faults.
const (
	FaultNone       Fault = ""
	FaultTarget     Fault = "target"     // the address is none that lists are fetched from
	FaultRedirect   Fault = "redirect"   // more than three redirects, or one that leaves https
	FaultStatus     Fault = "status"     // the publisher answered neither 200 nor 304
	FaultConnection Fault = "connection" // no connection, or it broke
	FaultFile       Fault = "file"       // what came is no list
)

// State is what a version is.
type State string

// The states.
const (
	Importing State = "importing"
	Held      State = "held"    // a guard wants somebody to look
	Waiting   State = "waiting" // the operator wants to look
	Active    State = "active"
	Retired   State = "retired" // was in use, or was dismissed
	Failed    State = "failed"  // could not be read, or the server died over it; nothing of it is kept
)

// Reasons to hold a version beside those of the watchlist package.
const (
	HeldNotAList watchlist.Reason = "not_a_list" // what was fetched is no list of a known format
	HeldBroken   watchlist.Reason = "broken"     // it ends in the middle, or has a document type definition or other parts beyond the limits
)

// Version is one version of a list.
type Version struct {
	ID          idv.WatchlistVersionID
	List        idv.WatchlistID
	State       State
	Why         []watchlist.Reason // it is held
	Summary     watchlist.Summary
	Changes     watchlist.Counts // against the version that was in use when it came
	From        From
	AddedBy     string // a member's or key's id; empty for the program
	AddedAt     time.Time
	ActivatedBy string
	ActivatedAt time.Time
	BeatAt      time.Time // of one that is being imported: when its server was last heard of
}

// From is how a version came.
type From string

// The ways.
const (
	Uploaded From = "upload"
	Fetched  From = "fetch"
	Command  From = "command"
)

// Whole reports whether the version's entries are kept.
func (v Version) Whole() bool {
	return v.State != Importing && v.State != Failed && v.Summary.Entities > 0
}

// Reader reads lists. Its methods return problem not_found where nothing is there.
type Reader interface {
	// Watchlists returns all lists in order of their names.
	Watchlists(ctx context.Context) ([]List, error)
	Watchlist(ctx context.Context, id idv.WatchlistID) (List, error)
	// WatchlistVersions returns the versions of a list, or of all lists if it is empty, the newest first.
	WatchlistVersions(ctx context.Context, list idv.WatchlistID) ([]Version, error)
	WatchlistVersion(ctx context.Context, id idv.WatchlistVersionID) (Version, error)
}

// Store keeps lists.
type Store interface {
	Reader
	// WatchlistRevision grows with every change of a list or version.
	WatchlistRevision(ctx context.Context) (int64, error)
	// ChangeWatchlists runs f in one transaction that excludes other changes of lists.
	ChangeWatchlists(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
	// AddWatchlistChunk keeps a part of the entries of a version that is being imported, and notes that its server lives.
	AddWatchlistChunk(ctx context.Context, version idv.WatchlistVersionID, place int, packed []byte, at time.Time) error
	// WatchlistChunks calls each for the parts of a version in their order.
	WatchlistChunks(ctx context.Context, version idv.WatchlistVersionID, each func(packed []byte) error) error
	// DropWatchlistChunks removes the parts of a version.
	DropWatchlistChunks(ctx context.Context, version idv.WatchlistVersionID) error
}

// Tx is a running transaction.
type Tx interface {
	Reader
	AddWatchlist(ctx context.Context, l List) error
	SaveWatchlist(ctx context.Context, l List) error
	AddWatchlistVersion(ctx context.Context, v Version) error
	SaveWatchlistVersion(ctx context.Context, v Version) error
	RemoveWatchlistVersion(ctx context.Context, id idv.WatchlistVersionID) error
	AddWatchlistEvent(ctx context.Context, e Event) error
	audit.Recorder
	job.Enqueuer
}

// Event is something that happened to a list. It belongs to no session and to both modes.
type Event struct {
	IDs     map[idv.Mode]idv.EventID
	Type    string // EventActivated or EventHeld
	List    idv.WatchlistID
	Version idv.WatchlistVersionID
	Actor   string
	At      time.Time
}

// The events.
const (
	EventActivated = "screening.list_activated"
	EventHeld      = "screening.list_held"
)

// Options of a Keeper. The zero value works, and fetches nothing.
type Options struct {
	Now    func() time.Time // defaults to time.Now
	Random io.Reader        // defaults to crypto/rand
	Log    *slog.Logger     // defaults to slog.Default
	Client *http.Client     // makes requests; it must refuse private addresses itself, and follow no redirect
	Check  func(ctx context.Context, url string) error
}

// Keeper keeps the watchlists of a deployment. It is safe for concurrent use.
type Keeper struct {
	store  Store
	now    func() time.Time
	random io.Reader
	log    *slog.Logger
	client *http.Client
	check  func(ctx context.Context, url string) error
}

// New returns a Keeper.
func New(store Store, o Options) *Keeper {
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
	return &Keeper{store: store, now: now, random: o.Random, log: o.Log, client: o.Client, check: o.Check}
}

// Limits of settings.
const (
	MaxTitle    = 200
	MaxLicence  = 500
	MaxSource   = 2000
	LeastEvery  = time.Hour
	MostEvery   = 31 * 24 * time.Hour
	MostMaxAge  = 366 * 24 * time.Hour
	mostLists   = 100
	keptRetired = 5 // versions that were in use and can be used again
)

var nameForm = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,40}$`)

func actor(ctx context.Context) string { return audit.ActorFrom(ctx).ID }
