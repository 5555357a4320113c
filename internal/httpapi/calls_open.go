package httpapi

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) catalogue(context.Context, *wire.None) (*wire.Answer[wire.Catalogue], error) {
	out := wire.Catalogue{Items: []wire.ProblemRow{}}
	for _, k := range problem.All() {
		out.Items = append(out.Items, wire.ProblemRowOf(k))
	}
	return wire.Reply(out, nil)
}

func (s *Server) health(context.Context, *wire.None) (*wire.Answer[wire.Health], error) {
	return wire.Reply(wire.Health{Status: "ok"}, nil)
}

// healthStatus is a health answer with the HTTP status that load balancers look at.
type healthStatus struct {
	Status int
	Body   wire.Health
}

func (s *Server) ready(ctx context.Context, _ *wire.None) (*healthStatus, error) {
	if err := s.readiness(ctx); err != nil {
		s.log.WarnContext(ctx, "not ready", "request_id", edge.RequestID(ctx), "error", err)
		return &healthStatus{Status: http.StatusServiceUnavailable, Body: wire.Health{Status: "unavailable", Models: s.models()}}, nil
	}
	return &healthStatus{Status: http.StatusOK, Body: wire.Health{Status: "ok", Models: s.models()}}, nil
}
