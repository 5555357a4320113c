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

// The formats of documents that leave the log. Each is one JSON object, and can be checked by whoever has the log's public key
// and nothing else of the deployment.
const (
	CheckpointFormat  = "bonafide-checkpoint-1"
	EntryFormat       = "bonafide-entry-proof-1"
	ConsistencyFormat = "bonafide-consistency-1"
)

// ErrNotReadable means that a document is none of ours, or of a later version: nothing was found out about it.
var ErrNotReadable = errors.New("this is no document of an audit log")

// MaxDocument is the most bytes of a document that is read.
const MaxDocument = 16 << 20

// CheckpointDocument is a checkpoint as it is handed out. The signature is Ed25519 over the size and the root in the format of
// tlog.FormatTree; the time is what the server says and is not signed.
type CheckpointDocument struct {
	Format    string    `json:"format" enum:"bonafide-checkpoint-1"`
	Size      int64     `json:"size" doc:"How many entries the log had"`
	Root      string    `json:"root" doc:"Base64, of 32 bytes"`
	SignedAt  time.Time `json:"signed_at" doc:"By the server's clock; not under the signature"`
	Signature string    `json:"signature" doc:"Base64; Ed25519 over the tree as golang.org/x/mod/sumdb/tlog formats it"`
	PublicKey string    `json:"public_key" doc:"Base64; compare it with the one you know"`
}

// EntryDocument proves that an entry stands in the log at a position (RFC 6962 §2.1.1).
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

// Growth shows that a log only grew from one checkpoint to a later one, to whoever trusts the key of both.
type Growth struct {
	Older, Newer Checkpoint
	Hashes       []tlog.Hash
	Key          ed25519.PublicKey
}

// ProveGrowth makes the proof for two checkpoints of a log.
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

// Check recomputes both roots and compares them with the signed checkpoints. ErrTampered if they differ.
func (g Growth) Check() error {
	if err := errors.Join(g.Older.Signed(g.Key), g.Newer.Signed(g.Key)); err != nil {
		return err
	}
	if err := tlog.CheckTree(g.Hashes, g.Newer.Size, g.Newer.Root, g.Older.Size, g.Older.Root); err != nil {
		return fmt.Errorf("%w: the log of size %d is not the one of size %d with more entries", ErrTampered, g.Newer.Size, g.Older.Size)
	}
	return nil
}

// Signed reports whether a checkpoint is signed by a key. ErrTampered if it is not.
func (c Checkpoint) Signed(key ed25519.PublicKey) error {
	if len(key) != ed25519.PublicKeySize {
		return errors.New("the key of the checkpoint has another size")
	}
	if c.Size < 0 || !ed25519.Verify(key, tlog.FormatTree(tlog.Tree{N: c.Size, Hash: c.Root}), c.Signature) {
		return fmt.Errorf("%w: the checkpoint of size %d is not signed by that key", ErrTampered, c.Size)
	}
	return nil
}

// Document is the checkpoint as it is handed out.
func (c Checkpoint) Document(key ed25519.PublicKey) CheckpointDocument {
	return CheckpointDocument{
		Format: CheckpointFormat, Size: c.Size, Root: b64(c.Root[:]), SignedAt: c.At.UTC(), Signature: b64(c.Signature), PublicKey: b64(key),
	}
}

// Document is the proof as it is handed out.
func (p Proof) Document() (EntryDocument, error) {
	leaf, err := p.Entry.Leaf()
	if err != nil {
		return EntryDocument{}, err
	}
	hash := tlog.RecordHash(leaf)
	return EntryDocument{
		Format: EntryFormat, Position: p.Entry.Position, Leaf: string(leaf), LeafHash: b64(hash[:]), Hashes: texts(p.Hashes),
		Checkpoint: p.Checkpoint.Document(p.Key),
	}, nil
}

// PathDocument is an entry proof without its checkpoint, for files that hold many under one.
type PathDocument struct {
	Position int64    `json:"position"`
	Leaf     string   `json:"leaf"` // as it is hashed
	Hashes   []string `json:"hashes"`
}

// Path is the proof without its checkpoint.
func (p Proof) Path() (PathDocument, error) {
	leaf, err := p.Entry.Leaf()
	return PathDocument{Position: p.Entry.Position, Leaf: string(leaf), Hashes: texts(p.Hashes)}, err
}

// Under is the whole proof under a checkpoint.
func (d PathDocument) Under(c CheckpointDocument) EntryDocument {
	leaf := tlog.RecordHash([]byte(d.Leaf))
	return EntryDocument{Format: EntryFormat, Position: d.Position, Leaf: d.Leaf, LeafHash: b64(leaf[:]), Hashes: d.Hashes, Checkpoint: c}
}

// Document is the proof as it is handed out.
func (g Growth) Document() ConsistencyDocument {
	return ConsistencyDocument{Format: ConsistencyFormat, Older: g.Older.Document(g.Key), Newer: g.Newer.Document(g.Key), Hashes: texts(g.Hashes)}
}

// Checkpoint reads the document back.
func (d CheckpointDocument) Checkpoint() (Checkpoint, ed25519.PublicKey, error) {
	if d.Format != CheckpointFormat {
		return Checkpoint{}, nil, fmt.Errorf("%w: a checkpoint of format %q", ErrNotReadable, d.Format)
	}
	out := Checkpoint{Size: d.Size, At: d.SignedAt}
	root, err := hash(d.Root)
	if err != nil {
		return out, nil, err
	}
	key, err := ParseKey(d.PublicKey)
	if err != nil {
		return out, nil, err
	}
	out.Root = root
	if out.Signature, err = unb64(d.Signature, ed25519.SignatureSize); err != nil {
		return out, nil, err
	}
	return out, key, nil
}

// Proof reads the document back.
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
	if out.Hashes, err = hashes(d.Hashes); err != nil {
		return out, err
	}
	said, err := hash(d.LeafHash)
	if err == nil && said != tlog.RecordHash([]byte(d.Leaf)) {
		err = fmt.Errorf("%w: the entry has another hash than the proof says", ErrTampered)
	}
	return out, err
}

// Growth reads the document back.
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
	out.Hashes, err = hashes(d.Hashes)
	return out, err
}

// parseLeaf reads an entry back from the bytes that are hashed. Bytes that say the same in another way are refused.
func parseLeaf(leaf []byte) (Entry, error) {
	var e Entry
	if err := strict(leaf, &e); err != nil {
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
	raw, err := unb64(text, ed25519.PublicKeySize)
	return raw, err
}

// strict reads one JSON object without unknown fields and with nothing behind it.
func strict(raw []byte, into any) error {
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

func b64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

func unb64(text string, size int) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != size || b64(raw) != text {
		return nil, fmt.Errorf("%w: a value is not base64 of %d bytes", ErrNotReadable, size)
	}
	return raw, nil
}

func hash(text string) (tlog.Hash, error) {
	raw, err := unb64(text, tlog.HashSize)
	if err != nil {
		return tlog.Hash{}, err
	}
	return tlog.Hash(raw), nil
}

// mostHashes: no path is longer, whatever the size of the log.
const mostHashes = 128

func hashes(list []string) ([]tlog.Hash, error) {
	if len(list) > mostHashes {
		return nil, fmt.Errorf("%w: a path of %d hashes", ErrNotReadable, len(list))
	}
	out := make([]tlog.Hash, len(list))
	var err error
	for i, text := range list {
		if out[i], err = hash(text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func texts(list []tlog.Hash) []string {
	out := make([]string, len(list))
	for i, h := range list {
		out[i] = b64(h[:])
	}
	return out
}
