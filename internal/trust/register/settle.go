package register

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Accept puts an update in force. What it was compared with when it was proposed must still be in force. Where two persons are wanted,
// it must not be the one who proposed it. Problems: not_found, trust.conflict, trust.same_person.
func (r *Register) Accept(ctx context.Context, id idv.TrustUpdateID) (Update, error) {
	return r.settle(ctx, id, "trust.accepted", func(ctx context.Context, tx Tx, u *Update) error {
		if u.State != Pending {
			return conflict(*u)
		}
		if r.two && u.ProposedBy == actor(ctx) {
			return problem.New(problem.TrustSamePerson).Saying("You proposed it.")
		}
		before, err := inSlot(ctx, tx, *u)
		if err != nil {
			return err
		}
		if before.ID != u.Replaces {
			return problem.New(problem.TrustConflict).Saying("Trust changed since it was uploaded.")
		}
		if before.ID != "" {
			before.State = Replaced
			if err := tx.SaveTrustUpdate(ctx, before); err != nil {
				return err
			}
		}
		u.State, u.SettledBy, u.SettledAt = InForce, actor(ctx), r.now()
		return nil
	})
}

// Decline ends an update that waits. Anybody who may change trust declines, also the one who proposed it. Problems: not_found,
// trust.conflict.
func (r *Register) Decline(ctx context.Context, id idv.TrustUpdateID) (Update, error) {
	return r.settle(ctx, id, "trust.declined", func(ctx context.Context, _ Tx, u *Update) error {
		if u.State != Pending {
			return conflict(*u)
		}
		u.State, u.SettledBy, u.SettledAt = Declined, actor(ctx), r.now()
		return nil
	})
}

// Undo takes an update out of force, and puts what it had replaced back. Where two persons are wanted, the first call asks and that of
// somebody else does it. Problems: not_found, trust.conflict, trust.same_person.
func (r *Register) Undo(ctx context.Context, id idv.TrustUpdateID) (Update, error) {
	action := "trust.undone"
	if r.two {
		u, err := r.store.TrustUpdate(ctx, id)
		if err != nil {
			return Update{}, err
		}
		if u.UndoAt.IsZero() {
			action = "trust.undo_asked"
		}
	}
	return r.settle(ctx, id, action, func(ctx context.Context, tx Tx, u *Update) error {
		switch {
		case u.State != InForce || (r.two && u.UndoAt.IsZero() != (action == "trust.undo_asked")):
			return conflict(*u)
		case r.two && u.UndoAt.IsZero():
			u.UndoBy, u.UndoAt = actor(ctx), r.now()
			return nil
		case r.two && u.UndoBy == actor(ctx):
			return problem.New(problem.TrustSamePerson).Saying("You asked to undo it.")
		}
		u.State, u.UndoneBy, u.UndoneAt = Undone, actor(ctx), r.now()
		return r.restore(ctx, tx, *u)
	})
}

// restore puts what an update had replaced back in force. The update leaves its slot first: a slot holds one.
func (r *Register) restore(ctx context.Context, tx Tx, u Update) error {
	if u.Replaces == "" {
		return nil
	}
	if err := tx.SaveTrustUpdate(ctx, u); err != nil {
		return err
	}
	before, err := tx.TrustUpdate(ctx, u.Replaces)
	if err != nil || before.State != Replaced {
		return err
	}
	before.State, before.UndoBy, before.UndoAt = InForce, "", time.Time{} // who asked to undo it did so of another moment
	return tx.SaveTrustUpdate(ctx, before)
}

// settle changes one update under the lock of trust, with an audit entry.
func (r *Register) settle(ctx context.Context, id idv.TrustUpdateID, action string, f func(context.Context, Tx, *Update) error) (Update, error) {
	var out Update
	err := r.store.ChangeTrust(ctx, func(ctx context.Context, tx Tx) error {
		u, err := tx.TrustUpdate(ctx, id)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &u); err != nil {
			return err
		}
		if err := tx.SaveTrustUpdate(ctx, u); err != nil {
			return err
		}
		out = u
		return tx.Audit(ctx, audit.Record{Action: action, Subject: string(id)})
	})
	return out, err
}

func conflict(u Update) error { return problem.New(problem.TrustConflict).Saying("It is %s.", u.State) }

// List returns the updates of a mode without what was uploaded, newest first, at most limit.
func (r *Register) List(ctx context.Context, mode idv.Mode, limit int) ([]Update, error) {
	return r.store.TrustUpdates(ctx, Filter{Modes: modesOf(mode), Limit: limit})
}

// Find returns an update. Problems: not_found.
func (r *Register) Find(ctx context.Context, id idv.TrustUpdateID) (Update, error) {
	return r.store.TrustUpdate(ctx, id)
}
