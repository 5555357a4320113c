package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

func (s *Server) compareVersions(ctx context.Context, in *compareInput) (*wire.Answer[wire.WorkflowComparison], error) {
	if _, err := s.workflow(ctx, account.WorkflowsRead, in.Workflow); err != nil {
		return nil, err
	}
	c, err := s.workflows.Compared(ctx, in.Workflow, in.Version, in.With)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.ComparisonOf(c), nil)
}
