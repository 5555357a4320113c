package retention

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// ErasureStore keeps erasings, and finishes them.
type ErasureStore interface {
	// Erasures lists those of a session, oldest first.
	Erasures(ctx context.Context, id idv.SessionID) ([]session.Erasure, error)
	// EntryOf finds the newest audit entry of a session with that action and, once it is in the log, its proof.
	EntryOf(ctx context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error)
	session.Cleaner
}

// HoldStore keeps legal holds.
type HoldStore interface {
	// Holds lists those of a session, oldest first.
	Holds(ctx context.Context, id idv.SessionID) ([]session.Hold, error)
	// StandingHolds lists those that are set, by session, newest session first, from before a session on; all from its zero.
	StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]session.Hold, error)
}

// ExportStore keeps what goes into an export. Lists are in the order of making.
type ExportStore interface {
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	// Retention returns the deployment's setting; zero where nothing was set.
	Retention(ctx context.Context) (idv.RetentionSetting, error)
	Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error)
	Consents(ctx context.Context, id idv.SessionID) ([]session.ConsentRow, error)
	Decisions(ctx context.Context, id idv.SessionID) ([]idv.Decision, error)
	Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error)
	// Together reads outside of a transaction, too, but opens each keyset once.
	Together() session.Reader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// Store keeps how long things are kept, and finds what was kept long enough.
type Store interface {
	session.RetentionStore
	session.AuditTrimmer
	// CountHolds counts the legal holds that are set.
	CountHolds(ctx context.Context) (int, error)
	// Clean finishes the erasings of sessions, as Cleaner does.
	Clean(ctx context.Context, ids []idv.SessionID) error
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}
