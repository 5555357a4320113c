package console

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

func (h *Workflows) compare(ctx context.Context, in *compareInput) (*wire.Answer[wire.WorkflowComparison], error) {
	if _, err := h.find(ctx, account.WorkflowsRead, in.Workflow); err != nil {
		return nil, err
	}
	c, err := h.workflows.Compared(ctx, in.Workflow, in.Version, in.With)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.ComparisonOf(c), nil)
}

func (h *Workflows) compareSpecs(ctx context.Context, in *wire.Body[wire.WorkflowSpecs]) (*wire.Answer[wire.WorkflowSpecDifferences], error) {
	if err := edge.CheckMay(ctx, account.WorkflowsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	before, after := wire.VersionFrom(in.Body.Before), wire.VersionFrom(in.Body.After)
	out := wire.WorkflowSpecDifferences{
		Items:  wire.DifferencesOf(h.workflows.CompareSpecs(in.Body.Mode, before, after)),
		Issues: wire.WorkflowIssuesOf(h.workflows.Check(in.Body.Mode, after)),
	}
	return wire.Reply(out, nil)
}

func (h *Workflows) simulate(ctx context.Context, in *onWorkflow[wire.WorkflowTrial]) (*wire.Answer[wire.Simulation], error) {
	w, err := h.find(ctx, account.WorkflowsWrite, in.Workflow)
	if err != nil {
		return nil, err
	}
	t := workflow.Trial{Workflow: w.ID, Version: in.Body.Version, Everyone: in.Body.Only == "mode", Limit: in.Body.Limit, After: in.Body.After}
	if t.Session = in.Body.Session; t.Session != "" {
		if err := edge.CheckMay(ctx, account.SessionsRead, w.Mode); err != nil {
			return nil, err // with rules of one's own it is a question about one person
		}
	}
	if in.Body.Spec != nil {
		spec := wire.VersionFrom(*in.Body.Spec)
		t.Spec = &spec
	}
	if t.From, err = wire.ParseTime("/from", in.Body.From); err != nil {
		return nil, err
	}
	if t.To, err = wire.ParseTime("/to", in.Body.To); err != nil {
		return nil, err
	}
	found, err := h.workflows.Simulate(ctx, t)
	return wire.Reply(wire.SimulationOf(found, edge.May(ctx, account.SessionsRead, w.Mode)), err)
}

func (h *Workflows) figures(ctx context.Context, in *figuresInput) (*wire.Answer[wire.WorkflowFigures], error) {
	if _, err := h.find(ctx, account.InsightRead, in.Workflow); err != nil {
		return nil, err
	}
	from, err := wire.ParseTime("from", in.From)
	if err != nil {
		return nil, err
	}
	to, err := wire.ParseTime("to", in.To)
	if err != nil {
		return nil, err
	}
	versions, figures, err := h.workflows.Figures(ctx, in.Workflow, from, to)
	out := wire.WorkflowFigures{Items: []wire.VersionFigures{}}
	for _, v := range versions {
		out.Items = append(out.Items, wire.VersionFiguresOf(v, figures[v.ID]))
	}
	return wire.Reply(out, err)
}

func (h *Workflows) errorRates(_ context.Context, _ *wire.None) (*wire.Answer[wire.ErrorRateTable], error) {
	return wire.Reply(wire.ErrorRatesOf(h.workflows.Rates()), nil)
}

func (h *Workflows) ruleLanguage(_ context.Context, _ *wire.None) (*wire.Answer[wire.RuleLanguage], error) {
	return wire.Reply(wire.AllRuleLanguage(), nil)
}
