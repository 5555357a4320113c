// Package workflows keeps workflows and their versions, and the logos of brands.
package workflows

import (
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
)

// Catalogue is the workflows of a deployment. It is safe for concurrent use.
type Catalogue struct {
	db        *database.DB
	queue     *queue.Queue
	published published
}

// New returns the Catalogue of a database.
func New(db *database.DB, q *queue.Queue) *Catalogue { return &Catalogue{db: db, queue: q} }

// WorkflowReader reads workflows and their versions.
type WorkflowReader struct{ *database.Reader }

// WorkflowWriter reads and writes workflows and their versions in a transaction.
type WorkflowWriter struct {
	webhooks.EventWriter
	WorkflowReader
}

// In returns a WorkflowWriter for a transaction.
func In(t *database.Tx, q *queue.Queue) *WorkflowWriter {
	return &WorkflowWriter{EventWriter: webhooks.In(t, q), WorkflowReader: WorkflowReader{&t.Reader}}
}
