package kills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// receiver is where the server sends its webhooks. It answers as slowly as one that is far away.
type receiver struct {
	url    string
	server *http.Server
	mu     sync.Mutex
	seen   map[string]map[string]map[string]int // session → type → event → how often
	came   map[string]chan struct{}             // session and type, closed when the first came
}

// farAway is how long the receiver takes to answer.
const farAway = 10 * time.Millisecond

func listen(ctx context.Context) (*receiver, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for webhooks: %w", err)
	}
	r := &receiver{url: "http://" + l.Addr().String() + "/hooks", seen: map[string]map[string]map[string]int{}, came: map[string]chan struct{}{}}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute}
	go func() { _ = r.server.Serve(l) }() // ends with close
	return r, nil
}

func (r *receiver) close() error {
	if err := r.server.Close(); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("close the receiver: %w", err)
	}
	return nil
}

// ServeHTTP implements http.Handler. A delivery that is cut off does not count.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var event struct{ ID, Type, Session string }
	if err := json.NewDecoder(req.Body).Decode(&event); err != nil {
		http.Error(w, "no event", http.StatusBadRequest)
		return
	}
	time.Sleep(farAway)
	r.mu.Lock()
	defer r.mu.Unlock()
	types := r.seen[event.Session]
	if types == nil {
		types = map[string]map[string]int{}
		r.seen[event.Session] = types
	}
	if types[event.Type] == nil {
		types[event.Type] = map[string]int{}
	}
	types[event.Type][event.ID]++
	first := r.first(event.Session, event.Type)
	select {
	case <-first:
	default:
		close(first)
	}
}

// first returns the channel that the first event of a type closes. r.mu is held.
func (r *receiver) first(session, typ string) chan struct{} {
	key := session + " " + typ
	if r.came[key] == nil {
		r.came[key] = make(chan struct{})
	}
	return r.came[key]
}

// await waits for a session's first event of a type.
func (r *receiver) await(ctx context.Context, session, typ string) error {
	r.mu.Lock()
	first := r.first(session, typ)
	r.mu.Unlock()
	select {
	case <-first:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// told returns how many events of a type came for a session, and how many times altogether.
func (r *receiver) told(session, typ string) (events, times int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.seen[session][typ] {
		events++
		times += n
	}
	return events, times
}
