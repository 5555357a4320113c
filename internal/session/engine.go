package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Engine looks at captures and answers questions (flow.Engine).
type Engine interface {
	Glance(ctx context.Context, c idv.Capture) error
	Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error)
	Yields(k idv.CaptureKind) []idv.ArtifactKind
	Needs(k idv.CheckKind) []idv.ArtifactKind
	Expected(w idv.WorkflowVersion) []idv.CheckKind
	Ready(k idv.CheckKind, w idv.WorkflowVersion, chosen idv.DocumentKind, settled []idv.Artifact) bool
	Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error)
}
