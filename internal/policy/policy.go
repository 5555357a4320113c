// Package policy turns a report into a verdict. It is pure: the same report, workflow and tries always give
// the same verdict, which is what makes decisions explainable and simulation possible.
//
// The default policy is a table of rows. The first row that applies decides; a workflow's rules stand after the row that asks
// for a better picture and before the others. Approval is the last row
// and needs every required check to have settled with a pass; whatever the rows above do not foresee, a code
// that is not in the catalogue or a check that was never asked, refers the session to a person.
package policy

import (
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Tries says what the applicant may still repeat.
type Tries struct {
	Left          map[idv.Step]int // tries left per step; a missing step has none
	FaceExtraLeft bool             // face.mismatch has one try of its own
}

// FraudFalseAlarmLimit is the highest false-alarm rate, measured on real people, at which a fraud reason may
// decline by itself.
const FraudFalseAlarmLimit = 0.01

// row is one row of the policy: it answers a verdict, or false when it does not apply.
type row struct {
	name  string
	apply func(situation) (idv.Verdict, bool)
}

// rows is the default policy. The first row that applies decides.
var rows = []row{
	{"a better picture can mend it", reopen},
	{"a fact rules it out", declineFinal},
	{"a measured sign of deceit", declineFraud},
	{"the face does not match, also on the extra try", declineMismatch},
	{"a person has to look", refer},
	{"every required check passed", approve},
}

// situation is the part of the facts that may decide.
type situation struct {
	required []CheckFact // one for each required kind; a kind that the facts lack was not run
	tries    Tries
}

// Decide answers a report under a workflow, its rules included. Checks that the workflow does not require never decide by
// themselves.
func Decide(r idv.Report, w idv.WorkflowVersion, t Tries) idv.Verdict {
	return (&Judge{}).Decide(FactsOf(r, w.Mode, Tried{}), w, t)
}

// Judge decides, and keeps the rules that it compiled. The zero value works; it is safe for concurrent use.
type Judge struct {
	mu       sync.Mutex
	compiled map[string]*Rules
}

// Decide answers facts under a workflow: what a better picture can mend is asked for again; else the first of the workflow's
// rules that applies decides; else the default policy does. A rule that cannot be evaluated refers.
func (j *Judge) Decide(f Facts, w idv.WorkflowVersion, t Tries) idv.Verdict {
	s := situation{tries: t}
	for _, kind := range w.Required {
		c, _ := f.check(kind)
		s.required = append(s.required, c)
	}
	v := s.first(rows)
	if v.Outcome != idv.DecideReopen && len(w.Rules) > 0 {
		if by, ok := j.rules(w.Rules).decide(f, s, v); ok {
			v = by
		}
	}
	if v.Reasons == nil {
		v.Reasons = []idv.Reason{}
	}
	if v.Redo == nil {
		v.Redo = []idv.Step{}
	}
	return v
}

// first is the verdict of the first row that applies.
func (s situation) first(of []row) idv.Verdict {
	for _, r := range of {
		if v, ok := r.apply(s); ok {
			v.Rule = r.name
			return v
		}
	}
	return idv.Verdict{Outcome: idv.DecideRefer, Rule: noRow, Reasons: notRun()}
}

// noRow is the rule of a verdict that no row foresaw.
const noRow = "no rule applied"

// Rows lists the names of the default policy's rows, in order.
func Rows() []string {
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.name)
	}
	return append(out, noRow)
}

// reasons lists the reasons of the given severity in all settled checks.
func (s situation) reasons(sev problem.Severity) []idv.Reason {
	var out []idv.Reason
	for _, c := range s.required {
		for _, r := range c.Reasons {
			if severity(r.Code) == sev {
				out = append(out, r)
			}
		}
	}
	return out
}

// severity of a code; one that the catalogue does not know, or that is no reason, has to be looked at.
func severity(code string) problem.Severity {
	k, ok := problem.Lookup(code)
	if !ok || k.Severity == problem.None {
		return problem.Refer
	}
	return k.Severity
}

