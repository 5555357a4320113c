package decision

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Store keeps what decisions rest on. Its methods return problem not_found where nothing is there.
type Store interface {
	Session(ctx context.Context, id idv.SessionID) (session.Record, error)
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error)
	// Stale lists processing sessions untouched since before, oldest first, at most limit.
	Stale(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error)
	// Together reads outside of a transaction, too, but opens each keyset once.
	Together() session.Reader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}
