package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Reader reads what the applicant's calls rest on. Its methods return problem not_found where nothing is there.
type Reader interface {
	Session(ctx context.Context, id idv.SessionID) (session.Record, error)
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	session.EvidenceReader
	Attempt(ctx context.Context, id idv.SessionID, attempt string) (session.Attempt, error)
	CountAttempts(ctx context.Context, id idv.SessionID) (int, error)
	Consents(ctx context.Context, id idv.SessionID) ([]session.ConsentRow, error)
	session.ChallengeReader
	session.TabReader
	session.WalletReader
}

// Store keeps what the applicant's calls read and write.
type Store interface {
	Reader
	SessionByLink(ctx context.Context, hash string) (session.Record, error)
	SessionByToken(ctx context.Context, hash string) (session.Record, error)
	HandoffByLink(ctx context.Context, hash string) (session.HandoffRow, error)
	// HandoffsByToken lists those that a browser made or opened, by the hash of its token, in the order of making.
	HandoffsByToken(ctx context.Context, hash string) ([]session.HandoffRow, error)
	session.UploadReader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}
