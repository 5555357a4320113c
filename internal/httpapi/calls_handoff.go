package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func (s *Server) handOver(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Handoff], error) {
	made, err := s.sessions.Handoffs.HandOver(ctx, edge.ApplicantSession(ctx))
	if err != nil {
		return nil, err
	}
	out := wire.Handoff{URL: s.publicURL + "/v/" + made.Link, ExpiresAt: made.ExpiresAt.UTC()}
	out.QR, err = wire.QRCodeOf(out.URL)
	return wire.Reply(out, err)
}

func (s *Server) keepHere(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Task], error) {
	t, err := s.sessions.Handoffs.KeepHere(ctx, edge.ApplicantSession(ctx))
	return s.next(ctx, t, err)
}

func (s *Server) handBack(ctx context.Context, _ *wire.Posted) (*wire.None, error) {
	return nil, s.sessions.Handoffs.HandBack(ctx, edge.ApplicantSession(ctx))
}
