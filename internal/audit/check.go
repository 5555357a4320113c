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

// Proven is what a document proves to a reader who trusts Key. It proves nothing else.
type Proven struct {
	What       string            // kind of document
	Key        ed25519.PublicKey // that signed the checkpoint
	Statements []string          // what is proven, in sentences
}

// kinds is the table of formats. Receipts are stored as the API returned them and have no format.
var kinds = map[string]func(raw []byte) (Proven, error){
	CheckpointFormat: checkCheckpoint, EntryFormat: checkEntry, ConsistencyFormat: checkConsistency, "": checkReceipt,
}

// CheckDocument verifies a document of the log, as far as that is possible without the log. It returns ErrTampered if the
// proof does not hold, and ErrNotReadable if the document is something else.
func CheckDocument(raw []byte) (Proven, error) {
	if len(raw) > MaxDocument {
		return Proven{}, fmt.Errorf("%w: it is larger than %d bytes", ErrNotReadable, MaxDocument)
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return Proven{}, fmt.Errorf("%w: it is not JSON", ErrNotReadable)
	}
	check, known := kinds[head.Format]
	if !known {
		return Proven{}, fmt.Errorf("%w: format %.40q", ErrNotReadable, head.Format)
	}
	return check(raw)
}

func checkCheckpoint(raw []byte) (Proven, error) {
	var d CheckpointDocument
	if err := decodeStrict(raw, &d); err != nil {
		return Proven{}, err
	}
	c, key, err := d.Checkpoint()
	if err != nil {
		return Proven{}, err
	}
	return Proven{What: "checkpoint", Key: key, Statements: []string{c.statement()}}, c.Signed(key)
}

func (c Checkpoint) statement() string {
	return fmt.Sprintf("The log had %d entries under the root %s.", c.Size, encodeBase64(c.Root[:]))
}

func checkEntry(raw []byte) (Proven, error) {
	var d EntryDocument
	if err := decodeStrict(raw, &d); err != nil {
		return Proven{}, err
	}
	p, err := d.Proof()
	if err != nil {
		return Proven{}, err
	}
	return Proven{What: "entry proof", Key: p.Key, Statements: []string{p.statement(), p.Checkpoint.statement()}}, p.Check()
}

func (p Proof) statement() string { return p.Entry.String() }

// String returns the entry in one line.
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

func checkConsistency(raw []byte) (Proven, error) {
	var d ConsistencyDocument
	if err := decodeStrict(raw, &d); err != nil {
		return Proven{}, err
	}
	g, err := d.Growth()
	if err != nil {
		return Proven{}, err
	}
	return Proven{What: "consistency proof", Key: g.Key, Statements: []string{
		g.Older.statement(), fmt.Sprintf(
			"It only grew from then to %d entries under the root %s: nothing was changed, removed or inserted.", g.Newer.Size, encodeBase64(g.Newer.Root[:]),
		),
	}}, g.Check()
}

// receipt is the receipt of an erasure, as the API returns it.
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

// erasingActions are the actions of entries that a receipt may refer to, with the scope of the erasure.
var erasingActions = map[string]string{"session.erased": "all", "session.pictures_erased": "pictures"}

func checkReceipt(raw []byte) (Proven, error) {
	var r receipt
	if err := decodeStrict(raw, &r); err != nil {
		return Proven{}, err
	}
	if r.StatementDigest == "" || r.Audit.Proof == nil || r.Audit.Position == nil {
		return Proven{}, fmt.Errorf("%w: a receipt without its proof; read it again once the log came by", ErrNotReadable)
	}
	p, err := r.proof()
	if err != nil {
		return Proven{}, err
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
		return Proven{}, fmt.Errorf("%w: %w", ErrNotReadable, err)
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
	return Proven{What: "receipt of an erasing", Key: p.Key, Statements: []string{
		p.statement(), "The log names this statement: " + string(text), p.Checkpoint.statement(),
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
		Format: EntryFormat, Position: *r.Audit.Position, Leaf: string(leaf), LeafHash: encodeBase64(leafHash[:]), Hashes: in.Hashes,
		Checkpoint: CheckpointDocument{
			Format: CheckpointFormat, Size: in.Size, Root: in.Root, SignedAt: in.SignedAt, Signature: in.Signature, PublicKey: in.PublicKey,
		},
	}.Proof()
}

// compact removes the white space between tokens. Statements and entries are hashed without it.
func compact(raw json.RawMessage) ([]byte, error) {
	var out bytes.Buffer
	err := json.Compact(&out, raw)
	return out.Bytes(), err
}
