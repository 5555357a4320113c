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

// erasedAs is the audited action and the event of each scope.
var erasedAs = map[Scope]EventType{ScopeAll: EventErased, ScopePictures: EventPicturesErased}

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

// Receipt proves an erasing.
type Receipt struct {
	Erasure
	Entry audit.Entry  // its Position is -1 until the log's sequencer came by
	Proof *audit.Proof // nil until then
}

// Eraser erases within a transaction.
type Eraser interface {
	// Strike destroys the keys of a scope, removes and reduces rows, and notes the time in the session's row.
	Strike(ctx context.Context, id idv.SessionID, scope Scope, at time.Time) (Struck, error)
	AddErasure(ctx context.Context, e Erasure) error
}

// ErasureReader reads erasings and finishes them.
type ErasureReader interface {
	// Erasures lists those of a session, oldest first.
	Erasures(ctx context.Context, id idv.SessionID) ([]Erasure, error)
	// EntryOf finds the newest audit entry of a session with that action and, once it is in the log, its proof.
	EntryOf(ctx context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error)
}

// Cleaner does what no transaction can: blobs, and the files of the database.
type Cleaner interface {
	// Unfinished lists sessions whose erasing began before a time and is not finished, oldest first, at most limit.
	Unfinished(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error)
	// Clean finishes the erasings of sessions: their blobs are deleted, the database's files hold no piece of their keys.
	// It can be repeated, and be interrupted anywhere.
	Clean(ctx context.Context, ids []idv.SessionID) error
}

// Erase removes everything personal of a session, for ever. One that is not finished is cancelled first; one that was erased
// before answers as then. Problems: not_found, session.legal_hold.
func (s *Service) Erase(ctx context.Context, mode idv.Mode, id idv.SessionID) (Receipt, error) {
	if _, err := s.erase(ctx, mode, id, ScopeAll, OnRequest); err != nil {
		return Receipt{}, err
	}
	s.clean(ctx, []idv.SessionID{id})
	return s.Receipt(ctx, mode, id)
}

// clean finishes erasings at once, as well as it can: what is left is left to the job.
func (s *Service) clean(ctx context.Context, ids []idv.SessionID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	if err := s.store.Clean(ctx, ids); err != nil {
		s.log.WarnContext(ctx, "erasing is not finished and will be tried again", "sessions", len(ids), "error", err)
	}
}

// cleanTime is how long a caller waits for an erasing to be finished; the keys are gone before.
const cleanTime = 10 * time.Second

// erase strikes a session in one transaction. false: it was done before.
func (s *Service) erase(ctx context.Context, mode idv.Mode, id idv.SessionID, scope Scope, ground Ground) (bool, error) {
	fresh := false
	_, err := s.change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if !rec.ErasedAt.IsZero() || (scope == ScopePictures && !rec.PicturesErasedAt.IsZero()) {
			return nil
		}
		if !rec.HeldAt.IsZero() {
			return problem.New(problem.SessionLegalHold)
		}
		if !rec.State.Final() {
			if err := s.move(ctx, tx, rec, idv.Withdrawn, nil); err != nil {
				return err
			}
		}
		fresh = true
		return s.strike(ctx, tx, rec, scope, ground)
	})
	return fresh && err == nil, err
}

// strike removes what the scope covers and records it. Nothing of the session can be sealed or opened afterwards.
func (s *Service) strike(ctx context.Context, tx Tx, rec *Record, scope Scope, ground Ground) error {
	now := s.now()
	struck, err := tx.Strike(ctx, rec.ID, scope, now)
	if err != nil {
		return err
	}
	rec.PicturesErasedAt, rec.Version = now, rec.Version+1
	if scope == ScopeAll {
		rec.ErasedAt, rec.ExternalReference, rec.Metadata, rec.Claimed, rec.ReturnURL, rec.Locale = now, "", nil, nil, "", ""
	}
	raw, err := json.Marshal(Statement{
		Format: StatementFormat, Session: rec.ID, Scope: scope, Ground: ground, By: actorOf(ctx), ErasedAt: now,
		Keysets: struck.Keysets, Removed: struck.Removed, Items: struck.Items,
	})
	if err != nil {
		return fmt.Errorf("state an erasing: %w", err)
	}
	action := string(erasedAs[scope])
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
	return s.tell(ctx, tx, rec.ID, erasedAs[scope], map[string]any{"ground": ground})
}

// StatementDigest is how an audit entry names a statement: "sha256:" and 64 hex characters over its bytes.
func StatementDigest(statement string) string {
	sum := sha256.Sum256([]byte(statement))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func actorOf(ctx context.Context) string {
	a := audit.ActorFrom(ctx)
	if a.ID == "" || a.Kind == audit.Applicant { // an applicant's id is the session's
		return string(a.Kind)
	}
	return string(a.Kind) + ":" + a.ID
}

// Receipt reads the receipt of a session's erasing; of its pictures, where only they were erased. Problems: not_found, also
// where nothing was erased.
func (s *Service) Receipt(ctx context.Context, mode idv.Mode, id idv.SessionID) (Receipt, error) {
	if _, err := s.record(ctx, mode, id); err != nil {
		return Receipt{}, err
	}
	all, err := s.store.Erasures(ctx, id)
	if err != nil {
		return Receipt{}, err
	}
	if len(all) == 0 {
		return Receipt{}, problem.New(problem.NotFound)
	}
	out := Receipt{Erasure: all[len(all)-1]}
	out.Entry, out.Proof, err = s.store.EntryOf(ctx, id, string(erasedAs[out.Scope]))
	return out, err
}

// FinishErasing is the job that finishes what a call or a server that died left undone. Running it twice does no harm.
func (s *Service) FinishErasing(ctx context.Context, id idv.SessionID) error {
	return s.store.Clean(ctx, []idv.SessionID{id})
}

// unfinishedAge spares erasings that began a moment ago: whoever began them is at it, or the job is.
const unfinishedAge = 2 * time.Minute

// cleanBatch bounds how many erasings are finished together.
const cleanBatch = 16

// sweepErasings finishes erasings whose job was lost.
func (s *Service) sweepErasings(ctx context.Context) error {
	ids, err := s.store.Unfinished(ctx, s.now().Add(-unfinishedAge), cleanBatch)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.store.Clean(ctx, ids)
}

// gone is the problem of reading what was erased.
func (r Record) gone(scope Scope) error {
	if !r.ErasedAt.IsZero() || (scope == ScopePictures && !r.PicturesErasedAt.IsZero()) {
		return problem.New(problem.SessionErased)
	}
	return nil
}
