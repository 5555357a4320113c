package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// The formats of exported documents. Each is one JSON object that can be verified with the log's public key alone.
const (
	CheckpointFormat  = "bonafide-checkpoint-1"
	EntryFormat       = "bonafide-entry-proof-1"
	ConsistencyFormat = "bonafide-consistency-1"
)

// ErrNotReadable means that a document is not one of an audit log, or of a later version. It says nothing about its truth.
var ErrNotReadable = errors.New("this is no document of an audit log")

// MaxDocument is the largest size of a document in bytes.
const MaxDocument = 16 << 20

// CheckpointDocument is an exported checkpoint. The signature is Ed25519 over the size and the root in the format of
// tlog.FormatTree; the time is the server's claim and is not signed.
type CheckpointDocument struct {
	Format    string    `json:"format" enum:"bonafide-checkpoint-1"`
	Size      int64     `json:"size" doc:"How many entries the log had"`
	Root      string    `json:"root" doc:"Base64, of 32 bytes"`
	SignedAt  time.Time `json:"signed_at" doc:"By the server's clock; not under the signature"`
	Signature string    `json:"signature" doc:"Base64; Ed25519 over the tree as golang.org/x/mod/sumdb/tlog formats it"`
	PublicKey string    `json:"public_key" doc:"Base64; compare it with the one you know"`
}

// EntryDocument proves that an entry is in the log at a position (RFC 6962 §2.1.1).
type EntryDocument struct {
	Format     string             `json:"format" enum:"bonafide-entry-proof-1"`
	Position   int64              `json:"position" doc:"From 0"`
	Leaf       string             `json:"leaf" doc:"The entry, byte for byte as it is hashed: JSON in a string"`
	LeafHash   string             `json:"leaf_hash" doc:"Base64; SHA-256 of a zero byte and the leaf"`
	Hashes     []string           `json:"hashes" doc:"Base64, from the leaf upwards"`
	Checkpoint CheckpointDocument `json:"checkpoint"`
}

// ConsistencyDocument proves that a log only grew from one checkpoint to a later one (RFC 6962 §2.1.2).
type ConsistencyDocument struct {
	Format string             `json:"format" enum:"bonafide-consistency-1"`
	Older  CheckpointDocument `json:"older"`
	Newer  CheckpointDocument `json:"newer"`
	Hashes []string           `json:"hashes" doc:"Base64"`
}

// Growth proves that a log only grew from one checkpoint to a later one, to a reader who trusts the key of both.
type Growth struct {
	Older, Newer Checkpoint
	Hashes       []tlog.Hash
	Key          ed25519.PublicKey
}

// ProveGrowth returns the proof for two checkpoints of a log.
func ProveGrowth(older, newer Checkpoint, stored tlog.HashReader, key ed25519.PublicKey) (Growth, error) {
	if older.Size < 1 || older.Size > newer.Size {
		return Growth{}, fmt.Errorf("a log of size %d did not grow to %d", older.Size, newer.Size)
	}
	hashes, err := tlog.ProveTree(newer.Size, older.Size, stored)
	if err != nil {
		return Growth{}, fmt.Errorf("prove that the log grew: %w", err)
	}
	return Growth{Older: older, Newer: newer, Hashes: hashes, Key: key}, nil
}

// Check recomputes both roots and returns ErrTampered if they differ from the signed checkpoints.
func (g Growth) Check() error {
	if err := errors.Join(g.Older.Signed(g.Key), g.Newer.Signed(g.Key)); err != nil {
		return err
	}
	if err := tlog.CheckTree(g.Hashes, g.Newer.Size, g.Newer.Root, g.Older.Size, g.Older.Root); err != nil {
		return fmt.Errorf("%w: the log of size %d is not the one of size %d with more entries", ErrTampered, g.Newer.Size, g.Older.Size)
	}
	return nil
}

// Signed returns ErrTampered unless the checkpoint is signed by the key.
func (c Checkpoint) Signed(key ed25519.PublicKey) error {
	if len(key) != ed25519.PublicKeySize {
		return errors.New("the key of the checkpoint has another size")
	}
	if c.Size < 0 || !ed25519.Verify(key, tlog.FormatTree(tlog.Tree{N: c.Size, Hash: c.Root}), c.Signature) {
		return fmt.Errorf("%w: the checkpoint of size %d is not signed by that key", ErrTampered, c.Size)
	}
	return nil
}

// Document returns the checkpoint for export.
func (c Checkpoint) Document(key ed25519.PublicKey) CheckpointDocument {
	return CheckpointDocument{
		Format: CheckpointFormat, Size: c.Size, Root: encodeBase64(c.Root[:]), SignedAt: c.At.UTC(),
		Signature: encodeBase64(c.Signature), PublicKey: encodeBase64(key),
	}
}

// Document returns the proof for export.
func (p Proof) Document() (EntryDocument, error) {
	leaf, err := p.Entry.Leaf()
	if err != nil {
		return EntryDocument{}, err
	}
	hash := tlog.RecordHash(leaf)
	return EntryDocument{
		Format: EntryFormat, Position: p.Entry.Position, Leaf: string(leaf), LeafHash: encodeBase64(hash[:]), Hashes: encodeHashes(p.Hashes),
		Checkpoint: p.Checkpoint.Document(p.Key),
	}, nil
}

// PathDocument is an entry proof without its checkpoint, for files with many proofs under one checkpoint.
type PathDocument struct {
	Position int64    `json:"position"`
	Leaf     string   `json:"leaf"` // as it is hashed
	Hashes   []string `json:"hashes"`
}

