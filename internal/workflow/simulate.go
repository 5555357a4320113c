package workflow

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of a simulation.
const (
	MaxSimulated  = 100_000 // decisions that are looked at, the newest
	MaxPage       = 100     // changed ones of one answer
	trialsAtOnce  = 2       // more wait: each is a few seconds of one processor's work
	simulateBatch = 2000
)

// Trial is what is tried out on past decisions.
type Trial struct {
	Workflow idv.WorkflowID
	Version  idv.WorkflowVersionID // this one; the draft if neither it nor a specification is named
	Spec     *idv.WorkflowVersion  // instead of a version that is kept
	From, To time.Time             // decisions at or after From, before To; zero does not narrow
	Everyone bool                  // decisions under any workflow of the mode, not only under this one
	Session  idv.SessionID         // only the newest decision of this session, under whatever workflow of the mode
	Limit    int                   // changed decisions to list, up to MaxPage; 25 if zero
	After    idv.DecisionID        // only list those that are older than this one, without totals
}

// Simulation is how past decisions would have gone.
type Simulation struct {
	Totals *Totals // nil where only a further page was asked for
	Items  []Changed
	Next   idv.DecisionID // to go on with; empty at the end
}

// Totals counts them.
type Totals struct {
	Decisions    int  // that were looked at
	Truncated    bool // there are older ones, which were not
	Changed      int
	Same         int
	NotSimulated int
	First, Last  time.Time // of those that were looked at
	Matrix       []Move
	Rules        []RuleCount
	Reasons      []ReasonCount
	WhyNot       []WhyNot
	People       []PersonCount
}

// Move counts decisions by what they were and what they would be.
type Move struct {
	From, To idv.DecisionOutcome
	Count    int
}

// RuleCount counts what a rule, or a row of the default policy, would decide.
type RuleCount struct {
	Rule    string
	Own     bool // of the workflow, not of the default policy
	Decided int
	Changed int
	Failed  int // it could not be evaluated, which refers
	Reasons []CodeCount
}

// CodeCount counts a code.
type CodeCount struct {
	Code  string
	Count int
}

// ReasonCount counts decisions that name a reason.
type ReasonCount struct {
	Code          string
	Before, After int
}

// WhyNot counts what cannot be simulated, and why.
type WhyNot struct {
	Why   policy.Unknown
	Count int
}

// PersonCount counts what people decided of sessions, by how the decision before them would change.
type PersonCount struct {
	From, To, Person idv.DecisionOutcome
	Count            int
}

// Changed is a decision that would be another.
type Changed struct {
	PastDecision
	To      idv.DecisionOutcome
	ToRule  string
	ToCodes []string
}

// Simulate makes past decisions of the policy again, under a draft, and says which would be others. What cannot be told from
// what was kept is counted, never guessed. Problems: not_found, request.malformed, workflow.invalid,
// workflow.invalid_rule, workflow.conflict where there is no draft.
func (s *Service) Simulate(ctx context.Context, t Trial) (Simulation, error) {
	select {
	case s.trials <- struct{}{}:
		defer func() { <-s.trials }()
	case <-ctx.Done():
		return Simulation{}, fmt.Errorf("wait for a simulation to end: %w", ctx.Err())
	}
	w, err := s.store.WorkflowOf(ctx, t.Workflow)
	if err != nil {
		return Simulation{}, err
	}
	now, err := s.tried(w, t)
	if err != nil {
		return Simulation{}, err
	}
	all, err := s.store.WorkflowsOf(ctx, w.Mode)
	if err != nil {
		return Simulation{}, err
	}
	run := &run{judge: &s.judge, now: now, was: map[idv.WorkflowVersionID]idv.WorkflowVersion{}, limit: t.Limit, page: t.After != ""}
	if rates := s.FaceRates(); rates != nil {
		run.scale = rates
	}
	if run.limit == 0 {
		run.limit = 25
	}
	if run.limit < 1 || run.limit > MaxPage {
		return Simulation{}, malformed("/limit", fmt.Sprintf("1 to %d", MaxPage))
	}
	f := PastFilter{Mode: w.Mode, From: t.From, To: t.To, After: t.After, Session: t.Session, Limit: simulateBatch}
	if t.Session != "" {
		f.Limit = 1
	}
	for _, o := range all {
		for _, v := range o.Versions {
			run.was[v.ID] = v.WorkflowVersion
			if !t.Everyone && t.Session == "" && o.ID == w.ID {
				f.Workflows = append(f.Workflows, v.ID)
			}
		}
	}
	if err := run.over(ctx, s.store, f); err != nil {
		return Simulation{}, err
	}
	return run.result(), nil
}

