package audit

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Held is what a document proves, to whoever trusts Key. What is not in it is not proven.
type Held struct {
	What string            // of what kind the document is
	Key  ed25519.PublicKey // that signed it
	Says []string          // what is proven, one sentence each
}

// kinds tells documents apart by their format; receipts, which the API answers as they are, by what they hold.
var kinds = map[string]func(raw []byte) (Held, error){
	CheckpointFormat: checkCheckpoint, EntryFormat: checkEntry, ConsistencyFormat: checkConsistency, "": checkReceipt,
}

// CheckDocument reads a document of the log and checks everything that can be checked without the log. ErrTampered if it does
// not hold, ErrNotReadable if it is something else.
func CheckDocument(raw []byte) (Held, error) {
	if len(raw) > MaxDocument {
		return Held{}, fmt.Errorf("%w: it is larger than %d bytes", ErrNotReadable, MaxDocument)
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return Held{}, fmt.Errorf("%w: it is not JSON", ErrNotReadable)
	}
	check, known := kinds[head.Format]
	if !known {
		return Held{}, fmt.Errorf("%w: format %.40q", ErrNotReadable, head.Format)
	}
	return check(raw)
}

func checkCheckpoint(raw []byte) (Held, error) {
	var d CheckpointDocument
	if err := strict(raw, &d); err != nil {
		return Held{}, err
	}
	c, key, err := d.Checkpoint()
	if err != nil {
		return Held{}, err
	}
	return Held{What: "checkpoint", Key: key, Says: []string{c.says()}}, c.Signed(key)
}

func (c Checkpoint) says() string {
	return fmt.Sprintf("The log had %d entries under the root %s.", c.Size, b64(c.Root[:]))
}

func checkEntry(raw []byte) (Held, error) {
	var d EntryDocument
	if err := strict(raw, &d); err != nil {
		return Held{}, err
	}
	p, err := d.Proof()
	if err != nil {
		return Held{}, err
	}
	return Held{What: "entry proof", Key: p.Key, Says: []string{p.says(), p.Checkpoint.says()}}, p.Check()
}

func (p Proof) says() string { return p.Entry.String() }

// String is the entry in one line.
func (e Entry) String() string {
	by := string(e.Actor)
	if e.ActorID != "" {
		by += " " + e.ActorID
	}
	about := ""
	for _, id := range []string{string(e.Session), e.Subject} {
		if id != "" {
			about += " " + id
		}
	}
	return fmt.Sprintf("Position %d: %s%s by %s at %s (%s).", e.Position, e.Action, about, by, e.At.UTC().Format(time.RFC3339), e.ID)
}

func checkConsistency(raw []byte) (Held, error) {
	var d ConsistencyDocument
	if err := strict(raw, &d); err != nil {
		return Held{}, err
	}
	g, err := d.Growth()
	if err != nil {
		return Held{}, err
	}
	return Held{What: "consistency proof", Key: g.Key, Says: []string{
		g.Older.says(), fmt.Sprintf("It only grew from then to %d entries under the root %s: nothing was changed, removed or inserted.", g.Newer.Size, b64(g.Newer.Root[:])),
	}}, g.Check()
}

// receipt is the receipt of an erasing, as the API answers it.
type receipt struct {
	Session         idv.SessionID   `json:"session"`
	ErasedAt        time.Time       `json:"erased_at"`
	FinishedAt      *time.Time      `json:"finished_at"`
	Statement       json.RawMessage `json:"statement"`
	StatementDigest string          `json:"statement_digest"`
	Audit           struct {
		Entry    json.RawMessage `json:"entry"`
		Position *int64          `json:"position"`
		Proof    *struct {
			Size      int64     `json:"size"`
			Root      string    `json:"root"`
			Hashes    []string  `json:"hashes"`
			Signature string    `json:"signature"`
			PublicKey string    `json:"public_key"`
			SignedAt  time.Time `json:"signed_at"`
		} `json:"proof"`
	} `json:"audit"`
}

// erasingActions are the entries that a receipt may rest on.
var erasingActions = map[string]string{"session.erased": "all", "session.pictures_erased": "pictures"}

func checkReceipt(raw []byte) (Held, error) {
	var r receipt
	if err := strict(raw, &r); err != nil {
		return Held{}, err
	}
	if r.StatementDigest == "" || r.Audit.Proof == nil || r.Audit.Position == nil {
		return Held{}, fmt.Errorf("%w: a receipt without its proof; read it again once the log came by", ErrNotReadable)
	}
	p, err := r.proof()
	if err != nil {
		return Held{}, err
	}
	var statement struct {
		Session  idv.SessionID `json:"session"`
		Scope    string        `json:"scope"`
		ErasedAt time.Time     `json:"erased_at"`
	}
	text, err := compact(r.Statement)
	if err == nil {
		err = json.Unmarshal(text, &statement)
	}
	if err != nil {
		return Held{}, fmt.Errorf("%w: %w", ErrNotReadable, err)
	}
	sum := sha256.Sum256(text)
	switch scope, ok := erasingActions[p.Entry.Action]; {
	case !ok || scope != statement.Scope:
		err = fmt.Errorf("%w: the entry is not that of this erasing", ErrTampered)
	case "sha256:"+hex.EncodeToString(sum[:]) != p.Entry.Subject || r.StatementDigest != p.Entry.Subject:
		err = fmt.Errorf("%w: the statement is not the one that the entry names", ErrTampered)
	case r.Session != p.Entry.Session || statement.Session != r.Session || !statement.ErasedAt.Equal(r.ErasedAt):
		err = fmt.Errorf("%w: statement, entry and receipt are about different things", ErrTampered)
	default:
		err = p.Check()
	}
	return Held{What: "receipt of an erasing", Key: p.Key, Says: []string{
		p.says(), "The log names this statement: " + string(text), p.Checkpoint.says(),
	}}, err
}

func (r receipt) proof() (Proof, error) {
	leaf, err := compact(r.Audit.Entry)
	if err != nil {
		return Proof{}, fmt.Errorf("%w: %w", ErrNotReadable, err)
	}
	in := r.Audit.Proof
	leafHash := tlog.RecordHash(leaf)
	return EntryDocument{
		Format: EntryFormat, Position: *r.Audit.Position, Leaf: string(leaf), LeafHash: b64(leafHash[:]), Hashes: in.Hashes,
		Checkpoint: CheckpointDocument{
			Format: CheckpointFormat, Size: in.Size, Root: in.Root, SignedAt: in.SignedAt, Signature: in.Signature, PublicKey: in.PublicKey,
		},
	}.Proof()
}

// compact takes the white space between tokens out, which is how statements and entries are hashed.
func compact(raw json.RawMessage) ([]byte, error) {
	var out bytes.Buffer
	err := json.Compact(&out, raw)
	return out.Bytes(), err
}