// Path returns the proof without its checkpoint.
func (p Proof) Path() (PathDocument, error) {
	leaf, err := p.Entry.Leaf()
	return PathDocument{Position: p.Entry.Position, Leaf: string(leaf), Hashes: encodeHashes(p.Hashes)}, err
}

// Under returns the proof with a checkpoint.
func (d PathDocument) Under(c CheckpointDocument) EntryDocument {
	leaf := tlog.RecordHash([]byte(d.Leaf))
	return EntryDocument{Format: EntryFormat, Position: d.Position, Leaf: d.Leaf, LeafHash: encodeBase64(leaf[:]), Hashes: d.Hashes, Checkpoint: c}
}

// Document returns the proof for export.
func (g Growth) Document() ConsistencyDocument {
	return ConsistencyDocument{Format: ConsistencyFormat, Older: g.Older.Document(g.Key), Newer: g.Newer.Document(g.Key), Hashes: encodeHashes(g.Hashes)}
}

// Checkpoint decodes the document.
func (d CheckpointDocument) Checkpoint() (Checkpoint, ed25519.PublicKey, error) {
	if d.Format != CheckpointFormat {
		return Checkpoint{}, nil, fmt.Errorf("%w: a checkpoint of format %q", ErrNotReadable, d.Format)
	}
	out := Checkpoint{Size: d.Size, At: d.SignedAt}
	root, err := decodeHash(d.Root)
	if err != nil {
		return out, nil, err
	}
	key, err := ParseKey(d.PublicKey)
	if err != nil {
		return out, nil, err
	}
	out.Root = root
	if out.Signature, err = decodeBase64(d.Signature, ed25519.SignatureSize); err != nil {
		return out, nil, err
	}
	return out, key, nil
}

// Proof decodes the document.
func (d EntryDocument) Proof() (Proof, error) {
	if d.Format != EntryFormat {
		return Proof{}, fmt.Errorf("%w: an entry proof of format %q", ErrNotReadable, d.Format)
	}
	e, err := parseLeaf([]byte(d.Leaf))
	if err != nil {
		return Proof{}, err
	}
	e.Position = d.Position
	out := Proof{Entry: e}
	if out.Checkpoint, out.Key, err = d.Checkpoint.Checkpoint(); err != nil {
		return out, err
	}
	if out.Hashes, err = decodeHashes(d.Hashes); err != nil {
		return out, err
	}
	said, err := decodeHash(d.LeafHash)
	if err == nil && said != tlog.RecordHash([]byte(d.Leaf)) {
		err = fmt.Errorf("%w: the entry has another hash than the proof says", ErrTampered)
	}
	return out, err
}

// Growth decodes the document.
func (d ConsistencyDocument) Growth() (Growth, error) {
	if d.Format != ConsistencyFormat {
		return Growth{}, fmt.Errorf("%w: a consistency proof of format %q", ErrNotReadable, d.Format)
	}
	older, oldKey, err := d.Older.Checkpoint()
	if err != nil {
		return Growth{}, err
	}
	newer, key, err := d.Newer.Checkpoint()
	if err != nil {
		return Growth{}, err
	}
	if !key.Equal(oldKey) {
		return Growth{}, fmt.Errorf("%w: the two checkpoints are signed by different keys", ErrTampered)
	}
	out := Growth{Older: older, Newer: newer, Key: key}
	out.Hashes, err = decodeHashes(d.Hashes)
	return out, err
}

// parseLeaf reads an entry back from the bytes that are hashed. Bytes that say the same in another way are refused.
func parseLeaf(leaf []byte) (Entry, error) {
	var e Entry
	if err := decodeStrict(leaf, &e); err != nil {
		return e, err
	}
	again, err := e.Leaf()
	if err != nil || !bytes.Equal(again, leaf) {
		return e, fmt.Errorf("%w: the entry is not written as entries are", ErrTampered)
	}
	e.Position = -1
	return e, nil
}

// ParseKey reads a public key: base64 of 32 bytes.
func ParseKey(text string) (ed25519.PublicKey, error) {
	raw, err := decodeBase64(text, ed25519.PublicKeySize)
	return raw, err
}

// decodeStrict reads one JSON object without unknown fields and with nothing behind it.
func decodeStrict(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrNotReadable, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: there is something behind it", ErrNotReadable)
	}
	return nil
}

func encodeBase64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func decodeBase64(text string, size int) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != size || encodeBase64(raw) != text {
		return nil, fmt.Errorf("%w: a value is not base64 of %d bytes", ErrNotReadable, size)
	}
	return raw, nil
}

func decodeHash(text string) (tlog.Hash, error) {
	raw, err := decodeBase64(text, tlog.HashSize)
	if err != nil {
		return tlog.Hash{}, err
	}
	return tlog.Hash(raw), nil
}

// mostHashes: no path is longer, whatever the size of the log.
const mostHashes = 128

func decodeHashes(list []string) ([]tlog.Hash, error) {
	if len(list) > mostHashes {
		return nil, fmt.Errorf("%w: a path of %d hashes", ErrNotReadable, len(list))
	}
	out := make([]tlog.Hash, len(list))
	var err error
	for i, text := range list {
		if out[i], err = decodeHash(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func encodeHashes(list []tlog.Hash) []string {
	out := make([]string, len(list))
	for i, h := range list {
		out[i] = encodeBase64(h[:])
	}
	return out
}
