package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Scope is how much of a session is erased.
type Scope string

// The scopes.
const (
	ScopeAll      Scope = "all"      // everything personal
	ScopePictures Scope = "pictures" // pictures, templates and what goes with them
)

// Ground is why something was erased.
type Ground string

// The grounds.
const (
	OnRequest       Ground = "request"          // somebody with the permission asked for it
	OnRetention     Ground = "retention"        // its time was over
	OnConsentDenied Ground = "consent_declined" // the applicant declined, or took consent back
)

// ErasedAs is the audited action and the event of each scope.
var ErasedAs = map[Scope]EventType{ScopeAll: EventErased, ScopePictures: EventPicturesErased}

// Removed counts what was removed from one place.
type Removed struct {
	What  string `json:"what"` // table or place, as docs/reference/erasing.md names it
	Count int    `json:"count"`
}

// RemovedItem names one thing that was removed. Digest is keyed by a key that was destroyed with it: it tells two things
// apart and confirms no guess.
type RemovedItem struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Digest string `json:"digest"`
}

// Struck is what a transaction removed.
type Struck struct {
	Keysets []string      // purposes whose keys were destroyed
	Removed []Removed     // rows and blobs, by place
	Items   []RemovedItem // captures and reports, oldest first
	Traces  []string      // short pieces of the wrapped keys, to look for afterwards; never shown
}

// Statement is what a receipt states. It holds nothing personal. Its SHA-256 is the subject of the audit entry.
type Statement struct {
	Format   string        `json:"format"` // bonafide-erasure-1
	Session  idv.SessionID `json:"session"`
	Scope    Scope         `json:"scope"`
	Ground   Ground        `json:"ground"`
	By       string        `json:"by"` // kind of the actor and, but for the system, their id
	ErasedAt time.Time     `json:"erased_at"`
	Keysets  []string      `json:"keysets"`
	Removed  []Removed     `json:"removed"`
	Items    []RemovedItem `json:"items"`
}

// StatementFormat names the form of statements.
const StatementFormat = "bonafide-erasure-1"

// Erasure is an erasing as it is kept.
type Erasure struct {
	Session    idv.SessionID
	Scope      Scope
	Statement  string // JSON of a Statement; its bytes are what the audit entry names
	ErasedAt   time.Time
	FinishedAt time.Time // blobs deleted and the database's files cleared of the keys; zero while that is under way
	Traces     []string
}

// Strike removes what the scope covers and records it. Nothing of the session can be sealed or opened afterwards.
func (l *Lifecycle) Strike(ctx context.Context, tx Tx, rec *Record, scope Scope, ground Ground) error {
	now := l.Now()
	struck, err := tx.Strike(ctx, rec.ID, scope, now)
	if err != nil {
		return err
	}
	rec.PicturesErasedAt, rec.Version = now, rec.Version+1
	if scope == ScopeAll {
		rec.ErasedAt, rec.ExternalReference, rec.Metadata, rec.Claimed, rec.ReturnURL, rec.Locale = now, "", nil, nil, "", ""
	}
	raw, err := json.Marshal(Statement{
		Format: StatementFormat, Session: rec.ID, Scope: scope, Ground: ground, By: ActorOf(ctx), ErasedAt: now,
		Keysets: struck.Keysets, Removed: struck.Removed, Items: struck.Items,
	})
	if err != nil {
		return fmt.Errorf("state an erasing: %w", err)
	}
	action := string(ErasedAs[scope])
	if err := tx.Audit(ctx, audit.Record{Action: action, Session: rec.ID, Subject: StatementDigest(string(raw))}); err != nil {
		return err
	}
	e := Erasure{Session: rec.ID, Scope: scope, Statement: string(raw), ErasedAt: now, Traces: struck.Traces}
	if err := tx.AddErasure(ctx, e); err != nil {
		return err
	}
	if err := tx.Enqueue(ctx, job.Erase{Session: rec.ID}); err != nil {
		return err
	}
	return l.Notify(ctx, tx, rec.ID, ErasedAs[scope], map[string]any{"ground": ground})
}

// StatementDigest is how an audit entry names a statement: "sha256:" and 64 hex characters over its bytes.
func StatementDigest(statement string) string {
	sum := sha256.Sum256([]byte(statement))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// ActorOf returns the kind of the actor and, where they are not the applicant, their id after a colon.
func ActorOf(ctx context.Context) string {
	a := audit.ActorFrom(ctx)
	if a.ID == "" || a.Kind == audit.Applicant { // an applicant's id is the session's
		return string(a.Kind)
	}
	return string(a.Kind) + ":" + a.ID
}

// CheckNotErased is the problem of reading what was erased.
func (r Record) CheckNotErased(scope Scope) error {
	if !r.ErasedAt.IsZero() || (scope == ScopePictures && !r.PicturesErasedAt.IsZero()) {
		return problem.New(problem.SessionErased)
	}
	return nil
}
