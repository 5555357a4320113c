package applicant

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Withdrawal answers the call that ends a session at the person's wish.
type Withdrawal struct {
	applicants *applicant.Service
	tasks      *tasks
}

// Routes returns the calls, in the order of the reference.
func (h *Withdrawal) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/withdraw", ID: "withdraw", Who: edge.Applicant, Sends: edge.JSON,
			Summary:     "Withdraw",
			Description: "Ends the session at the person's wish.",
			Bind:        edge.Call(h.withdraw),
		},
	}
}

func (h *Withdrawal) withdraw(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	id := edge.ApplicantSession(ctx)
	if err := h.applicants.Withdraw(ctx, id); err != nil {
		return nil, err
	}
	t, err := h.applicants.Task(ctx, id)
	return h.tasks.reply(ctx, t, err)
}
