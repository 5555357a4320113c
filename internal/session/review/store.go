package review

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// QueueStore keeps cases. Its methods return problem not_found where nothing is there.
type QueueStore interface {
	Case(ctx context.Context, id idv.CaseID) (idv.Case, error)
	// CaseOf returns a session's newest case.
	CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error)
	// Cases lists those that are not closed, the most urgent first.
	Cases(ctx context.Context, f session.CaseFilter) ([]idv.Case, error)
	CountCases(ctx context.Context, f session.CaseFilter) (session.CaseCounts, error)
	// LapsedCases lists those whose claim has run out by now, at most limit.
	LapsedCases(ctx context.Context, now time.Time, limit int) ([]idv.CaseID, error)
	// Reviews lists what was said about a session's cases, oldest first. Of an erased session the notes are gone.
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
	// Records reads several sessions at once; those that are not there are left out.
	Records(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID]session.Record, error)
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	// DeclineReasons reads the reasons that the deployment offers to reviewers; none where it has not chosen any.
	DeclineReasons(ctx context.Context) ([]session.OfferedReason, error)
	// Watch wakes on any event of the session until stop is called.
	Watch(id idv.SessionID) (wake <-chan struct{}, stop func())
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// PictureStore keeps what was sent and found.
type PictureStore interface {
	Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error)
	Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error)
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// CaseFileStore keeps what goes into a case file. Lists are in the order of making.
type CaseFileStore interface {
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	Captures(ctx context.Context, id idv.SessionID) ([]session.CaptureRow, error)
	Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error)
	Reports(ctx context.Context, id idv.SessionID) ([]idv.Report, error)
	Decisions(ctx context.Context, id idv.SessionID) ([]idv.Decision, error)
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
	LinkDecision(ctx context.Context, p session.Pair) (session.LinkDecision, error)
	LinkDecisions(ctx context.Context, id idv.SessionID) ([]session.LinkDecision, error)
	Hits(ctx context.Context, id idv.SessionID) ([]session.Hit, error)
	Consents(ctx context.Context, id idv.SessionID) ([]session.ConsentRow, error)
	Erasures(ctx context.Context, id idv.SessionID) ([]session.Erasure, error)
	Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]session.Event, error)
	// AuditProofs proves every entry of a session under one checkpoint, by position.
	AuditProofs(ctx context.Context, id idv.SessionID) ([]audit.Proof, error)
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// ViewStore keeps saved views.
type ViewStore interface {
	session.ViewReader
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}
