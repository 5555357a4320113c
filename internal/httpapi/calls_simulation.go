package httpapi

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

func (s *Server) simulateWorkflow(ctx context.Context, in *onWorkflow[WorkflowTrial]) (*answer[Simulation], error) {
	w, err := s.workflow(ctx, account.WorkflowsWrite, in.Workflow)
	if err != nil {
		return nil, err
	}
	t := workflow.Trial{Workflow: w.ID, Version: in.Body.Version, Everyone: in.Body.Only == "mode", Limit: in.Body.Limit, After: in.Body.After}
	if in.Body.Spec != nil {
		spec := specFrom(*in.Body.Spec)
		t.Spec = &spec
	}
	if t.From, err = moment("/from", in.Body.From); err != nil {
		return nil, err
	}
	if t.To, err = moment("/to", in.Body.To); err != nil {
		return nil, err
	}
	found, err := s.workflows.Simulate(ctx, t)
	return reply(simulationOf(found, may(ctx, account.SessionsRead, w.Mode)), err)
}

// whyNot says in words why a decision could not be simulated.
var whyNot = map[policy.Unknown]string{
	policy.UnknownFacts:    "Made before what a decision rests on was kept.",
	policy.UnknownAge:      "Only the band of the age is kept, and the minimum age lies within it.",
	policy.UnknownDocument: "The issuer could not be told.",
	policy.UnknownSpecimen: "Specimens were accepted; which documents were specimens was not kept.",
	policy.UnknownScale:    "The model in use has no measured error rates at that threshold.",
	policy.UnknownModel:    "The faces were compared by another model than the one in use.",
}

// simulationOf answers single decisions only to whoever may see their sessions: with rules of one's own, each is a question
// about one person.
func simulationOf(x workflow.Simulation, sees bool) Simulation {
	out := Simulation{Items: []SimulatedChange{}}
	if !sees {
		x.Items, x.Next = nil, ""
	}
	out.Next = string(x.Next)
	for _, c := range x.Items {
		out.Items = append(out.Items, SimulatedChange{
			Session: c.Session, Decision: c.Decision, Erased: c.Erased, At: c.At.UTC(), Version: c.Workflow, From: c.Outcome, FromRule: c.Rule,
			To: c.To, ToRule: c.ToRule, Before: list0(c.Reasons), Reasons: list0(c.ToCodes), Person: c.Person,
		})
	}
	if t := x.Totals; t != nil {
		out.Totals = totalsOf(*t)
	}
	return out
}

func totalsOf(t workflow.Totals) *SimulationTotals {
	out := &SimulationTotals{
		Decisions: t.Decisions, Truncated: t.Truncated, Changed: t.Changed, Same: t.Same, NotSimulated: t.NotSimulated, From: at(t.First), To: at(t.Last),
		Matrix: []SimulatedMove{}, Rules: []SimulatedRule{}, Reasons: []SimulatedReason{}, WhyNot: []SimulatedWhyNot{}, People: []SimulatedByPeople{},
	}
	for _, m := range t.Matrix {
		out.Matrix = append(out.Matrix, SimulatedMove(m))
	}
	for _, r := range t.Rules {
		row := SimulatedRule{Rule: r.Rule, Own: r.Own, Decided: r.Decided, Changed: r.Changed, Failed: r.Failed, Reasons: []SimulatedReason{}}
		for _, c := range r.Reasons {
			row.Reasons = append(row.Reasons, SimulatedReason{Code: c.Code, After: c.Count})
		}
		out.Rules = append(out.Rules, row)
	}
	for _, r := range t.Reasons {
		out.Reasons = append(out.Reasons, SimulatedReason(r))
	}
	for _, n := range t.WhyNot {
		out.WhyNot = append(out.WhyNot, SimulatedWhyNot{Why: string(n.Why), Message: whyNot[n.Why], Count: n.Count})
	}
	for _, p := range t.People {
		out.People = append(out.People, SimulatedByPeople(p))
	}
	return out
}

func (s *Server) workflowFigures(ctx context.Context, in *figuresInput) (*answer[WorkflowFigures], error) {
	if _, err := s.workflow(ctx, account.InsightRead, in.Workflow); err != nil {
		return nil, err
	}
	from, err := moment("from", in.From)
	if err != nil {
		return nil, err
	}
	to, err := moment("to", in.To)
	if err != nil {
		return nil, err
	}
	versions, figures, err := s.workflows.Figures(ctx, in.Workflow, from, to)
	out := WorkflowFigures{Items: []VersionFigures{}}
	for _, v := range versions {
		out.Items = append(out.Items, figuresOf(v, figures[v.ID]))
	}
	return reply(out, err)
}

