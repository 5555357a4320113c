package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// BatchSize bounds how many sessions, cases or uploads a job reads at a time.
const BatchSize = 100

// DefaultCaseTarget is within which a case should be decided, unless Options say otherwise.
const DefaultCaseTarget = 4 * time.Hour

// Options configure a Lifecycle. The zero value works.
type Options struct {
	Now        func() time.Time // defaults to time.Now
	Random     io.Reader        // defaults to crypto/rand
	Log        *slog.Logger     // defaults to slog.Default
	CaseTarget time.Duration    // within which a case should be decided; defaults to DefaultCaseTarget
	Office     *mail.Office     // nil where nothing is mailed
}

// Lifecycle changes sessions. Every change is one transaction under the lock of the session, and commits the new state
// together with its audit entry, its event and the jobs that follow from it. It is safe for concurrent use.
type Lifecycle struct {
	store      Store
	pictures   Pictures
	engine     Engine
	now        func() time.Time
	random     io.Reader
	log        *slog.Logger
	slots      chan struct{}
	caseTarget time.Duration
	office     *mail.Office
}

// NewLifecycle returns a Lifecycle over a store.
func NewLifecycle(st Store, pictures Pictures, engine Engine, o Options) *Lifecycle {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.CaseTarget <= 0 {
		o.CaseTarget = DefaultCaseTarget
	}
	return &Lifecycle{
		store: st, pictures: pictures, engine: engine, now: o.Now, random: o.Random, log: o.Log,
		slots: make(chan struct{}, pictureSlots), caseTarget: o.CaseTarget, office: o.Office,
	}
}

// Now returns the time in UTC, in microseconds: as exactly as every database keeps it.
func (l *Lifecycle) Now() time.Time { return l.now().UTC().Truncate(time.Microsecond) }

// Random returns the source of secrets and ids.
func (l *Lifecycle) Random() io.Reader { return l.random }

// WorkflowReader reads versions of workflows.
type WorkflowReader interface {
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
}

// WorkflowOf is what a session's workflow asks of it.
func WorkflowOf(ctx context.Context, r WorkflowReader, rec Record) (idv.WorkflowVersion, error) {
	w, err := r.Workflow(ctx, rec.Workflow)
	return w.For(rec.Session), err
}

// ChangeFunc changes a session within a transaction. It holds the lock of rec and knows the workflow version that rec follows.
type ChangeFunc func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error

// Change runs f under the lock of a session of that mode, or of any mode if it is empty, and returns the session as f leaves
// it. An error of f undoes everything. Problems: not_found, and those of f.
func (l *Lifecycle) Change(ctx context.Context, mode idv.Mode, id idv.SessionID, f ChangeFunc) (View, error) {
	var v View
	err := l.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil {
			return err
		}
		if mode != "" && rec.Mode != mode {
			return problem.New(problem.NotFound)
		}
		w, err := WorkflowOf(ctx, tx, rec)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &rec, w); err != nil {
			return err
		}
		v, err = l.ViewOf(ctx, tx, rec, w)
		return err
	})
	return v, err
}

// eventOf names the event that each move sends.
var eventOf = map[idv.SessionEvent]EventType{
	idv.Opened: EventOpened, idv.Submitted: EventSubmitted, idv.Accepted: EventApproved, idv.Rejected: EventDeclined,
	idv.Referred: EventReferred, idv.Reopened: EventReopened, idv.TimedOut: EventExpired, idv.Withdrawn: EventCancelled,
}

// Move applies an event to a locked session. What the table of moves does not list is session.conflict.
func (l *Lifecycle) Move(ctx context.Context, tx Tx, rec *Record, event idv.SessionEvent, payload map[string]any) error {
	to, ok := rec.State.Next(event)
	if !ok {
		return Conflict(*rec)
	}
	before := rec.Session
	rec.State, rec.Sweeps = to, 0
	if err := l.Save(ctx, tx, rec, before, eventOf[event], payload); err != nil || before.State != idv.InReview {
		return err
	}
	return l.closeCase(ctx, tx, *rec, event)
}

