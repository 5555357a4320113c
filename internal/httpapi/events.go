package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

const (
	// streamLife ends a stream of live updates, so that a credential that was taken away does not watch for
	// ever. Clients come back with Last-Event-ID.
	streamLife   = 30 * time.Minute
	writeTimeout = 10 * time.Second
	retryAfterMS = 2000
)

// update is one server-sent event.
type update struct {
	id, name string
	data     any
	last     bool // nothing will follow
}

// applicantEvents tells the applicant's browser the task, at once and whenever something happened; once it handed the
// session on, how far that is.
func (s *Server) applicantEvents(ctx context.Context, in *wire.SinceInput) (*wire.Stream, error) {
	q := known(ctx)
	id, token := q.applicant, q.secret
	done, ok := s.streams.take(id, token, q.watches)
	if !ok {
		p := wire.NewProblem(problem.New(problem.RateLimited), q.id)
		p.GetHeaders().Set("Retry-After", "5")
		return nil, p
	}
	out := s.watch(id, in.LastEventID, func(ctx context.Context) (update, error) {
		b, err := s.sessions.Handoffs.Browser(ctx, token) // the session may have moved to another browser
		if err != nil {
			return update{}, err
		}
		if b.Watches {
			return s.watched(ctx, id)
		}
		t, err := s.sessions.Applicant.Present(ctx, id)
		if err != nil {
			return update{}, err
		}
		out, err := s.taskOf(ctx, id, t)
		return update{name: "task", data: out, last: finalTask(t.State)}, err
	})
	return &wire.Stream{Body: func(hc huma.Context) { defer done(); out.Body(hc) }}, nil
}

// watched is what the browser hears that handed a session on.
func (s *Server) watched(ctx context.Context, id idv.SessionID) (update, error) {
	st, err := s.sessions.Handoffs.Status(ctx, id)
	out := wire.HandoffStatus{Session: id, State: st.State, Position: st.Position, Total: st.Total, Notices: wire.NonNil(st.Notices)}
	return update{name: "handoff", data: out, last: finalTask(st.State)}, err
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
	return s.watch(in.Session, in.LastEventID, func(ctx context.Context) (update, error) {
		v, err := s.seen(ctx, account.SessionsRead, in.Session)
		return update{name: "session", data: changed{ID: in.Session, State: v.Session.State}}, err
	}), nil
}

// watch streams an update at once and after every event of a session. The store wakes it; each heartbeat looks
// as well, should a wake have been lost.
func (s *Server) watch(id idv.SessionID, after string, tell func(context.Context) (update, error)) *wire.Stream {
	return &wire.Stream{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		ctx, cancel := context.WithTimeout(hc.Context(), streamLife)
		defer cancel()
		out := newStreamWriter(w)
		if r.Method == http.MethodHead {
			return
		}
		wake, stop := s.sessions.Sessions.Watch(id)
		defer stop()
		tick := time.NewTicker(s.heartbeat)
		defer tick.Stop()
		seen := idv.EventID(after)
		if _, ok := idv.ParseID[idv.EventID](after); !ok {
			seen = ""
		}
		for first := true; ; first = false {
			done, err := s.tellNews(ctx, id, &seen, first, tell, out)
			if err != nil || done {
				s.sayStreamEnd(ctx, err)
				return
			}
			select {
			case <-wake:
			case <-tick.C:
				if out.comment("heartbeat") != nil {
					return
				}
			case <-ctx.Done():
				return
			case <-s.stopping:
				return
			}
		}
	}}
}

// tellNews sends an update if there are events after the last one that was seen, and the first time anyway.
func (s *Server) tellNews(ctx context.Context, id idv.SessionID, seen *idv.EventID, first bool, tell func(context.Context) (update, error), out *streamWriter) (bool, error) {
	events, err := s.sessions.Sessions.Events(ctx, id, *seen)
	if err != nil {
		return false, err
	}
	if len(events) == 0 && !first {
		return false, nil
	}
	if len(events) > 0 {
		*seen = events[len(events)-1].ID
	}
	u, err := tell(ctx)
	if err != nil {
		return false, err
	}
	u.id = string(*seen)
	return u.last, out.send(u)
}

// sayStreamEnd logs why a stream ended, unless the client left or lost its right to watch.
func (s *Server) sayStreamEnd(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		_ = problemOf(ctx, s.log, err) // logs what has to be logged; the stream cannot say it any more
	}
}

// streamWriter writes server-sent events, each flushed and with its own deadline.
type streamWriter struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

func newStreamWriter(w http.ResponseWriter) *streamWriter {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return &streamWriter{w: w, rc: http.NewResponseController(w)}
}

func (s *streamWriter) send(u update) error {
	raw, err := json.Marshal(u.data)
	if err != nil {
		return fmt.Errorf("write a live update: %w", err)
	}
	id := ""
	if u.id != "" {
		id = "id: " + u.id + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\nretry: %d\ndata: %s\n\n", id, u.name, retryAfterMS, raw))
}

func (s *streamWriter) comment(text string) error { return s.write(": " + text + "\n\n") }

func (s *streamWriter) write(text string) error {
	if err := s.rc.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return fmt.Errorf("set a write deadline: %w", err)
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return fmt.Errorf("write a live update: %w", err)
	}
	if err := s.rc.Flush(); err != nil {
		return fmt.Errorf("flush a live update: %w", err)
	}
	return nil
}
