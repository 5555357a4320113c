package sandbox

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Store keeps how far a persona is.
type Store interface {
	Session(ctx context.Context, id idv.SessionID) (session.Record, error)
	CountAttempts(ctx context.Context, id idv.SessionID) (int, error)
	Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error)
	WalletRequests(ctx context.Context, id idv.SessionID) ([]session.WalletRequestRow, error)
}