// Save writes a locked session, with its audit entry and event.
func (l *Lifecycle) Save(ctx context.Context, tx Tx, rec *Record, before idv.Session, typ EventType, payload map[string]any) error {
	rec.TouchedAt = l.Now()
	if err := tx.SaveSession(ctx, *rec); err != nil {
		return err
	}
	rec.Version++
	err := tx.Audit(ctx, audit.Record{Action: string(typ), Session: rec.ID, Before: before, After: rec.Session})
	if err != nil {
		return err
	}
	return l.Notify(ctx, tx, rec.ID, typ, payload)
}

// Notify writes an event.
func (l *Lifecycle) Notify(ctx context.Context, tx Tx, id idv.SessionID, typ EventType, payload map[string]any) error {
	eid, err := idv.NewID[idv.EventID](l.Now(), l.random)
	if err != nil {
		return err
	}
	actor := string(audit.ActorFrom(ctx).Kind)
	return tx.AddEvent(ctx, Event{ID: eid, Session: id, Type: typ, At: l.Now(), Actor: actor, Payload: payload})
}

// Overdue reports whether a session has run out of time, even where its state does not say so yet.
func Overdue(rec Record, now time.Time) bool {
	switch rec.State {
	case idv.Created:
		return !now.Before(rec.LinkExpiresAt)
	case idv.Capturing:
		return !now.Before(rec.ExpiresAt)
	default:
		return false
	}
}

// NewSecret draws 32 random bytes, as 43 characters of base64url.
func (l *Lifecycle) NewSecret() (string, error) {
	var raw [32]byte
	if _, err := io.ReadFull(l.random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// HashSecret is what is kept of a secret.
func HashSecret(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// View reads a session of that mode, or of any mode if it is empty. Problems: not_found.
func (l *Lifecycle) View(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	rec, err := l.Record(ctx, mode, id)
	if err != nil {
		return View{}, err
	}
	w, err := WorkflowOf(ctx, l.store, rec)
	if err != nil {
		return View{}, err
	}
	return l.ViewOf(ctx, l.store, rec, w)
}

// Record reads the record of a session of that mode, or of any mode if it is empty. Problems: not_found.
func (l *Lifecycle) Record(ctx context.Context, mode idv.Mode, id idv.SessionID) (Record, error) {
	rec, err := l.store.Session(ctx, id)
	if err == nil && mode != "" && rec.Mode != mode {
		return Record{}, problem.New(problem.NotFound)
	}
	return rec, err
}

// CheckAvailable reads whether what a scope covers is still there. Problems: not_found, session.erased.
func (l *Lifecycle) CheckAvailable(ctx context.Context, mode idv.Mode, id idv.SessionID, scope Scope) error {
	rec, err := l.Record(ctx, mode, id)
	if err != nil {
		return err
	}
	return rec.CheckNotErased(scope)
}

// keeping computes it; while a hold is set the times say what would be due.
func keeping(rec Record, w idv.WorkflowVersion, set idv.RetentionSetting) Keeping {
	if !rec.State.Final() || !rec.ErasedAt.IsZero() {
		return Keeping{}
	}
	kept := w.Kept(set)
	out := Keeping{ReportUntil: rec.TouchedAt.Add(kept.Report)}
	if rec.PicturesErasedAt.IsZero() {
		out.PicturesUntil = rec.TouchedAt.Add(kept.Pictures)
	}
	return out
}

// SettingReader reads how long the deployment keeps data.
type SettingReader interface {
	Retention(ctx context.Context) (idv.RetentionSetting, error)
}

// ViewOf is a session with its workflow version and until when its data is kept.
func (l *Lifecycle) ViewOf(ctx context.Context, r SettingReader, rec Record, w idv.WorkflowVersion) (View, error) {
	set, err := r.Retention(ctx)
	return View{Session: rec.Session, Workflow: w, Keeping: keeping(rec, w, set)}, err
}

// pictureSlots bounds the memory of pictures that reviewers open: each may have 50 million pixels. Those of applicants and jobs
// are bounded by flow.Options.
const pictureSlots = 4

// PictureSlot waits for a turn to open a picture.
func (l *Lifecycle) PictureSlot(ctx context.Context) (done func(), err error) {
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to look at a picture: %w", ctx.Err())
	}
}
