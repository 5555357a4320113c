package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func (s *Server) issuers(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Issuers], error) {
	v, err := s.viewOf(ctx, edge.ApplicantSession(ctx))
	if err != nil {
		return nil, err
	}
	return &wire.Answer[wire.Issuers]{Body: wire.IssuersOf(v.Workflow)}, nil
}
