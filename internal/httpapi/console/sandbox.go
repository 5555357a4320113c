package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/sandbox"
)

// Sandbox answers the call that lets a test persona take its steps.
type Sandbox struct {
	sandbox *sandbox.Service
	access  *access
}

// Routes returns the calls, in the order of the reference.
func (h *Sandbox) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/sessions/{id}/simulate", ID: "consoleSimulateSession", Who: edge.Console,
			May: account.SessionsWrite, Sends: edge.JSON,
			Summary:     "Let a test persona take its steps",
			Description: sessions.SimulateDescription,
			Bind:        edge.Call(h.simulate),
		},
	}
}

func (h *Sandbox) simulate(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := h.access.session(ctx, account.SessionsWrite, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = h.sandbox.Simulate(ctx, v.Session.Mode, in.ID)
	return wire.Reply(wire.SessionOf(v), err)
}
