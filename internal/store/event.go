package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

type eventRow struct {
	bun.BaseModel `bun:"table:events,alias:e"`
	ID            string         `bun:"id"`
	Session       string         `bun:"session_id"`
	Type          string         `bun:"type"`
	Actor         string         `bun:"actor"`
	Payload       map[string]any `bun:"payload,type:json"`
	CreatedAt     time.Time      `bun:"created_at"`
	Mode          string         `bun:"mode"`     // of its session, once it has a position
	Position      *int64         `bun:"position"` // in the feed, given after the commit
}

// AddEvent implements session.Writer. Events of one session are written under its lock, so that their order
// is the order in which they commit, and a cursor misses none. What webhooks are told becomes deliveries here.
func (t *tx) AddEvent(ctx context.Context, e session.Event) error {
	if e.Payload == nil {
		e.Payload = map[string]any{}
	}
	t.events = append(t.events, e.Session)
	if strings.HasPrefix(string(e.Type), "case.") {
		t.events = append(t.events, session.QueueTopic)
	}
	row := eventRow{ID: string(e.ID), Session: string(e.Session), Type: string(e.Type), Actor: e.Actor, Payload: e.Payload, CreatedAt: e.At}
	if err := t.insert(ctx, &row, "event"); err != nil {
		return err
	}
	return t.fanOut(ctx, row)
}

// Events implements session.RecordReader.
func (r *reader) Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error) {
	var rows []eventRow
	q := r.db.NewSelect().Model(&rows).Where("e.session_id = ?", string(id)).OrderExpr("e.seq")
	if after != "" {
		q = q.Where("e.seq > (SELECT seq FROM events WHERE id = ? AND session_id = ?)", string(after), string(id))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	out := make([]session.Event, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.Event{
			ID: idv.EventID(row.ID), Session: id, Type: session.EventType(row.Type), At: row.CreatedAt.UTC(),
			Actor: row.Actor, Payload: row.Payload,
		})
	}
	return out, nil
}

// eventChannel is where PostgreSQL tells every node which session has news.
const eventChannel = "bonafide_events"

// notifyPause is how long news wait for more: PostgreSQL lets only one transaction at a time commit what notifies.
const notifyPause = 20 * time.Millisecond

// notify tells other nodes which sessions have news, soon after they committed and apart from that: news that a node which
// dies takes with it are only late, because who watches looks again from time to time.
func (s *Store) notify(ids []idv.SessionID) {
	if s.pool == nil || len(ids) == 0 {
		return
	}
	h := s.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, id := range ids {
		h.news = append(h.news, string(id))
	}
	if h.telling || h.ctx.Err() != nil {
		return
	}
	h.telling = true
	h.running.Go(func() { s.tellNodes(h) })
}

// tellNodes notifies of what is new until nothing is.
func (s *Store) tellNodes(h *hub) {
	for {
		select {
		case <-h.ctx.Done(): // the last words are said without waiting
		case <-time.After(notifyPause):
		}
		h.mu.Lock()
		news := distinct(h.news)
		h.news = nil
		h.telling = len(news) > 0
		h.mu.Unlock()
		if len(news) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		_, err := s.pool.Exec(ctx, "SELECT pg_notify($1, id) FROM unnest($2::text[]) AS id", eventChannel, news)
		cancel()
		if err != nil {
			s.log.Warn("other nodes were not told of events", "sessions", len(news), "error", err)
		}
	}
}

// Watch implements session.Store.
func (s *Store) Watch(id idv.SessionID) (<-chan struct{}, func()) {
	if s.pool != nil {
		s.hub.listen(s.listen)
	}
	return s.hub.watch(id)
}

// listen wakes watchers for what other nodes did, until the context ends. After a lost connection everybody
// is woken, because something may have been missed.
func (s *Store) listen(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		s.log.Warn("lost the event connection to the database", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func (s *Store) listenOnce(ctx context.Context) error {
	conn, err := s.pool.Acquire(ctx)
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
	mu       sync.Mutex
	watchers map[idv.SessionID]map[chan struct{}]bool
	news     []string // sessions that other nodes have not been told of yet
	telling  bool
	once     sync.Once
	ctx      context.Context
	cancel   context.CancelFunc
	running  sync.WaitGroup
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