// tried is the version that is tried out. What no session could follow tells nothing.
func (s *Service) tried(w Workflow, t Trial) (idv.WorkflowVersion, error) {
	var v Version
	var err error
	switch {
	case t.Version != "":
		v, err = w.Version(t.Version)
	case t.Spec != nil:
		v = Version{WorkflowVersion: normalized(*t.Spec)}
	default:
		var ok bool
		if v, ok = w.In(idv.Draft); !ok {
			err = conflict("There is no draft.")
		}
	}
	if err != nil {
		return idv.WorkflowVersion{}, err
	}
	v.Mode, v.Name, v.Workflow = w.Mode, w.Name, w.ID
	if issues := s.Issues(v.WorkflowVersion); len(issues) > 0 {
		return idv.WorkflowVersion{}, issues[0].problem()
	}
	return v.WorkflowVersion, nil
}

// run is a simulation under way.
type run struct {
	judge *policy.Judge
	now   idv.WorkflowVersion
	was   map[idv.WorkflowVersionID]idv.WorkflowVersion
	scale policy.Scale
	limit int
	page  bool // only a further page is wanted

	t       Totals
	moves   map[Move]int
	rules   map[string]*RuleCount
	codes   map[string]map[string]int // of rules
	reasons map[string]*ReasonCount
	why     map[policy.Unknown]int
	people  map[PersonCount]int
	items   []Changed
}

// over goes through the decisions, batch by batch.
func (r *run) over(ctx context.Context, h History, f PastFilter) error {
	r.moves, r.rules, r.codes = map[Move]int{}, map[string]*RuleCount{}, map[string]map[string]int{}
	r.reasons, r.why, r.people = map[string]*ReasonCount{}, map[policy.Unknown]int{}, map[PersonCount]int{}
	for {
		if r.t.Decisions+f.Limit > MaxSimulated {
			f.Limit = MaxSimulated - r.t.Decisions + 1
		}
		batch, err := h.PastDecisions(ctx, f)
		if err != nil {
			return err
		}
		for _, p := range batch {
			if r.t.Decisions == MaxSimulated {
				r.t.Truncated = true
				return nil
			}
			r.add(p)
			if r.page && len(r.items) > r.limit {
				return nil
			}
		}
		if len(batch) < f.Limit || f.Session != "" {
			return nil
		}
		f.After = batch[len(batch)-1].Decision
	}
}

// add makes one decision again.
func (r *run) add(p PastDecision) {
	r.t.Decisions++
	r.t.First = p.At
	if r.t.Last.IsZero() {
		r.t.Last = p.At
	}
	was, known := r.was[p.Workflow]
	if p.Facts == nil || !known {
		r.why[policy.UnknownFacts]++
		return
	}
	v, why := r.judge.Reevaluate(*p.Facts, was, r.now, r.scale)
	if why != "" {
		r.why[why]++
		return
	}
	changed := v.Outcome != p.Outcome
	r.moves[Move{From: p.Outcome, To: v.Outcome}]++
	r.count(p, v, changed)
	if changed && len(r.items) <= r.limit {
		r.items = append(r.items, Changed{PastDecision: p, To: v.Outcome, ToRule: v.Rule, ToCodes: codesOf(v.Reasons)})
	}
}

