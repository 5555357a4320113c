package console

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Workflows answers the calls on workflows and their versions.
type Workflows struct {
	workflows *workflow.Service
}

// Routes returns the calls, in the order of the reference.
func (h *Workflows) Routes() []edge.Route {
	return slices.Concat(h.versionRoutes(), h.publishingRoutes(), h.trialRoutes())
}

func (h *Workflows) versionRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodGet, Path: "/v1/console/workflows", ID: "consoleListWorkflows", Who: edge.Console, May: account.WorkflowsRead,
			Summary:     "List workflows",
			Description: "Those of a mode, each with what is published and its draft.",
			Bind:        edge.Call(h.list),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows", ID: "consoleCreateWorkflow", Who: edge.Console, May: account.WorkflowsWrite,
			Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Make a workflow",
			Description: "With a draft that copies a version of its mode.",
			Bind:        edge.Call(h.create),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/{workflow}", ID: "getWorkflow", Who: edge.Console, May: account.WorkflowsRead,
			Summary:     "Read a workflow",
			Description: "With the state of each of its versions.",
			Bind:        edge.Call(h.get),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/{workflow}/versions/{version}", ID: "getWorkflowVersion", Who: edge.Console,
			May:         account.WorkflowsRead,
			Summary:     "Read a version of a workflow",
			Description: "What it says, and of a draft what keeps it from being published.",
			Bind:        edge.Call(h.version),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/{workflow}/versions/{version}/differences", ID: "compareWorkflowVersions",
			Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Compare two versions of a workflow",
			Description: "What one says otherwise than another, in words, with the error rates that thresholds imply. Without another it is " +
				"compared with what its draft would replace, or what it replaced.",
			Bind: edge.Call(h.compare),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/draft", ID: "makeWorkflowDraft", Who: edge.Console,
			May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusCreated,
			Summary:     "Make a draft of a workflow",
			Description: "As a copy of one of its versions; a workflow has one draft at most." + workflowConflict,
			Bind:        edge.Call(h.createDraft),
		},
		{
			Method: http.MethodPut, Path: "/v1/console/workflows/{workflow}/draft", ID: "changeWorkflowDraft", Who: edge.Console,
			May: account.WorkflowsWrite, Sends: edge.JSON,
			Summary:     "Change a draft",
			Description: "Replaces what it says. It may be invalid meanwhile: the answer lists what is wrong." + workflowConflict,
			Bind:        edge.Call(h.changeDraft),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/draft/discard", ID: "discardWorkflowDraft", Who: edge.Console,
			May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary:     "Discard a draft",
			Description: "A workflow that has no other version goes with it." + workflowConflict,
			Bind:        edge.Call(h.discardDraft),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/offer/dismiss", ID: "dismissSignalsOffer", Who: edge.Console,
			May: account.WorkflowsWrite, Sends: edge.JSON, Status: http.StatusNoContent,
			Summary:     "Dismiss the offer of new signals",
			Description: "The workflow stays as it is, and is not offered them again.",
			Bind:        edge.Call(h.dismissOffer),
		},
	}
}

