package httpapi

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// workflowRoutes are the calls on workflows and their versions: a few by key, all in the console.
func (s *Server) workflowRoutes() []edge.Route {
	const (
		base     = "/v1/console/workflows"
		one      = base + "/{workflow}"
		conflict = " `workflow.conflict` says who changed it first."
		invalid  = " `workflow.invalid` and `workflow.invalid_rule` name the first place that is wrong."
	)
	return []edge.Route{
		{Method: http.MethodPost, Path: "/v1/workflows", ID: "createWorkflow", Who: edge.Integrator, May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a workflow", Description: "With a draft that copies a version. A person publishes it, in the console.", Bind: edge.Call(s.createWorkflow)},
		{Method: http.MethodGet, Path: "/v1/workflows/{id}/versions", ID: "listWorkflowVersions", Who: edge.Integrator, May: account.WorkflowsRead,
			Summary: "List versions of a workflow", Description: "Newest first, the draft among them, each with what it says.", Bind: edge.Call(s.listVersions)},
		{Method: http.MethodPost, Path: "/v1/workflows/{id}/versions", ID: "createWorkflowDraft", Who: edge.Integrator, May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a draft of a workflow", Description: "As a copy of one of its versions. A person changes and publishes it, in the console." + conflict, Bind: edge.Call(s.createDraft)},

		{Method: http.MethodGet, Path: base, ID: "consoleListWorkflows", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "List workflows", Description: "Those of a mode, each with what is published and its draft.", Bind: edge.Call(s.consoleListWorkflows)},
		{Method: http.MethodPost, Path: base, ID: "consoleCreateWorkflow", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a workflow", Description: "With a draft that copies a version of its mode.", Bind: edge.Call(s.consoleCreateWorkflow)},
		{Method: http.MethodGet, Path: one, ID: "getWorkflow", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Read a workflow", Description: "With where each of its versions stands.", Bind: edge.Call(s.getWorkflow)},
		{Method: http.MethodGet, Path: one + "/versions/{version}", ID: "getWorkflowVersion", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Read a version of a workflow", Description: "What it says, and of a draft what keeps it from being published.", Bind: edge.Call(s.getVersion)},
		{Method: http.MethodGet, Path: one + "/versions/{version}/differences", ID: "compareWorkflowVersions", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Compare two versions of a workflow", Description: "What one says otherwise than another, in words, with the error rates that thresholds imply. Without another it is compared with what its draft would replace, or what it replaced.", Bind: edge.Call(s.compareVersions)},
		{Method: http.MethodPost, Path: one + "/draft", ID: "makeWorkflowDraft", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary: "Make a draft of a workflow", Description: "As a copy of one of its versions; a workflow has one draft at most." + conflict, Bind: edge.Call(s.makeDraft)},
		{Method: http.MethodPut, Path: one + "/draft", ID: "changeWorkflowDraft", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON,
			Summary: "Change a draft", Description: "Replaces what it says. It may be invalid meanwhile: the answer lists what is wrong." + conflict, Bind: edge.Call(s.changeDraft)},
		{Method: http.MethodPost, Path: one + "/draft/discard", ID: "discardWorkflowDraft", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary: "Discard a draft", Description: "A workflow that has no other version goes with it." + conflict, Bind: edge.Call(s.discardDraft)},
		{Method: http.MethodPost, Path: one + "/publish", ID: "publishWorkflow", Who: edge.Console, May: account.WorkflowsPublish, Fresh: true, Sends: edge.JSON,
			Summary: "Publish a draft", Description: "New sessions follow it, and the version before is retired. Sessions keep the version that they began with. It never changes again." + invalid + conflict, Bind: edge.Call(s.publishDraft)},
		{Method: http.MethodPost, Path: one + "/versions/{version}/retire", ID: "retireWorkflowVersion", Who: edge.Console, May: account.WorkflowsPublish, Fresh: true, Sends: edge.JSON,
			Summary: "Retire a published version", Description: "No new session follows the workflow until another version is published. The workflow `default` cannot do without one." + conflict, Bind: edge.Call(s.retireVersion)},
		{Method: http.MethodPost, Path: base + "/check", ID: "checkWorkflow", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON,
			Summary: "Check a specification", Description: "Lists everything that would keep it from being published, with its place; conditions of rules by line and column. Keeps nothing.", Bind: edge.Call(s.checkWorkflow)},
		{Method: http.MethodPost, Path: base + "/logos", ID: "addLogo", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.Logo, Status: http.StatusCreated,
			Summary: "Keep a logo", Description: "A PNG or WebP of at most 256 kB, for drafts to name. Only its pixels are kept. Whoever has its address can see it.", Form: logoForm(), Bind: edge.Call(s.addLogo)},
		{Method: http.MethodPost, Path: one + "/simulate", ID: "simulateWorkflow", Who: edge.Console, May: account.WorkflowsWrite, Sends: edge.JSON,
			Summary:     "Try a draft out on past decisions",
			Description: "Makes decisions of the policy again, also of erased sessions, from what was kept of them without anything that identifies: which would be others, from what to what, by which rule. What that does not tell is counted, never guessed." + invalid,
			Bind:        edge.Call(s.simulateWorkflow)},
		{Method: http.MethodGet, Path: one + "/figures", ID: "getWorkflowFigures", Who: edge.Console, May: account.InsightRead,
			Summary: "Figures of a workflow's versions", Description: "What became of the sessions that follow each, of those that were created in a span of time.", Bind: edge.Call(s.workflowFigures)},
		{Method: http.MethodGet, Path: base + "/thresholds", ID: "getErrorRates", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Thresholds and their error rates", Description: "What a workflow can choose, how each choice errs, what that was measured on and how to measure it again. Nothing is reckoned beyond what was measured.", Bind: edge.Call(s.errorRates)},
		{Method: http.MethodGet, Path: base + "/language", ID: "getRuleLanguage", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "The language of rules", Description: "What a condition can ask, with types and words, for an editor to complete; and what the other fields of a workflow can be.", Bind: edge.Call(s.ruleLanguage)},
	}
}

// ByWorkflow is the input of calls on one workflow. Exported because the framework overlooks embedded structs that are not.
type ByWorkflow struct {
	Workflow idv.WorkflowID `path:"workflow" maxLength:"40" doc:"Workflow id"`
}

// ByVersion is the input of calls on one version. Exported for the same reason.
type ByVersion struct {
	ByWorkflow
	Version idv.WorkflowVersionID `path:"version" maxLength:"40" doc:"Version id"`
}

type compareInput struct {
	ByVersion
	With idv.WorkflowVersionID `query:"with" maxLength:"40" doc:"Version to compare with; what is published, or the one before it, if left out"`
}

type byVersionPosted struct {
	ByVersion
	Body *wire.Empty `required:"false"`
}

// ByKeyedWorkflow is the input of an integrator's calls on one workflow. Exported for the same reason.
type ByKeyedWorkflow struct {
	ID idv.WorkflowID `path:"id" maxLength:"40" doc:"Workflow id"`
}

type keyedDraft struct {
	ByKeyedWorkflow
	Body *wire.NewWorkflowDraft `required:"false"`
}

type newDraft struct {
	ByWorkflow
	Body *wire.NewWorkflowDraft `required:"false"`
}

type onWorkflow[T any] struct {
	ByWorkflow
	Body T
}

type figuresInput struct {
	ByWorkflow
	From string `query:"from" maxLength:"30" doc:"Created at or after: YYYY-MM-DD or RFC 3339"`
	To   string `query:"to" maxLength:"30" doc:"Created before: YYYY-MM-DD or RFC 3339"`
}
