package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/persona"
	"github.com/bonafide-id/bonafide/internal/session/sandbox"
)

// Sandbox answers the calls on test personas.
type Sandbox struct {
	sandbox *sandbox.Service
}

// Routes returns the calls, in the order of the reference.
func (h *Sandbox) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/personas", ID: "listPersonas", Who: edge.Anyone,
			Summary:     "List test personas",
			Description: "The people that a claimed document number asks for in test mode, and the outcome of each.",
			Bind:        edge.Call(h.personas),
		},
		{
			Method: http.MethodPost, Path: "/v1/sessions/{id}/simulate", ID: "simulateSession", Who: edge.Integrator, May: account.SessionsWrite,
			Sends:       edge.JSON,
			Summary:     "Let a test persona take its steps",
			Description: sessions.SimulateDescription + sessions.NarrowKeyNote,
			Bind:        edge.Call(h.simulate),
		},
	}
}

func (h *Sandbox) personas(context.Context, *wire.None) (*wire.Answer[wire.PersonaList], error) {
	out := wire.PersonaList{Items: []wire.Persona{}}
	for _, p := range persona.All() {
		out.Items = append(out.Items, wire.PersonaOf(p))
	}
	return &wire.Answer[wire.PersonaList]{Body: out}, nil
}

func (h *Sandbox) simulate(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := h.sandbox.Simulate(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(written(ctx, wire.SessionOf(v)), err)
}
