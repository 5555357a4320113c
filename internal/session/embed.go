package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Embedding is whose pages may show the applicant's pages of a session.
type Embedding struct {
	Mode    idv.Mode
	Origins []string // as the workflow version of the session names them; empty for none
}

// EmbeddingOfLink reads whose pages may show the session of a link. It changes nothing. A link of a hand-off belongs to no page: it
// is opened by a camera. Problems: not_found.
func (s *Service) EmbeddingOfLink(ctx context.Context, link string) (Embedding, error) {
	rec, err := s.store.SessionByLink(ctx, hash(link))
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

func (s *Service) embedding(ctx context.Context, rec Record) (Embedding, error) {
	w, err := s.store.Workflow(ctx, rec.Workflow)
	return Embedding{Mode: rec.Mode, Origins: w.EmbedOrigins}, err
}
