// Package retention erases what was kept long enough or what somebody asked to erase, holds what must not be erased, and
// exports what is kept of a person.
package retention

import (
	"log/slog"

	"github.com/bonafide-id/bonafide/internal/session"
)

// Erasures erases sessions. It is safe for concurrent use, as is everything else here.
type Erasures struct {
	life  *session.Lifecycle
	store ErasureStore
	log   *slog.Logger
}

// NewErasures returns Erasures.
func NewErasures(life *session.Lifecycle, st ErasureStore, log *slog.Logger) *Erasures {
	return &Erasures{life: life, store: st, log: log}
}

// Holds sets and lifts legal holds.
type Holds struct {
	life  *session.Lifecycle
	store HoldStore
}

// NewHolds returns Holds.
func NewHolds(life *session.Lifecycle, st HoldStore) *Holds { return &Holds{life: life, store: st} }

// Exports hands out everything that is kept of a session's person.
type Exports struct {
	life  *session.Lifecycle
	store ExportStore
}

// NewExports returns Exports.
func NewExports(life *session.Lifecycle, st ExportStore) *Exports {
	return &Exports{life: life, store: st}
}

// Retention erases by time.
type Retention struct {
	life     *session.Lifecycle
	store    Store
	erasures *Erasures
	log      *slog.Logger
}

// New returns the Retention that erases through e.
func New(life *session.Lifecycle, st Store, e *Erasures, log *slog.Logger) *Retention {
	return &Retention{life: life, store: st, erasures: e, log: log}
}
