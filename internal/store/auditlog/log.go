// Package auditlog keeps the audit log: entries are written with what they record, sequenced into a Merkle tree whose
// checkpoints are signed, read with their proofs, and trimmed when they are old.
package auditlog

import (
	"sync/atomic"

	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Log is the audit log of a deployment. It is safe for concurrent use.
type Log struct {
	db          *database.DB
	aheadWarned atomic.Int64 // when warnAhead last logged, in nanoseconds
}

// New returns the Log of a database.
func New(db *database.DB) *Log { return &Log{db: db} }