func (h *Workflows) publishingRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/publish", ID: "publishWorkflow", Who: edge.Console,
			May: account.WorkflowsPublish, Fresh: true, Sends: edge.JSON,
			Summary: "Publish a draft",
			Description: "New sessions follow it, and the version before is retired. Sessions keep the version that they began with. It never " +
				"changes again." +
				workflowInvalid +
				workflowConflict,
			Bind: edge.Call(h.publish),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/versions/{version}/retire", ID: "retireWorkflowVersion",
			Who: edge.Console, May: account.WorkflowsPublish, Fresh: true, Sends: edge.JSON,
			Summary: "Retire a published version",
			Description: "No new session follows the workflow until another version is published. The workflow `default` cannot do without one." +
				workflowConflict,
			Bind: edge.Call(h.retire),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/check", ID: "checkWorkflow", Who: edge.Console, May: account.WorkflowsWrite,
			Sends:   edge.JSON,
			Summary: "Check a specification",
			Description: "Lists everything that would keep it from being published, with its place; conditions of rules by line and column. " +
				"Keeps nothing.",
			Bind: edge.Call(h.check),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/wallet-query", ID: "previewWalletQuery", Who: edge.Console, May: account.WorkflowsRead,
			Sends:       edge.JSON,
			Summary:     "Show what wallets are asked",
			Description: "The query that sessions of a specification send to wallets, made by the same code. Keeps nothing.",
			Bind:        edge.Call(h.walletQuery),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/compare", ID: "compareSpecs", Who: edge.Console, May: account.WorkflowsWrite,
			Sends:   edge.JSON,
			Summary: "Compare two specifications",
			Description: "What the second says otherwise than the first, in words, and what would keep it from being published: for a file, before it is " +
				"taken. Keeps nothing.",
			Bind: edge.Call(h.compareSpecs),
		},
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/logos", ID: "addLogo", Who: edge.Console, May: account.WorkflowsWrite,
			Sends: edge.Logo, Status: http.StatusCreated,
			Summary:     "Keep a logo",
			Description: "A PNG or WebP of at most 256 kB, for drafts to name. Only its pixels are kept. Anybody who has its address can see it.",
			Form:        logoForm(), Bind: edge.Call(h.addLogo),
		},
	}
}

func (h *Workflows) trialRoutes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/console/workflows/{workflow}/simulate", ID: "simulateWorkflow", Who: edge.Console,
			May: account.WorkflowsWrite, Sends: edge.JSON,
			Summary: "Try a draft out on past decisions",
			Description: "Makes decisions of the policy again, also of erased sessions, from what was kept of them without anything that " +
				"identifies: which would be others, from what to what, by which rule. What that does not tell is counted, never guessed." +
				workflowInvalid,
			Bind: edge.Call(h.simulate),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/{workflow}/figures", ID: "getWorkflowFigures", Who: edge.Console,
			May:         account.InsightRead,
			Summary:     "Figures of a workflow's versions",
			Description: "What became of the sessions that follow each, of those that were created in a span of time.",
			Bind:        edge.Call(h.figures),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/thresholds", ID: "getErrorRates", Who: edge.Console, May: account.WorkflowsRead,
			Summary: "Thresholds and their error rates",
			Description: "What a workflow can choose, how each choice errs, what that was measured on and how to measure it again. Nothing is " +
				"reckoned beyond what was measured.",
			Bind: edge.Call(h.errorRates),
		},
		{
			Method: http.MethodGet, Path: "/v1/console/workflows/language", ID: "getRuleLanguage", Who: edge.Console, May: account.WorkflowsRead,
			Summary:     "The language of rules",
			Description: "What a condition can ask, with types and words, for an editor to complete; and what the other fields of a workflow can be.",
			Bind:        edge.Call(h.ruleLanguage),
		},
	}
}

func logoForm() *huma.Schema {
	return wire.FormSchema([]string{"logo"}, map[string]*huma.Schema{"logo": wire.FileSchema("PNG or WebP")})
}

func (h *Workflows) addLogo(ctx context.Context, _ *wire.None) (*wire.Answer[wire.KeptLogo], error) {
	f, err := edge.ReadForm(edge.HTTPRequest(ctx), logoFields)
	if err != nil {
		return nil, err
	}
	digest, err := h.workflows.AddLogo(ctx, f.Files["logo"])
	return wire.Reply(wire.KeptLogo{Digest: digest, Path: wire.LogoPath(digest)}, err)
}

