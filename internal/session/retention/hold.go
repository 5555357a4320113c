package retention

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// MaxHoldReason is the longest reason of a legal hold, in characters.
const MaxHoldReason = 500

// StandingHolds lists the legal holds that are set, newest session first, from before a session on.
func (s *Holds) StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]session.Held, error) {
	found, err := s.store.StandingHolds(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	out := make([]session.Held, 0, len(found))
	for _, h := range found {
		v, err := s.life.View(ctx, "", h.Session)
		if err != nil {
			return nil, err
		}
		out = append(out, session.Held{Hold: h, Mode: v.Session.Mode, Keeping: v.Keeping})
	}
	return out, nil
}

// SetHold sets a legal hold. One that is set already stays, with its reason. Problems: not_found, session.erased,
// request.malformed.
func (s *Holds) SetHold(ctx context.Context, mode idv.Mode, id idv.SessionID, reason string) (session.View, error) {
	reason, err := session.CleanText(strings.TrimSpace(reason), "/reason", MaxHoldReason)
	if err != nil {
		return session.View{}, err
	}
	if utf8.RuneCountInString(reason) == 0 {
		return session.View{}, session.Malformed("/reason", "a hold needs a reason")
	}
	return s.life.Change(ctx, mode, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if err := rec.CheckNotErased(session.ScopeAll); err != nil {
			return err
		}
		if !rec.HeldAt.IsZero() {
			return nil
		}
		now := s.life.Now()
		h := session.Hold{Session: rec.ID, Reason: reason, SetBy: session.ActorOf(ctx), SetAt: now}
		if err := tx.SetHold(ctx, h); err != nil {
			return err
		}
		rec.HeldAt, rec.Version = now, rec.Version+1
		if err := tx.Audit(ctx, audit.Record{Action: string(session.EventHeld), Session: rec.ID, After: h}); err != nil {
			return err
		}
		return s.life.Notify(ctx, tx, rec.ID, session.EventHeld, nil)
	})
}

// LiftHold lifts the legal hold of a session; where none is set nothing changes. Problems: not_found.
func (s *Holds) LiftHold(ctx context.Context, mode idv.Mode, id idv.SessionID) (session.View, error) {
	return s.life.Change(ctx, mode, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if rec.HeldAt.IsZero() {
			return nil
		}
		if err := tx.LiftHold(ctx, rec.ID, session.ActorOf(ctx), s.life.Now()); err != nil {
			return err
		}
		rec.HeldAt, rec.Version = time.Time{}, rec.Version+1
		if err := tx.Audit(ctx, audit.Record{Action: string(session.EventHoldLifted), Session: rec.ID}); err != nil {
			return err
		}
		return s.life.Notify(ctx, tx, rec.ID, session.EventHoldLifted, nil)
	})
}

// Holds lists a session's legal holds, oldest first. Problems: not_found.
func (s *Holds) Holds(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]session.Hold, error) {
	if _, err := s.life.Record(ctx, mode, id); err != nil {
		return nil, err
	}
	return s.store.Holds(ctx, id)
}
