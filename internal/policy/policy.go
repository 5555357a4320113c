// Package policy turns a report into a verdict. It is pure: the same report, workflow and tries always give
// the same verdict, which is what makes decisions explainable and simulation possible.
//
// The default policy is a table of rows (rules). The first row that applies decides. Approval is the last row
// and needs every required check to have settled with a pass; whatever the rows above do not foresee, a code
// that is not in the catalogue or a check that was never asked, refers the session to a person.
package policy

import (
	"slices"

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

// rule is one row of the policy: it answers a verdict, or false when it does not apply.
type rule struct {
	name  string
	apply func(situation) (idv.Verdict, bool)
}

// rules is the default policy (PRODUCT §4), first that applies.
var rules = []rule{
	{"a better picture can mend it", reopen},
	{"a fact rules it out", declineFinal},
	{"a measured sign of deceit", declineFraud},
	{"the face does not match, also on the extra try", declineMismatch},
	{"a person has to look", refer},
	{"every required check passed", approve},
}

// situation is the part of a report that may decide.
type situation struct {
	required []idv.Check // one for each required kind; a kind that the report lacks is pending
	tries    Tries
}

// Decide answers a report. Checks that the workflow does not require never decide.
func Decide(r idv.Report, w idv.WorkflowVersion, t Tries) idv.Verdict {
	s := situation{tries: t}
	for _, kind := range w.Required {
		c, ok := r.Check(kind)
		if !ok {
			c = idv.Check{Kind: kind, Lifecycle: idv.CheckPending}
		}
		s.required = append(s.required, c)
	}
	for _, row := range rules {
		if v, ok := row.apply(s); ok {
			v.Rule = row.name
			if v.Reasons == nil {
				v.Reasons = []idv.Reason{}
			}
			if v.Redo == nil {
				v.Redo = []idv.Step{}
			}
			return v
		}
	}
	return idv.Verdict{Outcome: idv.DecideRefer, Rule: "no rule applied", Reasons: notRun(), Redo: []idv.Step{}}
}

// reasons lists the reasons of the given severity in all settled checks.
func (s situation) reasons(sev problem.Severity) []idv.Reason {
	var out []idv.Reason
	for _, c := range s.required {
		for _, r := range reasonsOf(c) {
			if severity(r.Code) == sev {
				out = append(out, r)
			}
		}
	}
	return out
}

func reasonsOf(c idv.Check) []idv.Reason {
	if c.Lifecycle != idv.CheckSettled || c.Finding == nil || c.Finding.Outcome == idv.Pass {
		return nil
	}
	return c.Finding.Reasons
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
		for _, r := range reasonsOf(c) {
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
		for _, r := range reasonsOf(c) {
			if severity(r.Code) != problem.Fraud {
				continue
			}
			v.Reasons = append(v.Reasons, r)
			if trusted(c.Finding.Rates) {
				v.Outcome = idv.DecideDecline
			}
		}
	}
	return v, len(v.Reasons) > 0
}

func trusted(r *idv.ErrorRates) bool {
	return r != nil && r.OnPeople && r.BPCER != nil && *r.BPCER <= FraudFalseAlarmLimit
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
		switch {
		case c.Lifecycle == idv.CheckSkipped, passed(c):
			continue
		case c.Lifecycle != idv.CheckSettled || c.Finding == nil:
			v.Reasons = append(v.Reasons, notRun()...)
		default:
			v.Reasons = append(v.Reasons, c.Finding.Reasons...)
		}
		open = true
	}
	v.Reasons = unique(v.Reasons)
	return v, open
}

func approve(s situation) (idv.Verdict, bool) {
	for _, c := range s.required {
		if c.Lifecycle != idv.CheckSkipped && !passed(c) {
			return idv.Verdict{}, false
		}
	}
	return idv.Verdict{Outcome: idv.DecideApprove}, len(s.required) > 0
}

func passed(c idv.Check) bool {
	return c.Lifecycle == idv.CheckSettled && c.Finding != nil && c.Finding.Outcome == idv.Pass
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
