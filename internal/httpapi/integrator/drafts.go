package integrator

import (
	"context"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Drafts answers the calls that make workflows and drafts of them.
type Drafts struct {
	workflows *workflow.Service
}

// Routes returns the calls, in the order of the reference.
func (h *Drafts) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/workflows", ID: "createWorkflow", Who: edge.Integrator, May: account.WorkflowsWrite,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Make a workflow",
			Description: "With a draft that copies a version. A person publishes it, in the console.",
			Bind:        edge.Call(h.createWorkflow),
		},
		{
			Method: http.MethodGet, Path: "/v1/workflows/{id}/versions", ID: "listWorkflowVersions", Who: edge.Integrator,
			May:         account.WorkflowsRead,
			Summary:     "List versions of a workflow",
			Description: "Newest first, the draft among them, each with what it says.",
			Bind:        edge.Call(h.versions),
		},
		{
			Method: http.MethodPost, Path: "/v1/workflows/{id}/versions", ID: "createWorkflowDraft", Who: edge.Integrator,
			May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a draft of a workflow",
			Description: "As a copy of one of its versions. A person changes and publishes it, in the console. " +
				"`workflow.conflict` says who changed it first.",
			Bind: edge.Call(h.create),
		},
	}
}

func (h *Drafts) createWorkflow(ctx context.Context, in *wire.Body[wire.NewWorkflow]) (*wire.Answer[wire.WorkflowFile], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	w, err := h.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

func (h *Drafts) versions(ctx context.Context, in *ByKeyedWorkflow) (*wire.Answer[wire.WorkflowVersionPage], error) {
	w, err := h.workflows.Get(ctx, edge.KeyMode(ctx), in.ID)
	out := wire.WorkflowVersionPage{Items: []wire.WorkflowVersion{}}
	for _, v := range w.Versions {
		out.Items = append(out.Items, wire.WorkflowVersionOf(v, h.workflows.Issues))
	}
	return wire.Reply(out, err)
}

func (h *Drafts) create(ctx context.Context, in *keyedDraft) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := h.workflows.Get(ctx, edge.KeyMode(ctx), in.ID); err != nil {
		return nil, err
	}
	if in.Body != nil && in.Body.Offered {
		v, err := h.workflows.DraftOffered(ctx, in.ID)
		return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
	}
	v, err := h.workflows.Draft(ctx, in.ID, in.Body.Source())
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

// ByKeyedWorkflow is the input of an integrator's calls on one workflow. Exported because the framework ignores embedded structs that are not.
type ByKeyedWorkflow struct {
	ID idv.WorkflowID `path:"id" maxLength:"40" doc:"Workflow id"`
}

type keyedDraft struct {
	ByKeyedWorkflow
	Body *wire.NewWorkflowDraft `required:"false"`
}
