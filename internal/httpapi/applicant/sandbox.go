package applicant

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/sandbox"
)

// Sandbox answers the call that lets a test persona take the steps.
type Sandbox struct {
	sandbox *sandbox.Service
	tasks   *tasks
}

// Routes returns the calls, in the order of the reference.
func (h *Sandbox) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/simulate", ID: "simulateHere", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Let a test persona take the steps",
			Description: "In a test session that was made with a persona. Live updates bring the verdict. Any other session answers " +
				"`session.conflict`.",
			Bind: edge.Call(h.simulate),
		},
	}
}

func (h *Sandbox) simulate(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := h.sandbox.SimulateHere(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}