// canRetry reports whether the applicant may repeat the step that would mend reason r.
func (s situation) canRetry(r idv.Reason) bool {
	if r.Step == "" || s.deceived(r.Step) {
		return false
	}
	if r.Code == problem.FaceMismatch.Code {
		return s.tries.FaceExtraLeft
	}
	return s.tries.Left[r.Step] > 0
}

// deceived reports whether the recording of a step shows deceit: a better picture mends nothing then, and a person looks
// at once. Documents have no recordings: a picture too blurred to read may look forged, and a better one tells.
func (s situation) deceived(step idv.Step) bool {
	for _, c := range s.required {
		if c.Kind != idv.CheckLiveness && c.Kind != idv.CheckReplay {
			continue
		}
		for _, r := range c.Reasons {
			if r.Step == step && severity(r.Code) == problem.Fraud {
				return true
			}
		}
	}
	return false
}

func reopen(s situation) (idv.Verdict, bool) {
	v := idv.Verdict{Outcome: idv.DecideReopen}
	for _, r := range s.reasons(problem.Retry) {
		if !s.canRetry(r) {
			continue
		}
		v.Reasons = append(v.Reasons, r)
		if !slices.Contains(v.Redo, r.Step) {
			v.Redo = append(v.Redo, r.Step)
		}
	}
	return v, len(v.Redo) > 0
}

func declineFinal(s situation) (idv.Verdict, bool) {
	found := s.reasons(problem.Final)
	return idv.Verdict{Outcome: idv.DecideDecline, Reasons: found}, len(found) > 0
}

// declineFraud declines for signs of deceit whose check raises few false alarms on real people, and refers
// for those that were measured on generated data only, or not at all.
func declineFraud(s situation) (idv.Verdict, bool) {
	v := idv.Verdict{Outcome: idv.DecideRefer}
	for _, c := range s.required {
		for _, r := range c.Reasons {
			if severity(r.Code) != problem.Fraud {
				continue
			}
			v.Reasons = append(v.Reasons, r)
			if c.Trusted {
				v.Outcome = idv.DecideDecline
			}
		}
	}
	return v, len(v.Reasons) > 0
}

func declineMismatch(s situation) (idv.Verdict, bool) {
	for _, r := range s.reasons(problem.Retry) {
		if r.Code == problem.FaceMismatch.Code {
			return idv.Verdict{Outcome: idv.DecideDecline, Reasons: []idv.Reason{r}}, true
		}
	}
	return idv.Verdict{}, false
}

// refer collects everything that keeps a session from approval without deciding against it.
func refer(s situation) (idv.Verdict, bool) {
	v := idv.Verdict{Outcome: idv.DecideRefer}
	open := false
	for _, c := range s.required {
		switch c.Answer {
		case Skipped, Passed:
			continue
		case NotRun:
			if len(c.Reasons) == 0 {
				v.Reasons = append(v.Reasons, notRun()...)
			}
			v.Reasons = append(v.Reasons, c.Reasons...)
		default:
			v.Reasons = append(v.Reasons, c.Reasons...)
		}
		open = true
	}
	v.Reasons = unique(v.Reasons)
	return v, open
}

func approve(s situation) (idv.Verdict, bool) {
	for _, c := range s.required {
		if c.Answer != Skipped && c.Answer != Passed {
			return idv.Verdict{}, false
		}
	}
	return idv.Verdict{Outcome: idv.DecideApprove}, len(s.required) > 0
}

func notRun() []idv.Reason { return []idv.Reason{{Code: problem.CheckNotRun.Code}} }

// unique keeps the first of equal reasons: one line says as much as five.
func unique(in []idv.Reason) []idv.Reason {
	var out []idv.Reason
	for _, r := range in {
		same := func(o idv.Reason) bool { return o.Code == r.Code && o.Step == r.Step && o.Claim == r.Claim }
		if !slices.ContainsFunc(out, same) {
			out = append(out, r)
		}
	}
	return out
}
