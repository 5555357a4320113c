package edge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

const (
	// streamLife ends a stream of live updates, so that a credential that was taken away does not watch for
	// ever. Clients come back with Last-Event-ID.
	streamLife   = 30 * time.Minute
	writeTimeout = 10 * time.Second
	retryAfterMS = 2000
)

// Update is one server-sent event.
type Update struct {
	id, Name string
	Data     any
	Last     bool // nothing will follow
}

// SessionEvents are the events of sessions, in the order of commits.
type SessionEvents interface {
	// Watch returns a channel that receives whenever something may have happened to a session. Call stop when done.
	Watch(id idv.SessionID) (wake <-chan struct{}, stop func())
	// Events returns the events of a session after one of them; all of them if after is empty.
	Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error)
}

// Updates answer live updates, as server-sent events.
type Updates struct {
	heartbeat time.Duration
	stopping  <-chan struct{} // closed when live updates have to end
	problems  *Problems
}

// Cause says why a step of a stream is due.
type Cause int

// The causes.
const (
	Begins Cause = iota // the stream has just begun
	Woken               // something may have happened
	Ticked              // a heartbeat is due
)

// Stream answers live updates. step is called at once, whenever the subscription wakes it, and at each heartbeat; it writes what is new
// and reports whether nothing will follow. An error of step ends the stream and is logged.
func (u *Updates) Stream(subscribe func() (wake <-chan struct{}, stop func()), step func(context.Context, Cause, *StreamWriter) (bool, error)) *wire.Stream {
	return &wire.Stream{Body: func(hc huma.Context) {
		r, w := humago.Unwrap(hc)
		ctx, cancel := context.WithTimeout(hc.Context(), streamLife)
		defer cancel()
		out := NewStreamWriter(w)
		if r.Method == http.MethodHead {
			return
		}
		wake, stop := subscribe()
		defer stop()
		tick := time.NewTicker(u.heartbeat)
		defer tick.Stop()
		for why := Begins; ; {
			done, err := step(ctx, why, out)
			if err != nil || done {
				u.LogEnd(ctx, err)
				return
			}
			select {
			case <-wake:
				why = Woken
			case <-tick.C:
				why = Ticked
			case <-ctx.Done():
				return
			case <-u.stopping:
				return
			}
		}
	}}
}

// Watch answers an update at once and after every event of a session that follows the event with the id after. Each heartbeat looks for
// events as well, in case a wake was lost.
func (u *Updates) Watch(from SessionEvents, id idv.SessionID, after string, read func(context.Context) (Update, error)) *wire.Stream {
	seen := idv.EventID(after)
	if _, ok := idv.ParseID[idv.EventID](after); !ok {
		seen = ""
	}
	subscribe := func() (<-chan struct{}, func()) { return from.Watch(id) }
	return u.Stream(subscribe, func(ctx context.Context, why Cause, out *StreamWriter) (bool, error) {
		if why == Ticked && !out.beat() {
			return true, nil // the client has gone
		}
		events, err := from.Events(ctx, id, seen)
		if err != nil || len(events) == 0 && why != Begins {
			return false, err
		}
		if len(events) > 0 {
			seen = events[len(events)-1].ID
		}
		next, err := read(ctx)
		if err != nil {
			return false, err
		}
		next.id = string(seen)
		return next.Last, out.Send(next)
	})
}

// LogEnd logs why a stream ended, unless the client left or lost its right to watch.
func (u *Updates) LogEnd(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		_ = u.problems.Of(ctx, err) // logs what has to be logged; the stream cannot say it any more
	}
}

// StreamWriter writes server-sent events, each flushed and with its own deadline.
type StreamWriter struct {
	w  http.ResponseWriter
	rc *http.ResponseController
}

// NewStreamWriter begins an answer of server-sent events.
func NewStreamWriter(w http.ResponseWriter) *StreamWriter {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return &StreamWriter{w: w, rc: http.NewResponseController(w)}
}

// Send writes an update.
func (s *StreamWriter) Send(u Update) error {
	raw, err := json.Marshal(u.Data)
	if err != nil {
		return fmt.Errorf("write a live update: %w", err)
	}
	id := ""
	if u.id != "" {
		id = "id: " + u.id + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\nretry: %d\ndata: %s\n\n", id, u.Name, retryAfterMS, raw))
}

// beat writes a heartbeat and reports whether the client is still there.
func (s *StreamWriter) beat() bool { return s.Comment("heartbeat") == nil }

// Comment writes a line that clients ignore.
func (s *StreamWriter) Comment(text string) error { return s.write(": " + text + "\n\n") }

func (s *StreamWriter) write(text string) error {
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

// Stopping is closed when what streams has to end: the server takes no more requests.
func (u *Updates) Stopping() <-chan struct{} { return u.stopping }
