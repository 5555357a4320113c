package review

import (
	"context"
	"strings"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of saved views.
const (
	MaxViews    = 50 // of one member and mode
	MaxViewName = 60 // characters
)

// Views lists the saved views of a member, by name.
func (s *Views) Views(ctx context.Context, owner idv.UserID, mode idv.Mode) ([]session.SavedView, error) {
	return s.store.Views(ctx, owner, mode)
}

// View reads a member's saved view. One of another member is not_found.
func (s *Views) View(ctx context.Context, owner idv.UserID, id idv.ViewID) (session.SavedView, error) {
	v, err := s.store.View(ctx, id)
	if err == nil && v.Owner != owner {
		return session.SavedView{}, problem.New(problem.NotFound)
	}
	return v, err
}

// SaveView gives a filter a name. Problems: request.malformed (the name, or that there are too many).
func (s *Views) SaveView(ctx context.Context, v session.SavedView) (session.SavedView, error) {
	var err error
	if v.Name, err = session.CleanText(strings.TrimSpace(v.Name), "/name", MaxViewName); err != nil {
		return session.SavedView{}, err
	}
	if v.Name == "" {
		return session.SavedView{}, session.Malformed("/name", "it needs a name")
	}
	if v.ID, err = idv.NewID[idv.ViewID](s.life.Now(), s.life.Random()); err != nil {
		return session.SavedView{}, err
	}
	v.CreatedAt = s.life.Now()
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		have, err := tx.Views(ctx, v.Owner, v.Mode)
		if err != nil {
			return err
		}
		if len(have) >= MaxViews {
			return session.Malformed("/name", "at most %d views; delete one first", MaxViews)
		}
		for _, other := range have {
			if strings.EqualFold(other.Name, v.Name) {
				return session.Malformed("/name", "another view of yours has this name")
			}
		}
		if err := tx.AddView(ctx, v); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "view.saved", Subject: string(v.ID)})
	})
	return v, err
}

// DeleteView forgets a member's saved view. Problems: not_found.
func (s *Views) DeleteView(ctx context.Context, owner idv.UserID, id idv.ViewID) error {
	if _, err := s.View(ctx, owner, id); err != nil {
		return err
	}
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if err := tx.DeleteView(ctx, id); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "view.deleted", Subject: string(id)})
	})
}
