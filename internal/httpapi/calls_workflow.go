package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

func (s *Server) createWorkflow(ctx context.Context, in *wire.Body[wire.NewWorkflow]) (*wire.Answer[wire.WorkflowFile], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	w, err := s.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

func (s *Server) listVersions(ctx context.Context, in *ByKeyedWorkflow) (*wire.Answer[wire.WorkflowVersionPage], error) {
	w, err := s.workflows.Get(ctx, edge.KeyMode(ctx), in.ID)
	out := wire.WorkflowVersionPage{Items: []wire.WorkflowVersion{}}
	for _, v := range w.Versions {
		out.Items = append(out.Items, wire.WorkflowVersionOf(v, s.workflows.Issues))
	}
	return wire.Reply(out, err)
}

func (s *Server) createDraft(ctx context.Context, in *keyedDraft) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := s.workflows.Get(ctx, edge.KeyMode(ctx), in.ID); err != nil {
		return nil, err
	}
	return s.draftFrom(ctx, in.ID, in.Body)
}

func (s *Server) draftFrom(ctx context.Context, id idv.WorkflowID, n *wire.NewWorkflowDraft) (*wire.Answer[wire.WorkflowVersion], error) {
	if n == nil {
		n = &wire.NewWorkflowDraft{}
	}
	v, err := s.workflows.Draft(ctx, id, n.From)
	return wire.Reply(wire.WorkflowVersionOf(v, s.workflows.Issues), err)
}

func (s *Server) consoleListWorkflows(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.WorkflowSummaryList], error) {
	if err := edge.CheckMay(ctx, account.WorkflowsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.workflows.List(ctx, in.Mode)
	out := wire.WorkflowSummaryList{Items: []wire.WorkflowSummary{}}
	for _, w := range found {
		out.Items = append(out.Items, wire.WorkflowSummaryOf(w))
	}
	return wire.Reply(out, err)
}

func (s *Server) consoleCreateWorkflow(ctx context.Context, in *wire.Body[wire.NewWorkflow]) (*wire.Answer[wire.WorkflowFile], error) {
	mode := wire.ModeOrTest(in.Body.Mode)
	if err := edge.CheckMay(ctx, account.WorkflowsWrite, mode); err != nil {
		return nil, err
	}
	w, err := s.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

// workflow is one that the member may do p with. To anybody else it is not there.
func (s *Server) workflow(ctx context.Context, p account.Permission, id idv.WorkflowID) (workflow.Workflow, error) {
	w, err := s.workflows.Get(ctx, "", id)
	if err == nil && !edge.May(ctx, p, w.Mode) {
		return workflow.Workflow{}, problem.New(problem.NotFound)
	}
	return w, err
}

func (s *Server) getWorkflow(ctx context.Context, in *ByWorkflow) (*wire.Answer[wire.WorkflowFile], error) {
	w, err := s.workflow(ctx, account.WorkflowsRead, in.Workflow)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

func (s *Server) getVersion(ctx context.Context, in *ByVersion) (*wire.Answer[wire.WorkflowVersion], error) {
	w, err := s.workflow(ctx, account.WorkflowsRead, in.Workflow)
	if err != nil {
		return nil, err
	}
	v, err := w.Version(in.Version)
	return wire.Reply(wire.WorkflowVersionOf(v, s.workflows.Issues), err)
}

func (s *Server) makeDraft(ctx context.Context, in *newDraft) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return s.draftFrom(ctx, in.Workflow, in.Body)
}

func (s *Server) changeDraft(ctx context.Context, in *onWorkflow[wire.WorkflowDraftChange]) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Save(ctx, in.Workflow, in.Body.Revision, wire.VersionFrom(in.Body.Spec))
	return wire.Reply(wire.WorkflowVersionOf(v, s.workflows.Issues), err)
}

func (s *Server) discardDraft(ctx context.Context, in *onWorkflow[wire.WorkflowRevision]) (*wire.None, error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return nil, s.workflows.Discard(ctx, in.Workflow, in.Body.Revision)
}

func (s *Server) publishDraft(ctx context.Context, in *onWorkflow[wire.WorkflowRevision]) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Publish(ctx, in.Workflow, in.Body.Revision)
	return wire.Reply(wire.WorkflowVersionOf(v, s.workflows.Issues), err)
}

func (s *Server) retireVersion(ctx context.Context, in *byVersionPosted) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Retire(ctx, in.Workflow, in.Version)
	return wire.Reply(wire.WorkflowVersionOf(v, s.workflows.Issues), err)
}

func (s *Server) checkWorkflow(ctx context.Context, in *wire.Body[wire.WorkflowCheck]) (*wire.Answer[wire.WorkflowIssues], error) {
	if err := edge.CheckMay(ctx, account.WorkflowsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return wire.Reply(wire.WorkflowIssues{Items: wire.WorkflowIssuesOf(s.workflows.Check(in.Body.Mode, wire.VersionFrom(in.Body.Spec)))}, nil)
}
