package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// whyNot says in words why a decision could not be simulated.
var whyNot = map[policy.Unknown]string{
	policy.UnknownFacts:    "Decided before the basis of decisions was recorded.",
	policy.UnknownAge:      "Only an age range was kept, and the minimum age falls within it.",
	policy.UnknownDocument: "The issuer was not recognised.",
	policy.UnknownSpecimen: "Specimens were accepted, but it was not recorded which documents were specimens.",
	policy.UnknownLight:    "The screen showed no colours, so the face had nothing to reflect.",
	policy.UnknownScale:    "The model in use has no measured error rates at that threshold.",
	policy.UnknownModel:    "The faces were compared by another model than the one in use.",
	policy.UnknownCheck:    "A check that is now required did not exist yet.",
}

// WorkflowTrial says what is tried out on which past decisions.
type WorkflowTrial struct {
	Spec    *WorkflowSpec         `json:"spec,omitempty" doc:"What to try out, instead of a version that is kept"`
	Version idv.WorkflowVersionID `json:"version,omitempty" maxLength:"40" doc:"Version of the workflow to try out; the draft if neither is named"`
	From    string                `json:"from,omitempty" maxLength:"30" doc:"Decided at or after: YYYY-MM-DD or RFC 3339"`
	To      string                `json:"to,omitempty" maxLength:"30" doc:"Decided before: YYYY-MM-DD or RFC 3339"`
	Only    string                `json:"only,omitempty" enum:"workflow,mode"`
	Limit   int                   `json:"limit,omitempty" minimum:"1" maximum:"100" doc:"Changed decisions to list; 25 if left out"`
	Session idv.SessionID         `json:"session,omitempty" maxLength:"40" doc:"Only the newest decision of this session. Needs sessions.read"`
	After   idv.DecisionID        `json:"after,omitempty" maxLength:"40" doc:"The next of the page before; such a page has no totals"`
}

// Simulation is how past decisions of the policy would have gone.
type Simulation struct {
	Totals *SimulationTotals `json:"totals" doc:"null on further pages"`
	Items  []SimulatedChange `json:"items" doc:"Decisions that would be others, newest first"`
	Next   string            `json:"next" doc:"Send as after to get the next page; empty at the end"`
}

// SimulationTotals counts them.
type SimulationTotals struct {
	Decisions    int                 `json:"decisions" doc:"That were looked at"`
	Truncated    bool                `json:"truncated" doc:"There are older ones, which were not: the newest 100 000 are looked at"`
	Changed      int                 `json:"changed"`
	Same         int                 `json:"same"`
	NotSimulated int                 `json:"not_simulated" doc:"What was kept does not tell how these would go"`
	From         *time.Time          `json:"from" doc:"Of the oldest decision that was looked at; null where there is none"`
	To           *time.Time          `json:"to" doc:"Of the newest"`
	Matrix       []SimulatedMove     `json:"matrix" doc:"The most first"`
	Rules        []SimulatedRule     `json:"rules" doc:"What would decide, the most first"`
	Reasons      []SimulatedReason   `json:"reasons"`
	WhyNot       []SimulatedWhyNot   `json:"why_not" doc:"Why decisions could not be simulated"`
	People       []SimulatedByPeople `json:"people" doc:"What people decided of these sessions afterwards"`
}

// SimulatedMove counts decisions by what they were and what they would be.
type SimulatedMove struct {
	From  idv.DecisionOutcome `json:"from" doc:"approved, declined or referred"`
	To    idv.DecisionOutcome `json:"to" doc:"The same, or reopened: the person would be asked for a step again"`
	Count int                 `json:"count"`
}

// SimulatedRule counts what a rule, or a row of the default policy, would decide.
type SimulatedRule struct {
	Rule    string            `json:"rule"`
	Own     bool              `json:"own" doc:"A rule of the workflow, not a row of the default policy"`
	Decided int               `json:"decided"`
	Changed int               `json:"changed" doc:"Of these, how many were decided otherwise"`
	Failed  int               `json:"failed" doc:"Of these, how many it only refers because it could not be evaluated"`
	Reasons []SimulatedReason `json:"reasons" doc:"Named by it: before is 0"`
}

