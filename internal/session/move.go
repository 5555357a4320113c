package session

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// told is what the outside is told when a session moves.
var told = map[idv.SessionEvent]EventType{
	idv.Opened: EventOpened, idv.Submitted: EventSubmitted, idv.Accepted: EventApproved, idv.Rejected: EventDeclined,
	idv.Referred: EventReferred, idv.Reopened: EventReopened, idv.TimedOut: EventExpired, idv.Withdrawn: EventCancelled,
}

// move applies an event to a locked session. What the table of moves does not list is session.conflict.
func (s *Service) move(ctx context.Context, tx Tx, rec *Record, event idv.SessionEvent, payload map[string]any) error {
	to, ok := rec.State.Next(event)
	if !ok {
		return problem.New(problem.SessionConflict)
	}
	before := rec.Session
	rec.State, rec.Sweeps = to, 0
	if err := s.save(ctx, tx, rec, before, told[event], payload); err != nil || before.State != idv.InReview {
		return err
	}
	return s.closeCase(ctx, tx, *rec, event)
}

// save writes a locked session, with its audit entry and event.
func (s *Service) save(ctx context.Context, tx Tx, rec *Record, before idv.Session, typ EventType, payload map[string]any) error {
	rec.TouchedAt = s.now()
	if err := tx.SaveSession(ctx, *rec); err != nil {
		return err
	}
	rec.Version++
	err := tx.Audit(ctx, audit.Record{Action: string(typ), Session: rec.ID, Before: before, After: rec.Session})
	if err != nil {
		return err
	}
	return s.tell(ctx, tx, rec.ID, typ, payload)
}

// tell writes an event.
func (s *Service) tell(ctx context.Context, tx Tx, id idv.SessionID, typ EventType, payload map[string]any) error {
	eid, err := idv.NewID[idv.EventID](s.now(), s.random)
	if err != nil {
		return err
	}
	actor := string(audit.ActorFrom(ctx).Kind)
	return tx.AddEvent(ctx, Event{ID: eid, Session: id, Type: typ, At: s.now(), Actor: actor, Payload: payload})
}

// overdue reports whether a session has run out of time, also where nobody has noted that yet.
func overdue(rec Record, now time.Time) bool {
	switch rec.State {
	case idv.Created:
		return !now.Before(rec.LinkExpiresAt)
	case idv.Capturing:
		return !now.Before(rec.ExpiresAt)
	default:
		return false
	}
}

// secret draws 32 random bytes, as 43 characters of base64url.
func (s *Service) secret() (string, error) {
	var raw [32]byte
	if _, err := io.ReadFull(s.random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// hash is what is kept of a secret.
func hash(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}
