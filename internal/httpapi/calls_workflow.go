package httpapi

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

func (s *Server) createWorkflow(ctx context.Context, in *body[NewWorkflow]) (*answer[WorkflowFile], error) {
	mode := modeOf(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	w, err := s.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return reply(workflowFile(w), err)
}

func (s *Server) listVersions(ctx context.Context, in *ByKeyedWorkflow) (*answer[WorkflowVersionPage], error) {
	w, err := s.workflows.Get(ctx, modeOf(ctx), in.ID)
	out := WorkflowVersionPage{Items: []WorkflowVersion{}}
	for _, v := range w.Versions {
		out.Items = append(out.Items, versionOf(v, s.workflows.Issues))
	}
	return reply(out, err)
}

func (s *Server) createDraft(ctx context.Context, in *keyedDraft) (*answer[WorkflowVersion], error) {
	if _, err := s.workflows.Get(ctx, modeOf(ctx), in.ID); err != nil {
		return nil, err
	}
	return s.draftFrom(ctx, in.ID, in.Body)
}

func (s *Server) draftFrom(ctx context.Context, id idv.WorkflowID, n *NewWorkflowDraft) (*answer[WorkflowVersion], error) {
	if n == nil {
		n = &NewWorkflowDraft{}
	}
	v, err := s.workflows.Draft(ctx, id, n.From)
	return reply(versionOf(v, s.workflows.Issues), err)
}

func (s *Server) consoleListWorkflows(ctx context.Context, in *ofMode) (*answer[WorkflowSummaryList], error) {
	if err := mayInMode(ctx, account.WorkflowsRead, in.Mode); err != nil {
		return nil, err
	}
	found, err := s.workflows.List(ctx, in.Mode)
	out := WorkflowSummaryList{Items: []WorkflowSummary{}}
	for _, w := range found {
		out.Items = append(out.Items, workflowSummary(w))
	}
	return reply(out, err)
}

func (s *Server) consoleCreateWorkflow(ctx context.Context, in *body[NewWorkflow]) (*answer[WorkflowFile], error) {
	mode := orTest(in.Body.Mode)
	if err := mayInMode(ctx, account.WorkflowsWrite, mode); err != nil {
		return nil, err
	}
	w, err := s.workflows.Create(ctx, mode, in.Body.Name, in.Body.From)
	return reply(workflowFile(w), err)
}

// workflow is one that the member may do p with. To anybody else it is not there.
func (s *Server) workflow(ctx context.Context, p account.Permission, id idv.WorkflowID) (workflow.Workflow, error) {
	w, err := s.workflows.Get(ctx, "", id)
	if err == nil && !may(ctx, p, w.Mode) {
		return workflow.Workflow{}, problem.New(problem.NotFound)
	}
	return w, err
}

func (s *Server) getWorkflow(ctx context.Context, in *ByWorkflow) (*answer[WorkflowFile], error) {
	w, err := s.workflow(ctx, account.WorkflowsRead, in.Workflow)
	return reply(workflowFile(w), err)
}

func (s *Server) getVersion(ctx context.Context, in *ByVersion) (*answer[WorkflowVersion], error) {
	w, err := s.workflow(ctx, account.WorkflowsRead, in.Workflow)
	if err != nil {
		return nil, err
	}
	v, err := w.Version(in.Version)
	return reply(versionOf(v, s.workflows.Issues), err)
}

func (s *Server) makeDraft(ctx context.Context, in *newDraft) (*answer[WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return s.draftFrom(ctx, in.Workflow, in.Body)
}

func (s *Server) changeDraft(ctx context.Context, in *onWorkflow[WorkflowDraftChange]) (*answer[WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Save(ctx, in.Workflow, in.Body.Revision, specFrom(in.Body.Spec))
	return reply(versionOf(v, s.workflows.Issues), err)
}

func (s *Server) discardDraft(ctx context.Context, in *onWorkflow[WorkflowRevision]) (*none, error) {
	if _, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow); err != nil {
		return nil, err
	}
	return nil, s.workflows.Discard(ctx, in.Workflow, in.Body.Revision)
}

func (s *Server) publishDraft(ctx context.Context, in *onWorkflow[WorkflowRevision]) (*answer[WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Publish(ctx, in.Workflow, in.Body.Revision)
	return reply(versionOf(v, s.workflows.Issues), err)
}

func (s *Server) retireVersion(ctx context.Context, in *byVersionPosted) (*answer[WorkflowVersion], error) {
	if _, err := s.workflow(ctx, account.WorkflowsPublish, in.Workflow); err != nil {
		return nil, err
	}
	v, err := s.workflows.Retire(ctx, in.Workflow, in.Version)
	return reply(versionOf(v, s.workflows.Issues), err)
}

func (s *Server) checkWorkflow(ctx context.Context, in *body[WorkflowCheck]) (*answer[WorkflowIssues], error) {
	if err := mayInMode(ctx, account.WorkflowsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return reply(WorkflowIssues{Items: issuesOf(s.workflows.Check(in.Body.Mode, specFrom(in.Body.Spec)))}, nil)
}

func workflowSummary(w workflow.Workflow) WorkflowSummary {
	out := WorkflowSummary{ID: w.ID, Mode: w.Mode, Name: w.Name, BuiltIn: w.BuiltIn(), Versions: len(w.Versions)}
	if v, ok := w.In(idv.Published); ok {
		h := headOf(v)
		out.Published = &h
	}
	if v, ok := w.In(idv.Draft); ok {
		h := headOf(v)
		out.Draft = &h
	}
	return out
}

func workflowFile(w workflow.Workflow) WorkflowFile {
	out := WorkflowFile{WorkflowSummary: workflowSummary(w), Items: []WorkflowVersionHead{}}
	for _, v := range w.Versions {
		out.Items = append(out.Items, headOf(v))
	}
	return out
}

func headOf(v workflow.Version) WorkflowVersionHead {
	return WorkflowVersionHead{
		ID: v.ID, Number: v.Number, State: v.State, Revision: v.Revision, CreatedAt: v.CreatedAt.UTC(), CreatedBy: v.CreatedBy,
		ChangedAt: v.ChangedAt.UTC(), ChangedBy: v.ChangedBy, PublishedAt: at(v.PublishedAt), PublishedBy: v.PublishedBy,
		RetiredAt: at(v.RetiredAt), RetiredBy: v.RetiredBy,
	}
}

func versionOf(v workflow.Version, issues func(idv.WorkflowVersion) []workflow.Issue) WorkflowVersion {
	out := WorkflowVersion{
		WorkflowVersionHead: headOf(v), Workflow: v.Workflow, Mode: v.Mode, Name: v.Name, LivenessNotice: v.LivenessNotice(),
		Spec: specOf(v.WorkflowVersion), Issues: []WorkflowIssue{},
	}
	if v.State == idv.Draft {
		out.Issues = issuesOf(issues(v.WorkflowVersion))
	}
	return out
}

func issuesOf(found []workflow.Issue) []WorkflowIssue {
	out := []WorkflowIssue{}
	for _, i := range found {
		code := problem.WorkflowInvalid.Code
		if i.Rule {
			code = problem.WorkflowInvalidRule.Code
		}
		out = append(out, WorkflowIssue{Field: i.Field, Code: code, Message: i.Message, Line: i.Line, Column: i.Column})
	}
	return out
}

func specOf(w idv.WorkflowVersion) WorkflowSpec {
	out := WorkflowSpec{
		Steps: list0(w.Steps), Documents: list0(w.Documents), Countries: list0(w.Countries), AcceptSpecimens: w.AcceptSpecimens, MinimumAge: w.MinimumAge,
		Required: list0(w.Required), FaceFMR: w.FaceFMR, FaceReferFMR: w.FaceReferFMR, StepAttempts: w.StepAttempts, SessionAttempts: w.SessionAttempts,
		LinkHours: hours(w.LinkLife), SessionHours: hours(w.SessionLife), FaceOptional: w.FaceOptional, TwoPersons: w.TwoPersons, NotByCreator: w.NotByCreator,
		EmbedOrigins: list0(w.EmbedOrigins),
		Retention:    WorkflowRetention{PicturesHours: hours(w.Retention.Pictures), ReportHours: hours(w.Retention.Report)}, Rules: []WorkflowRule{}, Brand: brandOf(w.Brand),
	}
	for _, r := range w.Rules {
		out.Rules = append(out.Rules, WorkflowRule{Name: r.Name, When: r.When, Then: r.Then, Reasons: list0(r.Reasons)})
	}
	return out
}

func specFrom(in WorkflowSpec) idv.WorkflowVersion {
	out := idv.WorkflowVersion{
		Steps: list0(in.Steps), Documents: list0(in.Documents), Countries: list0(in.Countries), AcceptSpecimens: in.AcceptSpecimens, MinimumAge: in.MinimumAge,
		Required: list0(in.Required), FaceFMR: in.FaceFMR, FaceReferFMR: in.FaceReferFMR, StepAttempts: in.StepAttempts, SessionAttempts: in.SessionAttempts,
		LinkLife: span(in.LinkHours), SessionLife: span(in.SessionHours), FaceOptional: in.FaceOptional, TwoPersons: in.TwoPersons, NotByCreator: in.NotByCreator,
		EmbedOrigins: list0(in.EmbedOrigins),
		Retention:    idv.Retention{Pictures: span(in.Retention.PicturesHours), Report: span(in.Retention.ReportHours)},
		Brand:        brandFrom(in.Brand),
	}
	for _, r := range in.Rules {
		out.Rules = append(out.Rules, idv.Rule{Name: r.Name, When: r.When, Then: r.Then, Reasons: list0(r.Reasons)})
	}
	return out
}

func hours(d time.Duration) int    { return int(d / time.Hour) }
func span(hours int) time.Duration { return time.Duration(hours) * time.Hour }
