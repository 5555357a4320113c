package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Embedding is whose pages may show the applicant's pages of a session.
type Embedding struct {
	Mode    idv.Mode
	Origins []string // as the workflow version of the session names them; empty for none
	Trial   bool     // a member made it in test mode: the console shows it in a frame
}

// EmbeddingOfLink reads whose pages may show the session of a link. It changes nothing. A link of a hand-off belongs to no page: it
// is opened by a camera. Problems: not_found.
func (s *Service) EmbeddingOfLink(ctx context.Context, link string) (Embedding, error) {
	rec, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	if err != nil {
		return Embedding{}, err
	}
	return s.embedding(ctx, rec)
}

// EmbeddingOf reads whose pages may show a session. Problems: not_found.
func (s *Service) EmbeddingOf(ctx context.Context, id idv.SessionID) (Embedding, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil {
		return Embedding{}, err
	}
	return s.embedding(ctx, rec)
}

func (s *Service) embedding(ctx context.Context, rec session.Record) (Embedding, error) {
	w, err := s.store.Workflow(ctx, rec.Workflow)
	return Embedding{Mode: rec.Mode, Origins: w.EmbedOrigins, Trial: rec.Mode == idv.Test && rec.CreatedBy != ""}, err
}

// BrandOfLink reads how the pages of a link look: that of a session, or that of a hand-off, also one that was used or has run out. It
// changes nothing. Problems: not_found.
func (s *Service) BrandOfLink(ctx context.Context, link string) (idv.Brand, error) {
	rec, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	if problem.Has(err, problem.NotFound) {
		h, err := s.store.HandoffByLink(ctx, session.HashSecret(link))
		if err != nil {
			return idv.Brand{}, err
		}
		return s.BrandOf(ctx, h.Session)
	}
	if err != nil {
		return idv.Brand{}, err
	}
	w, err := s.store.Workflow(ctx, rec.Workflow)
	return w.Brand, err
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
