package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Service creates sessions and reads what is on record about them. It is safe for concurrent use.
type Service struct {
	life  *Lifecycle
	store Store
}

// New returns a Service over the sessions of life.
func New(life *Lifecycle, st Store) *Service { return &Service{life: life, store: st} }

// Get reads a session of that mode, or of any mode if it is empty. Problems: not_found.
func (s *Service) Get(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	return s.life.View(ctx, mode, id)
}
