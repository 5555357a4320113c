package audit

import (
	"crypto/ed25519"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Proof proves that an entry is in the log of a checkpoint, to a reader who trusts the checkpoint's key and has nothing else
// of the log (RFC 6962 §2.1.1).
type Proof struct {
	Entry      Entry
	Checkpoint Checkpoint
	Hashes     []tlog.Hash // from the leaf upwards
	Key        ed25519.PublicKey
}

// Prove returns the proof for a sequenced entry under a checkpoint that covers it.
func Prove(e Entry, c Checkpoint, stored tlog.HashReader, key ed25519.PublicKey) (Proof, error) {
	if e.Position < 0 || e.Position >= c.Size {
		return Proof{}, fmt.Errorf("position %d is not under a checkpoint of size %d", e.Position, c.Size)
	}
	hashes, err := tlog.ProveRecord(c.Size, e.Position, stored)
	if err != nil {
		return Proof{}, fmt.Errorf("prove an audit entry: %w", err)
	}
	return Proof{Entry: e, Checkpoint: c, Hashes: hashes, Key: key}, nil
}

// Check recomputes the root from the entry and returns ErrTampered if it differs from the signed checkpoint.
func (p Proof) Check() error {
	if err := p.Checkpoint.Signed(p.Key); err != nil {
		return err
	}
	leaf, err := p.Entry.Leaf()
	if err != nil {
		return err
	}
	if err := tlog.CheckRecord(p.Hashes, p.Checkpoint.Size, p.Checkpoint.Root, p.Entry.Position, tlog.RecordHash(leaf)); err != nil {
		return fmt.Errorf("%w: the entry is not under that root", ErrTampered)
	}
	return nil
}
