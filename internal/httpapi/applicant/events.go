package applicant

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Events answers the live updates of a session.
type Events struct {
	sessions   *session.Service
	applicants *applicant.Service
	handoffs   *applicant.Handoffs
	tasks      *tasks
	updates    *edge.Updates
	viewers    edge.Viewers
}

// Routes returns the calls, in the order of the reference.
func (h *Events) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/applicant/events", ID: "applicantEvents", Who: edge.Applicant, Watch: true, Streams: true,
			Summary: "Live updates",
			Description: "Server-sent events: `task` with the present task, at once and whenever it changes; `step.checked`, with the task as well, where the " +
				"reading of a document has just arrived. A browser that handed the session " +
				"on gets `handoff` with how far it is, and nothing of what was sent. Takes Last-Event-ID; a browser may have four at a time.",
			Bind: edge.Call(h.stream),
		},
	}
}

// stream answers live updates of the applicant's task, or, once this browser handed the session over, of its progress.
func (h *Events) stream(ctx context.Context, in *wire.SinceInput) (*wire.Stream, error) {
	id, token := edge.ApplicantSession(ctx), edge.Credential(ctx)
	done, ok := h.viewers.Add(id, token, edge.Watches(ctx))
	if !ok {
		p := wire.NewProblem(problem.New(problem.RateLimited), edge.AskedBy(ctx))
		p.GetHeaders().Set("Retry-After", "5")
		return nil, p
	}
	checking := false // when the last update was sent
	out := h.updates.Watch(h.sessions, id, in.LastEventID, func(ctx context.Context) (edge.Update, error) {
		b, err := h.handoffs.Browser(ctx, token) // the session may have moved to another browser
		if err != nil {
			return edge.Update{}, err
		}
		if b.Watches {
			return h.status(ctx, id)
		}
		t, err := h.applicants.Present(ctx, id)
		if err != nil {
			return edge.Update{}, err
		}
		out, err := h.tasks.task(ctx, id, t)
		name := "task"
		if checking && t.Checking == "" {
			name = "step.checked"
		}
		checking = t.Checking != ""
		return edge.Update{Name: name, Data: out, Last: finalTask(t.State)}, err
	})
	return &wire.Stream{Body: func(hc huma.Context) { defer done(); out.Body(hc) }}, nil
}

// status returns the update for a browser that handed the session over.
func (h *Events) status(ctx context.Context, id idv.SessionID) (edge.Update, error) {
	st, err := h.handoffs.Status(ctx, id)
	out := wire.HandoffStatus{Session: id, State: st.State, Position: st.Position, Total: st.Total, Notices: wire.NonNil(st.Notices)}
	return edge.Update{Name: "handoff", Data: out, Last: finalTask(st.State)}, err
}

func finalTask(t idv.TaskState) bool {
	return t == idv.TaskApproved || t == idv.TaskDeclined || t == idv.TaskExpired || t == idv.TaskCancelled
}
