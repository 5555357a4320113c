package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Workflows answers the call that lists what sessions can follow.
type Workflows struct {
	sessions *session.Service
}

// Routes returns the calls, in the order of the reference.
func (h *Workflows) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/workflows", ID: "listWorkflows", Who: edge.Integrator, May: account.SessionsRead,
			Summary:     "List workflows",
			Description: "What a session of the key's mode can follow, and what each asks for.",
			Bind:        edge.Call(h.list),
		},
	}
}

func (h *Workflows) list(ctx context.Context, _ *wire.None) (*wire.Answer[wire.WorkflowList], error) {
	found, err := h.sessions.Workflows(ctx, edge.KeyMode(ctx))
	out := wire.WorkflowList{Items: []wire.Workflow{}}
	for _, w := range found {
		out.Items = append(out.Items, wire.WorkflowOf(w))
	}
	return wire.Reply(out, err)
}
