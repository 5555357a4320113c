package session

import (
	"context"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of saved views.
const (
	MaxViews    = 50 // of one member and mode
	MaxViewName = 60 // characters
)

// ViewFilter is what a saved view filters by. A search is no part of it: what is searched for may say who somebody is, and
// would outlive the session.
type ViewFilter struct {
	States   []idv.SessionState  `json:"state,omitempty"`
	Outcome  idv.DecisionOutcome `json:"outcome,omitempty"`
	Reason   string              `json:"reason,omitempty"`
	Workflow string              `json:"workflow,omitempty"`
	Country  string              `json:"country,omitempty"`
	Kind     idv.DocumentKind    `json:"kind,omitempty"`
	From     string              `json:"from,omitempty"` // a date
	To       string              `json:"to,omitempty"`   // a date, included
}

// SavedView is a filter of the list of sessions that a member gave a name. It is theirs alone.
type SavedView struct {
	ID        idv.ViewID
	Owner     idv.UserID
	Mode      idv.Mode
	Name      string
	Filter    ViewFilter
	CreatedAt time.Time
}

// ViewReader reads saved views.
type ViewReader interface {
	// Views lists those of a member and mode, by name.
	Views(ctx context.Context, owner idv.UserID, mode idv.Mode) ([]SavedView, error)
	View(ctx context.Context, id idv.ViewID) (SavedView, error)
}

// ViewWriter writes saved views.
type ViewWriter interface {
	AddView(ctx context.Context, v SavedView) error
	DeleteView(ctx context.Context, id idv.ViewID) error
}

// Views lists the saved views of a member, by name.
func (s *Service) Views(ctx context.Context, owner idv.UserID, mode idv.Mode) ([]SavedView, error) {
	return s.store.Views(ctx, owner, mode)
}

// View reads a member's saved view. One of somebody else is not_found.
func (s *Service) View(ctx context.Context, owner idv.UserID, id idv.ViewID) (SavedView, error) {
	v, err := s.store.View(ctx, id)
	if err == nil && v.Owner != owner {
		return SavedView{}, problem.New(problem.NotFound)
	}
	return v, err
}

// SaveView gives a filter a name. Problems: request.malformed (the name, or that there are too many).
func (s *Service) SaveView(ctx context.Context, v SavedView) (SavedView, error) {
	var err error
	if v.Name, err = text(strings.TrimSpace(v.Name), "/name", MaxViewName); err != nil {
		return SavedView{}, err
	}
	if v.Name == "" {
		return SavedView{}, malformed("/name", "it needs a name")
	}
	if v.ID, err = idv.NewID[idv.ViewID](s.now(), s.random); err != nil {
		return SavedView{}, err
	}
	v.CreatedAt = s.now()
	err = s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		have, err := tx.Views(ctx, v.Owner, v.Mode)
		if err != nil {
			return err
		}
		if len(have) >= MaxViews {
			return malformed("/name", "at most %d views; delete one first", MaxViews)
		}
		for _, other := range have {
			if strings.EqualFold(other.Name, v.Name) {
				return malformed("/name", "another view of yours has this name")
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
func (s *Service) DeleteView(ctx context.Context, owner idv.UserID, id idv.ViewID) error {
	if _, err := s.View(ctx, owner, id); err != nil {
		return err
	}
	return s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.DeleteView(ctx, id); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "view.deleted", Subject: string(id)})
	})
}
