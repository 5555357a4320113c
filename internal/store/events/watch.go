package events

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Stream is the events of all sessions. It is safe for concurrent use.
type Stream struct {
	db  *database.DB
	hub *hub
}

// New returns the Stream of a database.
func New(db *database.DB) *Stream { return &Stream{db: db, hub: newHub()} }

// Close ends listening, and notifies other nodes of what they were not notified of yet.
func (s *Stream) Close() { s.hub.close() }

// eventChannel is the channel on which nodes notify each other of sessions with new events.
const eventChannel = "bonafide_events"

// notifyPause is how long notifications are collected: PostgreSQL lets only one transaction at a time commit a NOTIFY.
const notifyPause = 20 * time.Millisecond

// Notify wakes those who watch sessions: in this process at once, on other nodes soon. What a node that dies did not send is
// only late, because watchers also look from time to time.
func (s *Stream) Notify(ids []idv.SessionID) {
	for _, id := range ids {
		s.hub.wake(id)
	}
	if s.db.Pool == nil || len(ids) == 0 {
		return
	}
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		h.news = append(h.news, string(id))
	}
	if h.notifying || h.ctx.Err() != nil {
		return
	}
	h.notifying = true
	h.running.Go(func() { s.notifyNodes(h) })
}

// notifyNodes sends notifications until none is left.
func (s *Stream) notifyNodes(h *hub) {
	for {
		select {
		case <-h.ctx.Done(): // what is left is sent without waiting
		case <-time.After(notifyPause):
		}
		h.mu.Lock()
		news := database.Distinct(h.news)
		h.news = nil
		h.notifying = len(news) > 0
		h.mu.Unlock()
		if len(news) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, err := s.db.Pool.Exec(ctx, "SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id", eventChannel, news)
		cancel()
		if err != nil {
			s.db.Logger.Warn("other nodes were not told of events", "sessions", len(news), "error", err)
		}
	}
}

// Watch implements session.Store.
func (s *Stream) Watch(id idv.SessionID) (<-chan struct{}, func()) {
	if s.db.Pool != nil {
		s.hub.listen(s.listen)
	}
	return s.hub.watch(id)
}

// listen wakes watchers for what other nodes did, until the context ends. After a lost connection everybody
// is woken, because something may have been missed.
func (s *Stream) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		s.db.Logger.Warn("lost the event connection to the database", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (s *Stream) listenOnce(ctx context.Context) error {
	conn, err := s.db.Pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "LISTEN "+eventChannel); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.hub.wakeAll()
	for {
		n, err := conn.Conn().WaitForNotification(ctx)
		if err != nil {
			return fmt.Errorf("wait for events: %w", err)
		}
		s.hub.wake(idv.SessionID(n.Payload))
	}
}

// hub wakes those who watch a session in this process.
type hub struct {
	mu        sync.Mutex
	watchers  map[idv.SessionID]map[chan struct{}]bool
	news      []string // sessions that other nodes have not been told of yet
	notifying bool
	once      sync.Once
	ctx       context.Context
	cancel    context.CancelFunc
	running   sync.WaitGroup
}

func newHub() *hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &hub{watchers: map[idv.SessionID]map[chan struct{}]bool{}, ctx: ctx, cancel: cancel}
}

// listen starts f once, for as long as the hub is open.
func (h *hub) listen(f func(context.Context)) {
	h.once.Do(func() { h.running.Go(func() { f(h.ctx) }) })
}

func (h *hub) close() {
	h.mu.Lock()
	h.cancel()
	h.mu.Unlock()
	h.running.Wait()
}

func (h *hub) watch(id idv.SessionID) (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers[id] == nil {
		h.watchers[id] = map[chan struct{}]bool{}
	}
	h.watchers[id][c] = true
	return c, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.watchers[id], c)
		if len(h.watchers[id]) == 0 {
			delete(h.watchers, id)
		}
	}
}

func (h *hub) wake(id idv.SessionID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wakeLocked(id)
}

func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id := range h.watchers {
		h.wakeLocked(id)
	}
}

func (h *hub) wakeLocked(id idv.SessionID) {
	for c := range h.watchers[id] {
		select {
		case c <- struct{}{}:
		default: // already woken
		}
	}
}
