package audit

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Entry is one line of the log. The leaf's hash covers every field but Position.
type Entry struct {
	Position int64         `json:"-"` // from 0; -1 while unsequenced
	ID       idv.AuditID   `json:"id"`
	At       time.Time     `json:"at"`
	Actor    ActorKind     `json:"actor"`
	ActorID  string        `json:"actor_id"`
	Address  string        `json:"address"` // shortened
	Action   string        `json:"action"`
	Session  idv.SessionID `json:"session"`
	Subject  string        `json:"subject"`
	Before   string        `json:"before"` // keyed digest, 64 hex characters, or empty
	After    string        `json:"after"`
}

// Leaf returns the bytes that are hashed: the entry as JSON, in the order of its fields.
func (e Entry) Leaf() ([]byte, error) {
	e.At = e.At.UTC().Truncate(time.Microsecond)
	raw, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("encode audit entry: %w", err)
	}
	return raw, nil
}

// Checkpoint is a signed statement that the log had a size and a root.
type Checkpoint struct {
	Size      int64
	Root      tlog.Hash
	At        time.Time
	Signature []byte // Ed25519 over the tree in the format of tlog.FormatTree
}

// Sign returns the signed checkpoint of a tree.
func Sign(size int64, root tlog.Hash, at time.Time, key ed25519.PrivateKey) Checkpoint {
	text := tlog.FormatTree(tlog.Tree{N: size, Hash: root})
	return Checkpoint{Size: size, Root: root, At: at, Signature: ed25519.Sign(key, text)}
}

// Append returns the hashes to store when entries are appended to a log of that size, and the new root.
// The stored hashes start at index tlog.StoredHashCount(size).
func Append(size int64, entries []Entry, stored tlog.HashReader) ([]tlog.Hash, tlog.Hash, error) {
	base := tlog.StoredHashCount(size)
	var fresh []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		return readHashes(indexes, base, fresh, stored)
	})
	for i, e := range entries {
		leaf, err := e.Leaf()
		if err != nil {
			return nil, tlog.Hash{}, err
		}
		more, err := tlog.StoredHashes(size+int64(i), leaf, reader)
		if err != nil {
			return nil, tlog.Hash{}, fmt.Errorf("append to the log: %w", err)
		}
		fresh = append(fresh, more...)
	}
	root, err := tlog.TreeHash(size+int64(len(entries)), reader)
	if err != nil {
		return nil, tlog.Hash{}, fmt.Errorf("hash the log: %w", err)
	}
	return fresh, root, nil
}

func readHashes(indexes []int64, base int64, fresh []tlog.Hash, stored tlog.HashReader) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	var old []int64
	var at []int
	for i, x := range indexes {
		if x >= base {
			out[i] = fresh[x-base]
			continue
		}
		old, at = append(old, x), append(at, i)
	}
	if len(old) == 0 {
		return out, nil
	}
	hashes, err := stored.ReadHashes(old)
	if err != nil {
		return nil, err
	}
	for i, h := range hashes {
		out[at[i]] = h
	}
	return out, nil
}

// Source reads a log.
type Source interface {
	// AuditEntries returns up to limit sequenced entries from a position on, in order.
	AuditEntries(ctx context.Context, from int64, limit int) ([]Entry, error)
	// AuditCheckpoints returns every checkpoint, by size.
	AuditCheckpoints(ctx context.Context) ([]Checkpoint, error)
	// AuditHashes returns the stored hashes with indexes (tlog.StoredHashIndex) from … to-1. Missing ones are left out.
	AuditHashes(ctx context.Context, from, to int64) (map[int64]tlog.Hash, error)
	// AuditTrims returns every sequenced entry with the action Trimmed.
	AuditTrims(ctx context.Context) ([]Entry, error)
}

// ErrTampered means that the log differs from what its checkpoints attest.
var ErrTampered = errors.New("the audit log was tampered with")

// Verified is the result of a verification.
type Verified struct {
	Size        int64
	Root        tlog.Hash
	Checkpoints int
}

const page = 1000

// verifier reads a log from its beginning.
type verifier struct {
	src         Source
	key         ed25519.PublicKey
	tree        frontier
	out         Verified
	checkpoints []Checkpoint
	trim        trimmed
}

// Verify reads the whole log, recomputes its root and compares it with every checkpoint. For entries that were removed because
// of their age it uses the stored hashes; the entry that says so must not be dated after now. The log must not change in the
// meantime. An ErrTampered names the position up to which the log is proven.
func Verify(ctx context.Context, src Source, key ed25519.PublicKey, now time.Time) (Verified, error) {
	checkpoints, err := src.AuditCheckpoints(ctx)
	if err != nil {
		return Verified{}, fmt.Errorf("read checkpoints: %w", err)
	}
	v := &verifier{src: src, key: key, checkpoints: checkpoints}
	if v.trim, err = readTrims(ctx, src, now); err != nil {
		return v.out, err
	}
	for more := true; more && err == nil; {
		more, err = v.page(ctx)
	}
	if err != nil {
		return v.out, err
	}
	if len(v.checkpoints) > 0 || v.out.Size != v.tree.size {
		return v.out, fmt.Errorf("%w: %d entries do not end at a checkpoint; proven up to position %d", ErrTampered, v.tree.size, v.out.Size)
	}
	if f := v.trim.fault(); f != nil {
		return v.out, fmt.Errorf("%w: %s", ErrTampered, f.Says)
	}
	return v.out, nil
}

