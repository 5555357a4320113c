package httpapi

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) catalogue(context.Context, *none) (*answer[Catalogue], error) {
	out := Catalogue{Items: []ProblemRow{}}
	for _, k := range problem.All() {
		out.Items = append(out.Items, problemRowOf(k))
	}
	return reply(out, nil)
}

func problemRowOf(k problem.Kind) ProblemRow {
	return ProblemRow{
		Code: k.Code, Status: k.Status, Severity: string(k.Severity), Reader: string(k.Reader),
		Title: k.Title, Remedy: k.Remedy, Reviewer: k.Reviewer,
	}
}

// Health is what the liveness and readiness calls answer.
type Health struct {
	Status string `json:"status" enum:"ok,starting,unavailable"`
	Models string `json:"models,omitempty" enum:"loading,ready,broken" doc:"Whether the models are loaded. While they load, checks wait; where they are broken, sessions are referred to a person"`
}

func (s *Server) health(context.Context, *none) (*answer[Health], error) {
	return reply(Health{Status: "ok"}, nil)
}

// healthStatus is a health answer with the HTTP status that load balancers look at.
type healthStatus struct {
	Status int
	Body   Health
}

func (s *Server) ready(ctx context.Context, _ *none) (*healthStatus, error) {
	if err := s.readiness(ctx); err != nil {
		s.log.WarnContext(ctx, "not ready", "request_id", requestID(ctx), "error", err)
		return &healthStatus{Status: http.StatusServiceUnavailable, Body: Health{Status: "unavailable", Models: s.models()}}, nil
	}
	return &healthStatus{Status: http.StatusOK, Body: Health{Status: "ok", Models: s.models()}}, nil
}