func (r *run) count(p PastDecision, v idv.Verdict, changed bool) {
	rule := r.rules[v.Rule]
	if rule == nil {
		rule = &RuleCount{Rule: v.Rule, Own: slices.ContainsFunc(r.now.Rules, func(o idv.Rule) bool { return o.Name == v.Rule })}
		r.rules[v.Rule], r.codes[v.Rule] = rule, map[string]int{}
	}
	rule.Decided++
	if changed {
		r.t.Changed++
		rule.Changed++
	} else {
		r.t.Same++
	}
	if p.Person != "" {
		r.people[PersonCount{From: p.Outcome, To: v.Outcome, Person: p.Person}]++
	}
	for _, code := range p.Reasons {
		r.reason(code).Before++
	}
	for _, code := range codesOf(v.Reasons) {
		r.reason(code).After++
		r.codes[v.Rule][code]++
		if code == problem.WorkflowRuleFailed.Code {
			rule.Failed++
		}
	}
}

func (r *run) reason(code string) *ReasonCount {
	if r.reasons[code] == nil {
		r.reasons[code] = &ReasonCount{Code: code}
	}
	return r.reasons[code]
}

func codesOf(reasons []idv.Reason) []string {
	out := []string{}
	for _, r := range reasons {
		if !slices.Contains(out, r.Code) {
			out = append(out, r.Code)
		}
	}
	return out
}

// result puts what was counted in order: the most first.
func (r *run) result() Simulation {
	out := Simulation{Items: r.items}
	if len(r.items) > r.limit {
		out.Items = r.items[:r.limit]
		out.Next = out.Items[r.limit-1].Decision
	}
	if r.page {
		return out
	}
	for m, n := range r.moves {
		m.Count = n
		r.t.Matrix = append(r.t.Matrix, m)
	}
	for name, rule := range r.rules {
		for _, code := range slices.Sorted(maps.Keys(r.codes[name])) {
			rule.Reasons = append(rule.Reasons, CodeCount{code, r.codes[name][code]})
		}
		r.t.Rules = append(r.t.Rules, *rule)
	}
	for _, n := range r.reasons {
		r.t.Reasons = append(r.t.Reasons, *n)
	}
	for why, n := range r.why {
		r.t.WhyNot = append(r.t.WhyNot, WhyNot{why, n})
		r.t.NotSimulated += n
	}
	for p, n := range r.people {
		p.Count = n
		r.t.People = append(r.t.People, p)
	}
	r.t.sort()
	out.Totals = &r.t
	return out
}

func (t *Totals) sort() {
	slices.SortFunc(t.Matrix, func(a, b Move) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	slices.SortFunc(t.Rules, func(a, b RuleCount) int { return cmp.Or(b.Decided-a.Decided, cmp.Compare(a.Rule, b.Rule)) })
	slices.SortFunc(t.Reasons, func(a, b ReasonCount) int {
		return cmp.Or(b.After-a.After, b.Before-a.Before, cmp.Compare(a.Code, b.Code))
	})
	slices.SortFunc(t.WhyNot, func(a, b WhyNot) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Why, b.Why)) })
	slices.SortFunc(t.People, func(a, b PersonCount) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Person, b.Person))
	})
}

// Figures returns what became of the sessions of each version of a workflow, newest version first, of those that were created
// in a span of time. Problems: not_found.
func (s *Service) Figures(ctx context.Context, id idv.WorkflowID, from, to time.Time) ([]Version, map[idv.WorkflowVersionID]Figures, error) {
	w, err := s.store.WorkflowOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	var ids []idv.WorkflowVersionID
	for _, v := range w.Versions {
		ids = append(ids, v.ID)
	}
	found, err := s.store.Figures(ctx, ids, from, to)
	by := map[idv.WorkflowVersionID]Figures{}
	for _, f := range found {
		by[f.Version] = f
	}
	return w.Versions, by, err
}
