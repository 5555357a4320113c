package console

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Events answers the live updates of a session.
type Events struct {
	sessions *session.Service
	access   *access
	updates  *edge.Updates
}

// Routes returns the calls, in the order of the reference.
func (h *Events) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/events", ID: "consoleEvents", Who: edge.Console, May: account.SessionsRead, Masks: true,
			Streams:     true,
			Summary:     "Live updates of a session",
			Description: "Server-sent events: `session` with the id, at once and on every event. Takes Last-Event-ID.",
			Bind:        edge.Call(h.stream),
		},
	}
}

// changed says that a session changed; the console reads it again.
type changed struct {
	ID    idv.SessionID    `json:"id"`
	State idv.SessionState `json:"state"`
}

// stream answers live updates of a session: its id and state, at once and whenever something happened.
func (h *Events) stream(ctx context.Context, in *watchInput) (*wire.Stream, error) {
	if _, err := h.access.session(ctx, account.SessionsRead, in.Session); err != nil {
		return nil, err
	}
	return h.updates.Watch(h.sessions, in.Session, in.LastEventID, func(ctx context.Context) (edge.Update, error) {
		v, err := h.access.session(ctx, account.SessionsRead, in.Session)
		return edge.Update{Name: "session", Data: changed{ID: in.Session, State: v.Session.State}}, err
	}), nil
}

// watchInput is the input of the console's live updates.
type watchInput struct {
	wire.SinceInput
	Session idv.SessionID `query:"session" required:"true" maxLength:"40" doc:"Session id"`
}