func figuresOf(v workflow.Version, f workflow.Figures) VersionFigures {
	out := VersionFigures{
		Version: headOf(v), Created: f.Created, Submitted: f.Submitted, Decided: f.Decided(), Approved: f.Approved, Declined: f.Declined, Referred: f.Referred, ByPolicy: f.ByPolicy,
	}
	if out.Decided > 0 {
		share, p50 := float64(f.ByPolicy)/float64(out.Decided), f.Median.Seconds()
		out.AutomaticShare, out.P50Seconds = &share, &p50
	}
	return out
}

func (s *Server) errorRates(_ context.Context, _ *none) (*answer[ErrorRateTable], error) {
	return reply(errorRatesOf(s.workflows.Rates()), nil)
}

func errorRatesOf(r workflow.Rates) ErrorRateTable {
	l := r.Liveness
	out := ErrorRateTable{Signs: []SignErrorRates{}, Liveness: LivenessErrorRates{
		DataSet: l.DataSet, Date: l.Date, Command: l.Command, OnPeople: l.OnPeople, Refused: RateCount(l.Refused), Attacks: attacksOf(l.Attacks), Worst: l.Worst,
	}}
	if f := r.Face; f != nil {
		out.Face = &FaceErrorRates{
			Model: f.Model, Measure: f.Measure, DataSet: f.DataSet, Date: f.Date, Command: f.Command, OnPeople: f.OnPeople, Genuine: f.Genuine, Impostors: f.Impostors, Points: []FaceErrorPoint{},
		}
		for _, p := range f.Points {
			out.Face.Points = append(out.Face.Points, FaceErrorPoint{FMR: p.FMR, Threshold: p.Threshold, FNMR: p.FNMR, FalseMatches: p.Matches, FalseRefusals: p.Refused})
		}
	}
	for _, sign := range r.Signs {
		row := SignErrorRates{
			Check: sign.Check, Sign: sign.Sign, DataSet: sign.DataSet, Date: sign.Date, Command: sign.Command, OnPeople: sign.OnPeople, Threshold: sign.Threshold, Ranges: []SignErrorsRange{},
		}
		for _, rg := range sign.Ranges {
			row.Ranges = append(row.Ranges, SignErrorsRange{From: rg.From, FalseAlarms: RateCount(rg.FalseAlarms), Attacks: attacksOf(rg.Attacks)})
		}
		out.Signs = append(out.Signs, row)
	}
	return out
}

func attacksOf(in []workflow.AttackRate) []AttackErrorRate {
	out := []AttackErrorRate{}
	for _, a := range in {
		out = append(out, AttackErrorRate{Attack: a.Attack, Succeed: RateCount(a.Succeed)})
	}
	return out
}

func (s *Server) ruleLanguage(_ context.Context, _ *none) (*answer[RuleLanguage], error) {
	return reply(ruleLanguage(), nil)
}

// ruleLanguage is everything that an editor of workflows can offer.
func ruleLanguage() RuleLanguage {
	out := RuleLanguage{
		Limits:    RuleLimits{Rules: policy.MaxRules, Condition: policy.MaxCondition, Name: policy.MaxRuleName, Reasons: policy.MaxRuleReasons},
		Documents: idv.DocumentKinds(), FaceFMR: workflow.FalseMatchRates(), Countries: countries(), Steps: []WorkflowStep{}, Checks: []WorkflowQuestion{},
		Variables: []RuleVariable{}, Functions: []RuleFunction{}, Examples: []RuleExample{}, Reasons: []RuleReason{},
	}
	for _, v := range policy.Variables() {
		out.Variables = append(out.Variables, RuleVariable{Name: v.Name, Type: v.Type, Doc: v.Doc, Values: list0(v.Values), Known: v.Known})
	}
	for _, f := range policy.Functions() {
		out.Functions = append(out.Functions, RuleFunction{Name: f.Name, Signature: f.Signature, Doc: f.Doc})
	}
	for _, e := range policy.Examples() {
		out.Examples = append(out.Examples, RuleExample(e))
	}
	for _, k := range problem.All() {
		if workflow.Nameable(k) {
			out.Reasons = append(out.Reasons, RuleReason{Code: k.Code, Text: k.Reviewer, Declines: k.Severity != problem.Retry})
		}
	}
	all, always := workflow.Steps()
	for _, step := range all {
		out.Steps = append(out.Steps, WorkflowStep{Step: step, Always: slices.Contains(always, step)})
	}
	for _, k := range idv.CheckKinds() {
		out.Checks = append(out.Checks, WorkflowQuestion{
			Check: k, Always: slices.Contains(workflow.Always(), k), Selfie: slices.Contains(idv.FaceChecks(), k), Never: k == idv.CheckPassiveLiveness,
		})
	}
	return out
}

// countries lists who may issue documents, by name.
func countries() []WorkflowCountry {
	out := []WorkflowCountry{}
	for _, st := range icao.States() {
		if icao.MayIssue(st.Code) {
			out = append(out, WorkflowCountry{Code: st.Code, ISO: st.ISO, Name: st.Name})
		}
	}
	slices.SortFunc(out, func(a, b WorkflowCountry) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
