package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// BrandOfLink reads how the pages of a link look: that of a session, or that of a hand-off. It changes nothing. Problems:
// those of Peek.
func (s *Service) BrandOfLink(ctx context.Context, link string) (idv.Brand, error) {
	p, err := s.Peek(ctx, link)
	return p.Workflow.Brand, err
}

// BrandOf reads how the pages of a session look. Problems: not_found.
func (s *Service) BrandOf(ctx context.Context, id idv.SessionID) (idv.Brand, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return idv.Brand{}, err
	}
	w, err := s.store.Workflow(ctx, rec.Workflow)
	return w.Brand, err
}
