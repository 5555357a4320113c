package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// tasks answers what the applicant has to do next.
type tasks struct {
	sessions *session.Service
}

// reply answers the task that a use case returned.
func (h *tasks) reply(ctx context.Context, t idv.Task, err error) (*wire.Answer[wire.Task], error) {
	if err != nil {
		return nil, err
	}
	return wire.Reply(h.task(ctx, edge.ApplicantSession(ctx), t))
}

// task returns the wire form of a task of a session.
func (h *tasks) task(ctx context.Context, id idv.SessionID, t idv.Task) (wire.Task, error) {
	v, err := h.sessions.Get(ctx, "", id)
	if err != nil {
		return wire.Task{}, err
	}
	out := wire.TaskOf(t, v)
	out.MailHint = h.sessions.MailHint(v.Session)
	return out, nil
}
