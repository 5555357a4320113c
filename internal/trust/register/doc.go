// Package register keeps whom a deployment trusts. Everything is an update: a certificate, a master list, a revocation list, or the
// removal of a certificate. An update is proposed, shown with its difference to what is in force, and accepted or declined; where the
// deployment wants it, somebody else accepts than proposed. Every step is audited, and an accepted update can be undone. Revocation lists can
// be fetched from addresses of the operator's choice, too: they count at once, since they only take trust away.
//
// A master list is taken only if its signer leads to an anchor that was accepted by itself, and never an older one after a newer one.
// What is in force is verified anew each time it is loaded, so that undoing an anchor also ends the lists that rest on it. Anchors of
// test mode are trusted in test mode alone.
package register

import (
	"context"
	"crypto/rand"
	"io"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Kind is what an update changes.
type Kind string

// The kinds of update.
const (
	Anchor         Kind = "anchor"          // a certificate that is trusted by itself
	MasterList     Kind = "master_list"     // the authorities that a state publishes
	VICAL          Kind = "vical"           // authorities of mobile documents that somebody publishes
	RevocationList Kind = "revocation_list" // certificates that an authority withdrew
	Removal        Kind = "removal"         // a certificate that is not trusted, whatever the lists say
)

// State is how far an update has come.
type State string

// The states of an update.
const (
	Pending  State = "pending"  // proposed, and in force for nobody
	InForce  State = "in_force" // accepted
	Declined State = "declined" // final
	Replaced State = "replaced" // by a newer one; in force again when that is undone
	Undone   State = "undone"   // final
)

// Update is one change of what is trusted.
type Update struct {
	ID      idv.TrustUpdateID
	Mode    idv.Mode
	Kind    Kind
	State   State
	Purpose trust.Purpose
	Scope   string // of the purpose: a country, a docType or a vct
	Slot    string // what it replaces within its mode: at most one update of a slot is in force
	Subject string // name of the authority or signer, or the fingerprint of what is removed
	Source  string // where the file is from, as the one who proposed it says
	Digest  idv.Digest
	Count   int       // certificates in a list, entries of a revocation list
	Dated   time.Time // when it was signed or begins to hold; zero for a removal

	Replaces   idv.TrustUpdateID // what was in force in its slot when it was proposed; empty for nothing
	ProposedBy string            // a member's id; empty for the program
	ProposedAt time.Time
	SettledBy  string // of the acceptance, or the refusal
	SettledAt  time.Time
	UndoBy     string // of the first who asked to undo it, where two persons are wanted
	UndoAt     time.Time
	UndoneBy   string
	UndoneAt   time.Time

	Raw []byte // as uploaded; nil in lists of updates
}

// Store keeps updates. Reads return problem not_found where there is nothing.
type Store interface {
	Reader
	// TrustRevision grows with every change.
	TrustRevision(ctx context.Context) (int64, error)
	// ChangeTrust runs f in one transaction that excludes other changes of trust.
	ChangeTrust(ctx context.Context, f func(ctx context.Context, tx Tx) error) error
}

// Reader reads updates.
type Reader interface {
	// TrustUpdates returns updates without what was uploaded, newest first.
	TrustUpdates(ctx context.Context, f Filter) ([]Update, error)
	TrustUpdate(ctx context.Context, id idv.TrustUpdateID) (Update, error)
	// TrustInForce returns what is in force in any of the modes, with what was uploaded, oldest first.
	TrustInForce(ctx context.Context, modes []idv.Mode) ([]Update, error)
	// TrustInSlot returns what is in force in a slot; problem not_found for nothing.
	TrustInSlot(ctx context.Context, mode idv.Mode, slot string) (Update, error)
}

// Filter narrows a list of updates. Zero fields match all.
type Filter struct {
	Modes []idv.Mode
	State State
	Limit int
}

// Tx is a running transaction.
type Tx interface {
	Reader
	AddTrustUpdate(ctx context.Context, u Update) error
	// SaveTrustUpdate writes state and marks. What was uploaded never changes.
	SaveTrustUpdate(ctx context.Context, u Update) error
	audit.Recorder
}

// Options of a Register. The zero value works.
type Options struct {
	TwoPersons bool             // somebody else accepts, and agrees to undo, than the first person
	Now        func() time.Time // defaults to time.Now
	Random     io.Reader        // defaults to crypto/rand
}

// Register changes and answers whom a deployment trusts. It is safe for concurrent use.
type Register struct {
	store  Store
	two    bool
	now    func() time.Time
	random io.Reader

	mu     sync.Mutex
	loaded map[idv.Mode]loaded
}

// New returns a Register.
func New(store Store, o Options) *Register {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // the precision that every database stores
	return &Register{store: store, two: o.TwoPersons, now: now, random: o.Random, loaded: map[idv.Mode]loaded{}}
}

// TwoPersons reports whether the deployment wants two persons for a change of trust.
func (r *Register) TwoPersons() bool { return r.two }

// modesOf returns the modes whose anchors count in a mode.
func modesOf(mode idv.Mode) []idv.Mode {
	if mode == idv.Test {
		return []idv.Mode{idv.Live, idv.Test}
	}
	return []idv.Mode{idv.Live}
}
