package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// BlockEntry is something that nobody is approved with unseen. What it is about is kept as keyed digests only; a face is the one that the
// gallery keeps of the entry's session, and the entry goes when that goes.
type BlockEntry struct {
	ID          idv.BlockEntryID
	Mode        idv.Mode
	Kind        idv.BlockKind
	Declines    bool   // once two people said so; of documents only
	Reason      string // one of BlockReasons
	Hint        string // what it is about as far as that may be kept: the issuer of a document, an address range, the gallery of a face
	Session     idv.SessionID
	Until       time.Time
	AddedBy     string
	AddedAt     time.Time
	ConfirmedBy string
	ConfirmedAt time.Time
	RemovedBy   string
	RemovedAt   time.Time
}

// BlockState is where an entry stands.
type BlockState string

// The states.
const (
	BlockActive  BlockState = "active"
	BlockAwaits  BlockState = "awaits_second" // it refers; once somebody else confirms it, it declines
	BlockExpired BlockState = "expired"
	BlockRemoved BlockState = "removed"
)

// State is where the entry stands at a time.
func (e BlockEntry) State(now time.Time) BlockState {
	switch {
	case !e.RemovedAt.IsZero():
		return BlockRemoved
	case !now.Before(e.Until):
		return BlockExpired
	case e.Declines && e.ConfirmedBy == "":
		return BlockAwaits
	}
	return BlockActive
}

// blockReasons say why something is on the block list. There is no free text, so that nobody writes of whom.
var blockReasons = []string{"forged", "stolen", "impersonation", "chargeback", "abuse", "other"}

// BlockReasons returns what can be given as the reason of an entry.
func BlockReasons() []string { return slices.Clone(blockReasons) }

// The bounds of how long an entry is in force.
const (
	LeastBlocked = 24 * time.Hour
	MostBlocked  = 5 * 366 * 24 * time.Hour
)

// BlockWriter writes the block list.
type BlockWriter interface {
	// AddBlock adds an entry about any of some normal forms, or about the face of its session. One that is in force for any of them is
	// problem blocklist.exists.
	AddBlock(ctx context.Context, e BlockEntry, forms []string) error
	// SaveBlock writes who confirmed or removed an entry that is neither confirmed nor removed otherwise; else problem blocklist.conflict.
	SaveBlock(ctx context.Context, e BlockEntry) error
}

// BlockReader reads the block list.
type BlockReader interface {
	Block(ctx context.Context, id idv.BlockEntryID) (BlockEntry, error)
	// Blocks lists the entries of a mode, the newest first, from before one on.
	Blocks(ctx context.Context, mode idv.Mode, before idv.BlockEntryID, limit int) ([]BlockEntry, error)
}
