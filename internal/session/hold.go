package session

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// MaxHoldReason is the longest reason of a legal hold, in characters.
const MaxHoldReason = 500

// Hold is a legal hold: while it is set, nothing of the session is erased, by request or by time. What an applicant takes their
// consent back for goes all the same: without it nobody may keep that.
type Hold struct {
	Session  idv.SessionID
	Reason   string // may say who somebody is, so it is sealed and goes with the facts
	SetBy    string // kind of the actor and their id
	SetAt    time.Time
	LiftedBy string
	LiftedAt time.Time // zero while it is set
}

// HoldWriter sets and lifts holds within a transaction. Neither changes when the session's time is over.
type HoldWriter interface {
	SetHold(ctx context.Context, h Hold) error
	LiftHold(ctx context.Context, id idv.SessionID, by string, at time.Time) error
}

// HoldReader reads holds.
type HoldReader interface {
	// Holds lists those of a session, oldest first.
	Holds(ctx context.Context, id idv.SessionID) ([]Hold, error)
	// StandingHolds lists those that are set, by session, newest session first, from before a session on; all from its zero.
	StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]Hold, error)
	// CountHolds counts those that are set.
	CountHolds(ctx context.Context) (int, error)
}

// Held is a legal hold that is set, with what it keeps from being erased.
type Held struct {
	Hold
	Mode    idv.Mode
	Keeping Keeping
}

// StandingHolds lists the legal holds that are set, newest session first, from before a session on.
func (s *Service) StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]Held, error) {
	found, err := s.store.StandingHolds(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	out := make([]Held, 0, len(found))
	for _, h := range found {
		v, err := s.Get(ctx, "", h.Session)
		if err != nil {
			return nil, err
		}
		out = append(out, Held{Hold: h, Mode: v.Session.Mode, Keeping: v.Keeping})
	}
	return out, nil
}

// SetHold sets a legal hold. One that is set already stays, with its reason. Problems: not_found, session.erased,
// request.malformed.
func (s *Service) SetHold(ctx context.Context, mode idv.Mode, id idv.SessionID, reason string) (View, error) {
	reason, err := text(strings.TrimSpace(reason), "/reason", MaxHoldReason)
	if err != nil {
		return View{}, err
	}
	if utf8.RuneCountInString(reason) == 0 {
		return View{}, malformed("/reason", "a hold needs a reason")
	}
	return s.change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if err := rec.gone(ScopeAll); err != nil {
			return err
		}
		if !rec.HeldAt.IsZero() {
			return nil
		}
		now := s.now()
		h := Hold{Session: rec.ID, Reason: reason, SetBy: actorOf(ctx), SetAt: now}
		if err := tx.SetHold(ctx, h); err != nil {
			return err
		}
		rec.HeldAt, rec.Version = now, rec.Version+1
		if err := tx.Audit(ctx, audit.Record{Action: string(EventHeld), Session: rec.ID, After: h}); err != nil {
			return err
		}
		return s.tell(ctx, tx, rec.ID, EventHeld, nil)
	})
}

// LiftHold lifts the legal hold of a session; where none is set nothing changes. Problems: not_found.
func (s *Service) LiftHold(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	return s.change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if rec.HeldAt.IsZero() {
			return nil
		}
		if err := tx.LiftHold(ctx, rec.ID, actorOf(ctx), s.now()); err != nil {
			return err
		}
		rec.HeldAt, rec.Version = time.Time{}, rec.Version+1
		if err := tx.Audit(ctx, audit.Record{Action: string(EventHoldLifted), Session: rec.ID}); err != nil {
			return err
		}
		return s.tell(ctx, tx, rec.ID, EventHoldLifted, nil)
	})
}

// Holds lists a session's legal holds, oldest first. Problems: not_found.
func (s *Service) Holds(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]Hold, error) {
	if _, err := s.record(ctx, mode, id); err != nil {
		return nil, err
	}
	return s.store.Holds(ctx, id)
}
