package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// open answers the calls that need no credential and belong to no session.
type open struct {
	readiness func(context.Context) error
	models    func() string // loading, ready or broken
	log       *slog.Logger
}

func (h *open) catalogue(context.Context, *wire.None) (*wire.Answer[wire.Catalogue], error) {
	out := wire.Catalogue{Items: []wire.ProblemRow{}}
	for _, k := range problem.All() {
		out.Items = append(out.Items, wire.ProblemRowOf(k))
	}
	return wire.Reply(out, nil)
}

func (h *open) version(context.Context, *wire.None) (*wire.Answer[wire.ProgramVersion], error) {
	i := buildinfo.Read()
	return wire.Reply(wire.ProgramVersion{
		Version: i.Version, Commit: i.Commit, Date: i.Date, API: wire.CurrentVersion(), Versions: wire.APIVersions(),
	}, nil)
}

func (h *open) alive(context.Context, *wire.None) (*wire.Answer[wire.Health], error) {
	return wire.Reply(wire.Health{Status: "ok"}, nil)
}

// healthStatus is a health answer with the HTTP status that load balancers look at.
type healthStatus struct {
	Status int
	Body   wire.Health
}

func (h *open) ready(ctx context.Context, _ *wire.None) (*healthStatus, error) {
	if err := h.readiness(ctx); err != nil {
		h.log.WarnContext(ctx, "not ready", "request_id", edge.RequestID(ctx), "error", err)
		out := wire.Health{Status: "unavailable", Models: h.models()}
		if p, ok := problem.As(err); ok {
			out.Detail = p.Detail
		}
		return &healthStatus{Status: http.StatusServiceUnavailable, Body: out}, nil
	}
	return &healthStatus{Status: http.StatusOK, Body: wire.Health{Status: "ok", Models: h.models()}}, nil
}

// Routes returns the calls.
func (h *open) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/catalogue", ID: "catalogue", Who: edge.Anyone,
			Summary:     "Problems and reasons",
			Description: "Every row of the catalogue.",
			Bind:        edge.Call(h.catalogue),
		},
		{
			Method: http.MethodGet, Path: "/v1/version", ID: "getVersion", Who: edge.Integrator,
			Summary:     "Which version is this?",
			Description: "The version of the program, and the versions of the API that it answers in. Any key may ask.",
			Bind:        edge.Call(h.version),
		},
		{
			Method: http.MethodGet, Path: "/healthz", ID: "health", Who: edge.Anyone,
			Summary:     "Is the process alive?",
			Description: "Answers as long as the server runs.",
			Bind:        edge.Call(h.alive),
		},
		{
			Method: http.MethodGet, Path: "/readyz", ID: "ready", Who: edge.Anyone,
			Summary: "Can it take requests?",
			Description: "Ready means that requests are accepted, the database answers, can be written to and has no damaged pages, and there is room for " +
				"pictures. Otherwise the answer is 503 and `detail` says why; it turns to 200 by itself. Models load in the background; until they are " +
				"there, checks wait and `models` says so.",
			Bind: edge.Call(h.ready),
		},
	}
}
