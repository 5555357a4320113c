// Package backup writes backups while the database is in use, and restores them into an empty one.
//
// A backup is two archives: data (rows and sealed blobs) and keys. Whoever was erased after the data was backed up, but before
// the keys were, is erased again by the restore.
package backup

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/schema"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
)

// Parts are what a Backups works with.
type Parts struct {
	DB      *database.DB
	Log     *auditlog.Log
	Schema  *schema.Schema
	Eraser  *erasing.Eraser
	Queue   *queue.Queue
	Migrate func(context.Context) error // brings the restored schema up to date
}

// Backups backs a database up and restores it. It is safe for concurrent use.
type Backups struct {
	db      *database.DB
	log     *auditlog.Log
	schema  *schema.Schema
	eraser  *erasing.Eraser
	queue   *queue.Queue
	migrate func(context.Context) error
}

// New returns the Backups of a database.
func New(p Parts) *Backups {
	return &Backups{db: p.DB, log: p.Log, schema: p.Schema, eraser: p.Eraser, queue: p.Queue, migrate: p.Migrate}
}

// tx is a transaction that erases again what a restore brought back.
type tx struct {
	*database.Tx
	webhooks.EventWriter
	erasing.Striker
	sessions.RetentionWriter
	erasures erasing.ErasureReader
}

func (s *Backups) in(t *database.Tx) *tx {
	return &tx{
		Tx: t, EventWriter: webhooks.In(t, s.queue), Striker: erasing.Striker{Tx: t}, RetentionWriter: sessions.RetentionWriter{Tx: t},
		erasures: s.eraser.Reader(&t.Reader),
	}
}