// page reads the next entries. It returns false if there are none.
func (v *verifier) page(ctx context.Context) (bool, error) {
	entries, err := v.src.AuditEntries(ctx, v.tree.size, page)
	if err != nil {
		return false, fmt.Errorf("read the log: %w", err)
	}
	for _, e := range entries {
		if err := v.removed(ctx, e.Position); err != nil {
			return false, err
		}
		if e.Position != v.tree.size {
			return false, fmt.Errorf("%w: position %d is missing; proven up to position %d", ErrTampered, v.tree.size, v.out.Size)
		}
		leaf, err := e.Leaf()
		if err != nil {
			return false, err
		}
		v.trim.observe(e)
		if err := v.add(tlog.RecordHash(leaf)); err != nil {
			return false, err
		}
	}
	return len(entries) > 0, nil
}

// removed adds the stored hashes of the entries that were removed before a position.
func (v *verifier) removed(ctx context.Context, to int64) error {
	for v.tree.size < min(to, v.trim.below) {
		from, end := v.tree.size, min(v.tree.size+page, to, v.trim.below)
		hashes, err := v.src.AuditHashes(ctx, tlog.StoredHashCount(from), tlog.StoredHashCount(end))
		if err != nil {
			return fmt.Errorf("read the hashes of what was removed: %w", err)
		}
		for v.tree.size < end {
			leaf, there := hashes[tlog.StoredHashIndex(0, v.tree.size)]
			if !there {
				return fmt.Errorf("%w: nothing is left of position %d; proven up to position %d", ErrTampered, v.tree.size, v.out.Size)
			}
			if err := v.add(leaf); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds a leaf and compares the tree with the checkpoints of its size.
func (v *verifier) add(leaf tlog.Hash) error {
	v.tree.add(leaf, nil)
	for len(v.checkpoints) > 0 && v.checkpoints[0].Size == v.tree.size {
		if err := v.checkpoints[0].agrees(v.tree.root(), v.key); err != nil {
			return fmt.Errorf("%w; proven up to position %d", err, v.out.Size)
		}
		v.out = Verified{Size: v.tree.size, Root: v.tree.root(), Checkpoints: v.out.Checkpoints + 1}
		v.checkpoints = v.checkpoints[1:]
	}
	return nil
}

func (c Checkpoint) agrees(root tlog.Hash, key ed25519.PublicKey) error {
	if c.Root != root {
		return fmt.Errorf("%w: the root at size %d differs", ErrTampered, c.Size)
	}
	if !ed25519.Verify(key, tlog.FormatTree(tlog.Tree{N: c.Size, Hash: c.Root}), c.Signature) {
		return fmt.Errorf("%w: the signature at size %d is not ours", ErrTampered, c.Size)
	}
	return nil
}

// frontier is the right edge of a tree: the roots of its perfect subtrees, largest first.
type frontier struct {
	size  int64
	edges []tlog.Hash
}

// add adds a leaf. It calls completed, unless nil, for each node that the leaf completes, from level 1 up.
func (f *frontier) add(leaf tlog.Hash, completed func(level int, node tlog.Hash)) {
	for n, level := f.size, 1; n&1 == 1; n, level = n>>1, level+1 {
		last := len(f.edges) - 1
		leaf = tlog.NodeHash(f.edges[last], leaf)
		f.edges = f.edges[:last]
		if completed != nil {
			completed(level, leaf)
		}
	}
	f.edges = append(f.edges, leaf)
	f.size++
}

func (f *frontier) root() tlog.Hash {
	last := len(f.edges) - 1
	root := f.edges[last]
	for i := last - 1; i >= 0; i-- {
		root = tlog.NodeHash(f.edges[i], root)
	}
	return root
}

// ShortenAddress returns the part of a network address that may be stored: the /24 of an IPv4, the /48 of an IPv6 address, and
// "" for what is no address.
func ShortenAddress(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return ""
		}
		a = ap.Addr()
	}
	a = a.Unmap().WithZone("")
	bits := 48
	if a.Is4() {
		bits = 24
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}

// Subscriber returns the address range of one subscriber: an IPv4 address or an IPv6 /64. It returns anything else unchanged.
func Subscriber(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap(); a.Is4() {
		return a.String()
	}
	p, err := a.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return p.String()
}
