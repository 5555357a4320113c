// Package figures counts: sessions by day for the console's charts, kept as sums of days, what workflows decided, and how the
// database and the jobs are.
package figures

import (
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/schema"
)

// Statistics counts sessions by day. It implements insight.Store and is safe for concurrent use.
type Statistics struct{ db *database.DB }

// History reads what workflows decided. It implements workflow.History and is safe for concurrent use.
type History struct{ db *database.DB }

// Machine tells how the database, the jobs and the audit log are. It implements insight.Machine and is safe for concurrent use.
type Machine struct {
	db         *database.DB
	schema     *schema.Schema
	statistics *Statistics
}

// New returns the figures of a database.
func New(db *database.DB, sch *schema.Schema) (*Statistics, *History, *Machine) {
	s := &Statistics{db: db}
	return s, &History{db: db}, &Machine{db: db, schema: sch, statistics: s}
}