// SimulatedReason counts decisions that name a reason.
type SimulatedReason struct {
	Code   string `json:"code"`
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// SimulatedWhyNot counts what cannot be simulated, and why.
type SimulatedWhyNot struct {
	Why     string `json:"why" enum:"made_before,age_band,document,specimen,light,scale,model"`
	Message string `json:"message"`
	Count   int    `json:"count"`
}

// SimulatedByPeople counts what people decided of sessions, beside what the policy did and would do.
type SimulatedByPeople struct {
	From   idv.DecisionOutcome `json:"from" doc:"By the policy, then"`
	To     idv.DecisionOutcome `json:"to" doc:"By the policy, as it is tried out"`
	Person idv.DecisionOutcome `json:"person" doc:"By a person, afterwards"`
	Count  int                 `json:"count"`
}

// SimulatedChange is a decision that would be another.
type SimulatedChange struct {
	Decision idv.DecisionID        `json:"decision"`
	Session  idv.SessionID         `json:"session" doc:"Empty where the caller may not see it"`
	Erased   bool                  `json:"erased" doc:"Of the session nothing personal is left"`
	At       time.Time             `json:"at"`
	Version  idv.WorkflowVersionID `json:"version" doc:"Under which it was taken"`
	From     idv.DecisionOutcome   `json:"from"`
	FromRule string                `json:"from_rule"`
	To       idv.DecisionOutcome   `json:"to"`
	ToRule   string                `json:"to_rule"`
	Before   []string              `json:"before" doc:"Reasons then"`
	Reasons  []string              `json:"reasons" doc:"Reasons that it would have"`
	Person   idv.DecisionOutcome   `json:"person" doc:"What a person decided afterwards; empty where none did"`
}

// WorkflowFigures is what became of the sessions of each version.
type WorkflowFigures struct {
	Items []VersionFigures `json:"items" doc:"Newest version first"`
}

// VersionFigures is what became of the sessions of a version.
type VersionFigures struct {
	Version        WorkflowVersionHead `json:"version"`
	Created        int                 `json:"created"`
	Submitted      int                 `json:"submitted"`
	Decided        int                 `json:"decided" doc:"Approved or declined"`
	Approved       int                 `json:"approved"`
	Declined       int                 `json:"declined"`
	Referred       int                 `json:"referred" doc:"Waiting for a person"`
	ByPolicy       int                 `json:"by_policy" doc:"Decided by nobody but the policy"`
	AutomaticShare *float64            `json:"automatic_share" doc:"by_policy in decided, 0 to 1; null where nothing is decided"`
	P50Seconds     *float64            `json:"p50_seconds"`
}

// SimulationOf returns the wire form of a simulation. Single decisions are only for those who may see their sessions: with rules of
// one's own, each is a question about one person.
func SimulationOf(x workflow.Simulation, sees bool) Simulation {
	out := Simulation{Items: []SimulatedChange{}}
	if !sees {
		x.Items, x.Next = nil, ""
	}
	out.Next = string(x.Next)
	for _, c := range x.Items {
		out.Items = append(out.Items, SimulatedChange{
			Session: c.Session, Decision: c.Decision, Erased: c.Erased, At: c.At.UTC(), Version: c.Workflow, From: c.Outcome, FromRule: c.Rule,
			To: c.To, ToRule: c.ToRule, Before: NonNil(c.Reasons), Reasons: NonNil(c.ToCodes), Person: c.Person,
		})
	}
	if t := x.Totals; t != nil {
		out.Totals = totalsOf(*t)
	}
	return out
}

func totalsOf(t workflow.Totals) *SimulationTotals {
	out := &SimulationTotals{
		Decisions: t.Decisions, Truncated: t.Truncated, Changed: t.Changed, Same: t.Same, NotSimulated: t.NotSimulated,
		From: OptionalTime(t.First), To: OptionalTime(t.Last),
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

// VersionFiguresOf returns the figures of a workflow version.
func VersionFiguresOf(v workflow.Version, f workflow.Figures) VersionFigures {
	out := VersionFigures{
		Version: headOf(v), Created: f.Created, Submitted: f.Submitted, Decided: f.Decided(), Approved: f.Approved, Declined: f.Declined,
		Referred: f.Referred, ByPolicy: f.ByPolicy,
	}
	if out.Decided > 0 {
		share, p50 := float64(f.ByPolicy)/float64(out.Decided), f.Median.Seconds()
		out.AutomaticShare, out.P50Seconds = &share, &p50
	}
	return out
}
