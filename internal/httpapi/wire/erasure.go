package wire

import (
	"encoding/base64"
	"encoding/json"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/retention"
)

// Keeping says until when the personal data of a session is kept. Times are known once the session came to its end.
type Keeping struct {
	PicturesUntil    *time.Time `json:"pictures_until" doc:"Pictures will be erased then; null before the session came to its end, and when they are gone"`
	ReportUntil      *time.Time `json:"report_until" doc:"Everything personal will be erased then"`
	PicturesErasedAt *time.Time `json:"pictures_erased_at"`
	HeldSince        *time.Time `json:"held_since" doc:"A legal hold is set: nothing is erased, whatever the times say"`
}

// Hold is a legal hold.
type Hold struct {
	Reason   string     `json:"reason" doc:"Empty once the session was erased"`
	SetBy    string     `json:"set_by" doc:"Kind of whoever set it, and their id"`
	SetAt    time.Time  `json:"set_at"`
	LiftedBy string     `json:"lifted_by"`
	LiftedAt *time.Time `json:"lifted_at" doc:"Null while the hold is set"`
}

// NewHold is what it takes to set a legal hold.
type NewHold struct {
	Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Why nothing may be erased; kept sealed, and erased with the session"`
}

// Receipt proves an erasing. It holds nothing personal.
type Receipt struct {
	Session         string          `json:"session"`
	ErasedAt        time.Time       `json:"erased_at" doc:"The keys were destroyed then: nothing that was sealed with them can be opened any more"`
	FinishedAt      *time.Time      `json:"finished_at" doc:"Blobs are deleted and the database's files cleared; null while that is under way"`
	Statement       json.RawMessage `json:"statement"`
	StatementDigest string          `json:"statement_digest" doc:"sha256: and 64 hex characters; the subject of the audit entry"`
	Audit           ReceiptEntry    `json:"audit"`
}

// ReceiptEntry is the audit entry of an erasing.
type ReceiptEntry struct {
	Entry    json.RawMessage `json:"entry" doc:"As it is hashed into the log, byte for byte"`
	Position *int64          `json:"position" doc:"In the Merkle log, from 0; null for the seconds until it has one"`
	Proof    *InclusionProof `json:"proof" doc:"Null as long"`
}

// InclusionProof shows that an entry is in the log (RFC 6962 §2.1.1).
type InclusionProof struct {
	Size      int64     `json:"size" doc:"Of the log under the checkpoint"`
	Root      string    `json:"root" doc:"Base64"`
	Hashes    []string  `json:"hashes" doc:"Base64, from the leaf upwards"`
	Signature string    `json:"signature" doc:"Base64; Ed25519 over the tree as golang.org/x/mod/sumdb/tlog formats it"`
	PublicKey string    `json:"public_key" doc:"Base64; compare it with the one you know"`
	SignedAt  time.Time `json:"signed_at"`
}

// ReceiptOf returns the receipt of an erasure as an answer.
func ReceiptOf(r retention.Receipt, err error) (*Answer[Receipt], error) {
	if err != nil {
		return nil, err
	}
	leaf, err := r.Entry.Leaf()
	out := Receipt{
		Session: string(r.Session), ErasedAt: r.ErasedAt.UTC(), FinishedAt: OptionalTime(r.FinishedAt), Statement: json.RawMessage(r.Statement),
		StatementDigest: session.StatementDigest(r.Statement), Audit: ReceiptEntry{Entry: leaf, Proof: proofOf(r.Proof)},
	}
	if r.Entry.Position >= 0 {
		out.Audit.Position = &r.Entry.Position
	}
	return Reply(out, err)
}

func proofOf(p *audit.Proof) *InclusionProof {
	if p == nil {
		return nil
	}
	b64 := base64.StdEncoding.EncodeToString
	out := &InclusionProof{
		Size: p.Checkpoint.Size, Root: b64(p.Checkpoint.Root[:]), Hashes: []string{}, Signature: b64(p.Checkpoint.Signature),
		PublicKey: b64(p.Key), SignedAt: p.Checkpoint.At.UTC(),
	}
	for _, h := range p.Hashes {
		out.Hashes = append(out.Hashes, b64(h[:]))
	}
	return out
}

// HoldOf returns the wire form of a legal hold.
func HoldOf(h session.Hold) Hold {
	return Hold{Reason: h.Reason, SetBy: h.SetBy, SetAt: h.SetAt.UTC(), LiftedBy: h.LiftedBy, LiftedAt: OptionalTime(h.LiftedAt)}
}

func keepingOf(v session.View) Keeping {
	return Keeping{
		PicturesUntil: OptionalTime(v.Keeping.PicturesUntil), ReportUntil: OptionalTime(v.Keeping.ReportUntil),
		PicturesErasedAt: OptionalTime(v.Session.PicturesErasedAt), HeldSince: OptionalTime(v.Session.HeldAt),
	}
}

// FaceWithdrawn says what became of a face that is no longer compared with others.
type FaceWithdrawn struct {
	Removed int `json:"removed" doc:"Faces that were removed: 1, or 0 where there was none"`
}

// FaceWithdrawnOf answers how many faces were removed.
func FaceWithdrawnOf(removed int, err error) (*Answer[FaceWithdrawn], error) {
	return Reply(FaceWithdrawn{Removed: removed}, err)
}
