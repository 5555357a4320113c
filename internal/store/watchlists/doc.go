// Package watchlists keeps the watchlists of a deployment: lists, their versions and the entries of each.
package watchlists

import (
	"context"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
)

// Shelf is the watchlists of a deployment. It is safe for concurrent use.
type Shelf struct {
	db    *database.DB
	queue *queue.Queue
	Reader
}

// New returns the Shelf of a database.
func New(db *database.DB, q *queue.Queue) *Shelf {
	return &Shelf{db: db, queue: q, Reader: Reader{db.Reader()}}
}

// Reader reads lists and versions.
type Reader struct{ *database.Reader }

// Writer reads and writes lists and versions in a transaction.
type Writer struct {
	webhooks.EventWriter
	Reader
}

var (
	_ lists.Store = (*Shelf)(nil)
	_ lists.Tx    = (*Writer)(nil)
)

// ChangeWatchlists implements lists.Store.
func (s *Shelf) ChangeWatchlists(ctx context.Context, f func(ctx context.Context, tx lists.Tx) error) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := t.Conn.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'watchlists'"); err != nil {
			return fmt.Errorf("lock the watchlists: %w", err)
		}
		return f(ctx, &Writer{EventWriter: webhooks.In(t, s.queue), Reader: Reader{&t.Reader}})
	})
}

// WatchlistRevision implements lists.Store.
func (s *Shelf) WatchlistRevision(ctx context.Context) (int64, error) {
	var n int64
	if err := s.db.Read.NewSelect().TableExpr("locks").ColumnExpr("taken").Where("name = 'watchlists'").Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("read the revision of the watchlists: %w", err)
	}
	return n, nil
}

// AddWatchlistEvent implements lists.Tx. A list belongs to both modes, and so do its events.
func (t *Writer) AddWatchlistEvent(ctx context.Context, e lists.Event) error {
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		row := events.EventRow{
			ID: string(e.IDs[mode]), Type: e.Type, Actor: e.Actor, CreatedAt: e.At, Mode: string(mode),
			Payload: map[string]any{"list": string(e.List), "version": string(e.Version)},
		}
		if err := t.EventWriter.Insert(ctx, &row, "event"); err != nil {
			return err
		}
		if err := t.FanOut(ctx, row); err != nil {
			return err
		}
	}
	return nil
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }
