package audit

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// Fault is one thing that is wrong with a log.
type Fault struct {
	Position int64 // from 0; of a range the first
	Says     string
}

// Inspection is what reading a whole log established.
type Inspection struct {
	Size        int64     // entries that should be there
	Root        tlog.Hash // of the newest checkpoint
	Checkpoints int       // that hold
	Proven      int64     // entries before the first fault that a checkpoint covers
	Trimmed     int64     // entries that were removed because they were old; their hashes are there
	Faults      []Fault   // by position, at most MaxFaults
	More        int       // faults that were left out
}

// MaxFaults bounds the report on a log that is mostly damaged.
const MaxFaults = 50

// inspector reads a log from its beginning.
type inspector struct {
	tree    frontier
	out     Inspection
	altered map[int64]tlog.Hash // what stands at positions where something else should
	proper  map[tlog.Hash]int64 // where the leaves belong that do not stand there
	broken  bool                // a root differed: later ones cannot agree
	inner   bool                // a stored hash above the leaves differs
	trim    trimmed
}

// Inspect reads a whole log, recomputes it, compares it with every checkpoint, with those that somebody kept elsewhere, and with
// the stored hashes of its leaves, by which it tells what was done to which position. As with Verify, the source stands still.
func Inspect(ctx context.Context, src Source, key ed25519.PublicKey, now time.Time, kept ...Checkpoint) (Inspection, error) {
	checkpoints, err := src.AuditCheckpoints(ctx)
	if err != nil {
		return Inspection{}, fmt.Errorf("read checkpoints: %w", err)
	}
	in := &inspector{altered: map[int64]tlog.Hash{}, proper: map[tlog.Hash]int64{}}
	if in.trim, err = readTrims(ctx, src, now); err != nil {
		return Inspection{}, err
	}
	if n := len(checkpoints); n > 0 {
		in.out.Size, in.out.Root = checkpoints[n-1].Size, checkpoints[n-1].Root
	}
	for _, k := range kept {
		if k.Size > in.out.Size {
			in.fault(in.out.Size, "the log is shorter than the checkpoint of %d entries that was kept: its end is missing", k.Size)
		}
	}
	all := append(slices.Clone(checkpoints), kept...)
	slices.SortStableFunc(all, func(a, b Checkpoint) int { return int(min(max(a.Size-b.Size, -1), 1)) })
	if err := in.read(ctx, src, all, key); err != nil {
		return Inspection{}, err
	}
	if f := in.trim.fault(); f != nil {
		in.fault(f.Position, "%s", f.Says)
	}
	in.explain()
	slices.SortStableFunc(in.out.Faults, func(a, b Fault) int { return int(min(max(a.Position-b.Position, -1), 1)) })
	if len(in.out.Faults) == 0 {
		in.out.Proven = in.out.Size
	} else {
		in.out.Proven = min(in.out.Proven, in.out.Faults[0].Position)
	}
	return in.out, nil
}

func (in *inspector) fault(position int64, format string, args ...any) {
	if len(in.out.Faults) >= MaxFaults {
		in.out.More++
		return
	}
	in.out.Faults = append(in.out.Faults, Fault{Position: position, Says: fmt.Sprintf(format, args...)})
}

// read goes through every position that a checkpoint covers, and what lies behind.
func (in *inspector) read(ctx context.Context, src Source, checkpoints []Checkpoint, key ed25519.PublicKey) error {
	for in.tree.size < in.out.Size {
		from, n := in.tree.size, int(min(page, in.out.Size-in.tree.size))
		entries, err := src.AuditEntries(ctx, from, n)
		if err != nil {
			return fmt.Errorf("read entries: %w", err)
		}
		leaves, err := src.AuditHashes(ctx, tlog.StoredHashCount(from), tlog.StoredHashCount(from+int64(n)))
		if err != nil {
			return fmt.Errorf("read hashes: %w", err)
		}
		for _, e := range entries {
			if e.Position >= from+int64(n) {
				break // what lies between is missing
			}
			in.missing(e.Position, leaves, &checkpoints, key)
			if err := in.entry(e, leaves); err != nil {
				return err
			}
			in.settle(&checkpoints, key)
		}
		in.missing(from+int64(n), leaves, &checkpoints, key)
	}
	behind, err := src.AuditEntries(ctx, in.out.Size, 1)
	if err == nil && len(behind) > 0 {
		in.fault(in.out.Size, "entries have positions that no checkpoint covers")
	}
	return err
}

// entry adds one that is there. Where the stored hash says that another one was, that goes on being counted.
func (in *inspector) entry(e Entry, leaves map[int64]tlog.Hash) error {
	raw, err := e.Leaf()
	if err != nil {
		return err
	}
	in.trim.observe(e)
	leaf := tlog.RecordHash(raw)
	stored, there := leaves[tlog.StoredHashIndex(0, e.Position)]
	if !there {
		in.fault(e.Position, "the stored hash of the entry is missing")
		stored = leaf
	}
	if leaf != stored {
		in.altered[e.Position], in.proper[stored] = leaf, e.Position
	}
	in.add(stored, leaves)
	return nil
}

// add adds a leaf and compares the hashes that it completes with those that are stored.
func (in *inspector) add(leaf tlog.Hash, stored map[int64]tlog.Hash) {
	position := in.tree.size
	in.tree.add(leaf, func(level int, node tlog.Hash) {
		if there, ok := stored[tlog.StoredHashIndex(level, position>>level)]; !in.inner && (!ok || there != node) {
			in.inner = true
			in.fault(position, "the stored hashes of the tree do not follow from its leaves here: proofs would fail")
		}
	})
}

// missing goes over positions up to, without to, at which there is no entry.
func (in *inspector) missing(to int64, leaves map[int64]tlog.Hash, checkpoints *[]Checkpoint, key ed25519.PublicKey) {
	if old := min(to, in.trim.below) - in.tree.size; old > 0 {
		in.out.Trimmed += old
	}
	switch first := max(in.tree.size, in.trim.below); {
	case first == to-1:
		in.fault(first, "the entry was removed")
	case first < to:
		in.fault(first, "the entries up to position %d were removed", to-1)
	}
	for in.tree.size < to {
		stored := leaves[tlog.StoredHashIndex(0, in.tree.size)]
		in.proper[stored] = in.tree.size
		in.add(stored, leaves)
		in.settle(checkpoints, key)
	}
}

// settle compares the tree with the checkpoints of its size.
func (in *inspector) settle(checkpoints *[]Checkpoint, key ed25519.PublicKey) {
	for len(*checkpoints) > 0 && (*checkpoints)[0].Size <= in.tree.size {
		c := (*checkpoints)[0]
		*checkpoints = (*checkpoints)[1:]
		if c.Size != in.tree.size || in.broken {
			continue
		}
		switch {
		case c.Root != in.tree.root():
			in.broken = true
			in.fault(
				in.out.Proven, "somewhere from here to position %d entries and their stored hashes do not give the root of the checkpoint of size %d", c.Size-1, c.Size,
			)
		case c.Signed(key) != nil:
			in.fault(c.Size-1, "the checkpoint of size %d is not signed by the log's key", c.Size)
		default:
			in.out.Checkpoints++
			in.out.Proven = c.Size
		}
	}
}

// explain tells what was done to the positions at which something else stands.
func (in *inspector) explain() {
	for position, leaf := range in.altered {
		if from, moved := in.proper[leaf]; moved {
			in.fault(position, "this is the entry of position %d", from)
		} else {
			in.fault(position, "the entry was altered")
		}
	}
}
