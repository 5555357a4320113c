// Package erasing erases sessions: keys are destroyed and rows removed or reduced in one transaction, as the table of fates
// says; afterwards blobs are deleted, and the files of the database cleared of what is left of the keys.
package erasing

import (
	"context"
	"sync"

	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Eraser does what no transaction can: it deletes blobs and clears the files of the database. It implements session.Cleaner
// and is safe for concurrent use.
type Eraser struct {
	db     *database.DB
	log    *auditlog.Log
	forget func(context.Context) error

	facesMu    sync.Mutex
	faceTraces []string // of faces whose rows are gone, until the files were searched for them
	facesOwed  bool     // memory or the files still have to be cleared of such faces
}

// New returns the Eraser of a database.
func New(db *database.DB, log *auditlog.Log) *Eraser { return &Eraser{db: db, log: log} }

// Forgetting makes f a part of every erasing, before it counts as finished: f overwrites what this process has in memory of what is erased.
func (s *Eraser) Forgetting(f func(context.Context) error) { s.forget = f }

// Striker erases in a transaction.
type Striker struct{ *database.Tx }

// ErasureReader reads erasings and their receipts.
type ErasureReader struct {
	*database.Reader
	log *auditlog.Log
}

// Reader returns an ErasureReader over r.
func (s *Eraser) Reader(r *database.Reader) ErasureReader {
	return ErasureReader{Reader: r, log: s.log}
}
