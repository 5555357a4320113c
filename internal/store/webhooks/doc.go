// Package webhooks keeps webhook endpoints and what is delivered to them. A delivery and its job are written in the
// transaction of the event that they are about.
package webhooks

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// Endpoints keeps webhook endpoints. It is safe for concurrent use.
type Endpoints struct{ base }

// Outbox keeps deliveries. It is safe for concurrent use.
type Outbox struct{ base }

// New returns the Endpoints of a database and their Outbox.
func New(db *database.DB, q *queue.Queue) (*Endpoints, *Outbox) {
	b := base{db: db, queue: q}
	return &Endpoints{b}, &Outbox{b}
}

type base struct {
	db    *database.DB
	queue *queue.Queue
}

// transact runs f in a transaction.
func (b base) transact(ctx context.Context, f func(ctx context.Context, t *EventWriter) error) error {
	return b.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		w := In(t, b.queue)
		return f(ctx, &w)
	})
}

// EventWriter writes events in a transaction, with the deliveries and jobs that they cause.
type EventWriter struct {
	*database.Tx
	auditlog.EntryWriter
	queue.JobWriter
}

// In returns an EventWriter for a transaction.
func In(t *database.Tx, q *queue.Queue) EventWriter {
	return EventWriter{Tx: t, EntryWriter: auditlog.EntryWriter{Tx: t}, JobWriter: q.In(t)}
}
