package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

func (s *Server) simulateWorkflow(ctx context.Context, in *onWorkflow[wire.WorkflowTrial]) (*wire.Answer[wire.Simulation], error) {
	w, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow)
	if err != nil {
		return nil, err
	}
	t := workflow.Trial{Workflow: w.ID, Version: in.Body.Version, Everyone: in.Body.Only == "mode", Limit: in.Body.Limit, After: in.Body.After}
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
	found, err := s.workflows.Simulate(ctx, t)
	return wire.Reply(wire.SimulationOf(found, edge.May(ctx, account.SessionsRead, w.Mode)), err)
}

func (s *Server) workflowFigures(ctx context.Context, in *figuresInput) (*wire.Answer[wire.WorkflowFigures], error) {
	if _, err := s.workflow(ctx, account.InsightRead, in.Workflow); err != nil {
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
	versions, figures, err := s.workflows.Figures(ctx, in.Workflow, from, to)
	out := wire.WorkflowFigures{Items: []wire.VersionFigures{}}
	for _, v := range versions {
		out.Items = append(out.Items, wire.VersionFiguresOf(v, figures[v.ID]))
	}
	return wire.Reply(out, err)
}

func (s *Server) errorRates(_ context.Context, _ *wire.None) (*wire.Answer[wire.ErrorRateTable], error) {
	return wire.Reply(wire.ErrorRatesOf(s.workflows.Rates()), nil)
}

func (s *Server) ruleLanguage(_ context.Context, _ *wire.None) (*wire.Answer[wire.RuleLanguage], error) {
	return wire.Reply(wire.AllRuleLanguage(), nil)
}
