package applicant

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Handoffs answers the calls that move a session to another device and back.
type Handoffs struct {
	handoffs  *applicant.Handoffs
	tasks     *tasks
	publicURL string // links start with it
}

// Routes returns the calls, in the order of the reference.
func (h *Handoffs) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/applicant/handoff", ID: "handOver", Who: edge.Applicant, Sends: edge.JSON,
			Summary: "Hand the session to another device",
			Description: "A link that works once, for 30 minutes, and its QR code. Whoever opens it takes the session over; this browser may " +
				"only watch from then on. A link that was made before and not opened works no more. `mail` sends it to the address that " +
				"the integrator gave.",
			Bind: edge.Call(h.start),
		},
		{
			Method: http.MethodDelete, Path: "/v1/applicant/handoff", ID: "keepHere", Who: edge.Applicant,
			Summary: "Keep the session here",
			Description: "Takes back the link of a hand-off that nobody opened. Where it was opened, the answer is `session.bound_elsewhere`, " +
				"and the other device can hand back.",
			Bind: edge.Call(h.withdraw),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/handoff/back", ID: "handBack", Who: edge.Applicant, Sends: edge.JSON,
			Status:      http.StatusNoContent,
			Summary:     "Hand the session back",
			Description: "Returns the session to the browser that it came from, whose live updates then bring the task.",
			Bind:        edge.Call(h.handBack),
		},
		{
			Method: http.MethodPost, Path: "/v1/applicant/handoff/take", ID: "takeBack", Who: edge.Applicant, Watch: true, Sends: edge.JSON,
			Summary: "Take the session back",
			Description: "For the browser that handed the session on and only watches since: it has the session again, and the other device no " +
				"longer does. Tries that were used stay used.",
			Bind: edge.Call(h.takeBack),
		},
	}
}

// newHandoff is the input of handing over. Its body may be left out.
type newHandoff struct {
	Body *wire.NewHandoff `required:"false"`
}

func (h *Handoffs) start(ctx context.Context, in *newHandoff) (*wire.Answer[wire.Handoff], error) {
	var send applicant.Send
	if in.Body != nil {
		send = applicant.Send{Mail: in.Body.Mail, Language: in.Body.Locale}
	}
	made, err := h.handoffs.HandOverBy(ctx, edge.ApplicantSession(ctx), send)
	if err != nil {
		return nil, err
	}
	out := wire.Handoff{URL: h.publicURL + "/v/" + made.Link, ExpiresAt: made.ExpiresAt.UTC()}
	out.QR, err = wire.QRCodeOf(out.URL)
	return wire.Reply(out, err)
}

func (h *Handoffs) withdraw(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Task], error) {
	t, err := h.handoffs.KeepHere(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}

func (h *Handoffs) handBack(ctx context.Context, _ *wire.Posted) (*wire.None, error) {
	return nil, h.handoffs.HandBack(ctx, edge.ApplicantSession(ctx))
}

func (h *Handoffs) takeBack(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := h.handoffs.TakeBack(ctx, edge.ApplicantSession(ctx))
	return h.tasks.reply(ctx, t, err)
}