func (h *Workflows) list(ctx context.Context, in *wire.ByMode) (*wire.Answer[wire.WorkflowSummaryList], error) {
	if err := edge.CheckMay(ctx, account.WorkflowsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := h.workflows.List(ctx, in.Mode)
	out := wire.WorkflowSummaryList{Items: []wire.WorkflowSummary{}}
	for _, w := range found {
		out.Items = append(out.Items, wire.WorkflowSummaryOf(w))
	}
	return wire.Reply(out, err)
}

func (h *Workflows) create(ctx context.Context, in *wire.Body[wire.NewWorkflow]) (*wire.Answer[wire.WorkflowFile], error) {
	mode := wire.ModeOrTest(in.Body.Mode)
	if err := edge.CheckMay(ctx, account.WorkflowsWrite, mode); err != nil {
		return nil, err
	}
	w, err := h.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

// find returns a workflow of either mode, if the person who is signed in has the permission p in that mode; not_found otherwise.
func (h *Workflows) find(ctx context.Context, p account.Permission, id idv.WorkflowID) (workflow.Workflow, error) {
	w, err := h.workflows.Get(ctx, "", id)
	if err == nil && !edge.May(ctx, p, w.Mode) {
		return workflow.Workflow{}, problem.New(problem.NotFound)
	}
	return w, err
}

func (h *Workflows) get(ctx context.Context, in *ByWorkflow) (*wire.Answer[wire.WorkflowFile], error) {
	w, err := h.find(ctx, account.WorkflowsRead, in.Workflow)
	return wire.Reply(wire.WorkflowFileOf(w), err)
}

func (h *Workflows) version(ctx context.Context, in *ByVersion) (*wire.Answer[wire.WorkflowVersion], error) {
	w, err := h.find(ctx, account.WorkflowsRead, in.Workflow)
	if err != nil {
		return nil, err
	}
	v, err := w.Version(in.Version)
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

func (h *Workflows) createDraft(ctx context.Context, in *newDraft) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := h.find(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	if in.Body != nil && in.Body.Offered {
		v, err := h.workflows.DraftOffered(ctx, in.Workflow)
		return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
	}
	v, err := h.workflows.Draft(ctx, in.Workflow, in.Body.Source())
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

func (h *Workflows) changeDraft(ctx context.Context, in *onWorkflow[wire.WorkflowDraftChange]) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := h.find(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	v, err := h.workflows.Save(ctx, in.Workflow, in.Body.Revision, wire.VersionFrom(in.Body.Spec))
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

func (h *Workflows) discardDraft(ctx context.Context, in *onWorkflow[wire.WorkflowRevision]) (*wire.None, error) {
	if _, err := h.find(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return nil, h.workflows.Discard(ctx, in.Workflow, in.Body.Revision)
}

func (h *Workflows) dismissOffer(ctx context.Context, in *workflowPosted) (*wire.None, error) {
	if _, err := h.find(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return nil, h.workflows.DismissOffer(ctx, in.Workflow)
}

func (h *Workflows) publish(ctx context.Context, in *onWorkflow[wire.WorkflowRevision]) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := h.find(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := h.workflows.Publish(ctx, in.Workflow, in.Body.Revision)
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

func (h *Workflows) retire(ctx context.Context, in *byVersionPosted) (*wire.Answer[wire.WorkflowVersion], error) {
	if _, err := h.find(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := h.workflows.Retire(ctx, in.Workflow, in.Version)
	return wire.Reply(wire.WorkflowVersionOf(v, h.workflows.Issues), err)
}

func (h *Workflows) check(ctx context.Context, in *wire.Body[wire.WorkflowCheck]) (*wire.Answer[wire.WorkflowIssues], error) {
	if err := edge.CheckMay(ctx, account.WorkflowsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return wire.Reply(wire.WorkflowIssues{Items: wire.WorkflowIssuesOf(h.workflows.Check(in.Body.Mode, wire.VersionFrom(in.Body.Spec)))}, nil)
}

func (h *Workflows) walletQuery(_ context.Context, in *wire.Body[wire.WalletQueryAsked]) (*wire.Answer[wire.WalletQuery], error) {
	return wire.Reply(wire.WalletQueryOf(wire.VersionFrom(in.Body.Spec)), nil)
}

var logoFields = map[string]edge.Field{"logo": {File: true, Most: brand.MaxLogoBytes, Required: true}}

// ByWorkflow is the input of calls on one workflow. Exported because the framework ignores embedded structs that are not.
type ByWorkflow struct {
	Workflow idv.WorkflowID `path:"workflow" maxLength:"40" doc:"Workflow id"`
}

// ByVersion is the input of calls on one version. Exported because the framework ignores embedded structs that are not.
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

type workflowPosted struct {
	ByWorkflow
	Body *wire.Empty `required:"false"`
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

const workflowConflict = " `workflow.conflict` says who changed it first."

const workflowInvalid = " `workflow.invalid` and `workflow.invalid_rule` name the first place that is wrong."
