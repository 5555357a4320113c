package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// applicantEvents tells the applicant's browser the task, at once and whenever something happened; once it handed the
// session on, how far that is.
func (s *Server) applicantEvents(ctx context.Context, in *wire.SinceInput) (*wire.Stream, error) {
	id, token := edge.ApplicantSession(ctx), edge.Credential(ctx)
	done, ok := s.streams.Add(id, token, edge.Watches(ctx))
	if !ok {
		p := wire.NewProblem(problem.New(problem.RateLimited), edge.RequestID(ctx))
		p.GetHeaders().Set("Retry-After", "5")
		return nil, p
	}
	out := s.updates.Watch(s.sessions.Sessions, id, in.LastEventID, func(ctx context.Context) (edge.Update, error) {
		b, err := s.sessions.Handoffs.Browser(ctx, token) // the session may have moved to another browser
		if err != nil {
			return edge.Update{}, err
		}
		if b.Watches {
			return s.watched(ctx, id)
		}
		t, err := s.sessions.Applicant.Present(ctx, id)
		if err != nil {
			return edge.Update{}, err
		}
		out, err := s.taskOf(ctx, id, t)
		return edge.Update{Name: "task", Data: out, Last: finalTask(t.State)}, err
	})
	return &wire.Stream{Body: func(hc huma.Context) { defer done(); out.Body(hc) }}, nil
}

// watched is what the browser hears that handed a session on.
func (s *Server) watched(ctx context.Context, id idv.SessionID) (edge.Update, error) {
	st, err := s.sessions.Handoffs.Status(ctx, id)
	out := wire.HandoffStatus{Session: id, State: st.State, Position: st.Position, Total: st.Total, Notices: wire.NonNil(st.Notices)}
	return edge.Update{Name: "handoff", Data: out, Last: finalTask(st.State)}, err
}

func finalTask(t idv.TaskState) bool {
	return t == idv.TaskApproved || t == idv.TaskDeclined || t == idv.TaskExpired || t == idv.TaskCancelled
}

// changed is what the console is told; it reads the session again.
type changed struct {
	ID    idv.SessionID    `json:"id"`
	State idv.SessionState `json:"state"`
}

// consoleEvents tells the console that a session changed.
func (s *Server) consoleEvents(ctx context.Context, in *watchInput) (*wire.Stream, error) {
	if _, err := s.seen(ctx, account.SessionsRead, in.Session); err != nil {
		return nil, err
	}
	return s.updates.Watch(s.sessions.Sessions, in.Session, in.LastEventID, func(ctx context.Context) (edge.Update, error) {
		v, err := s.seen(ctx, account.SessionsRead, in.Session)
		return edge.Update{Name: "session", Data: changed{ID: in.Session, State: v.Session.State}}, err
	}), nil
}
