package applicant

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
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
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/wallet/{request}/test", ID: "answerWalletForTest", Who: edge.Applicant, Sends: edge.JSON,
			Status: http.StatusAccepted, Summary: "Let the test wallet answer",
			Description: "In test mode, a request with the channel `browser`. The credential is of an issuer that nobody but test mode trusts. In live mode " +
				"the answer is `session.conflict`.",
			Bind: edge.Call(h.answerWallet),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/steps/chip/test", ID: "sendTestChip", Who: edge.Applicant, Sends: edge.JSON,
			Status: http.StatusAccepted, Summary: "Send the test chip",
			Description: "In test mode, as if an app had read a chip and sent its files. The chip has the zone that was read from the page, else one of " +
				"the facts that were claimed; it is of a state that nobody but test mode trusts. In live mode the answer is `session.conflict`.",
			Bind: edge.Call(h.sendChip),
		},
	}
}

func (h *Sandbox) simulate(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := h.sandbox.SimulateHere(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}

// walletTestIn is the input of answerWallet.
type walletTestIn struct {
	Request idv.WalletRequestID `path:"request" maxLength:"64" doc:"Id of the request"`
	Body    wire.WalletTest
}

func (h *Sandbox) answerWallet(ctx context.Context, in *walletTestIn) (*wire.Answer[wire.Task], error) {
	t, err := h.sandbox.AnswerWallet(ctx, edge.ApplicantSession(ctx), in.Request, in.Body.Choice)
	return h.tasks.reply(ctx, t, err)
}

// chipTestIn is the input of sendChip.
type chipTestIn struct{ Body wire.ChipTest }

func (h *Sandbox) sendChip(ctx context.Context, in *chipTestIn) (*wire.Answer[wire.Task], error) {
	t, err := h.sandbox.SendChip(ctx, edge.ApplicantSession(ctx), in.Body.Choice)
	return h.tasks.reply(ctx, t, err)
}
