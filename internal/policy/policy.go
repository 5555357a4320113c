// Package policy turns a report into a verdict. It is pure: the same report, workflow and tries always give
// the same verdict, which is what makes decisions explainable and simulation possible.
//
// The default policy is a table of rows. The first row that applies decides. A fact declines only if something confirms its
// reading; then no better picture is asked for, since none would change it. A workflow's rules have their say on all but the
// row that asks for a better picture, but a rule that refers leaves a decline as it is unless its condition is about what
// would be decided. Approval is the last row and needs every required check to have settled with a pass; whatever the rows above
// do not foresee, a code that is not in the catalogue or a check that was never asked, refers the session to a person.
package policy

import (
	"cmp"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// AttemptsLeft says what the applicant may still repeat.
type AttemptsLeft struct {
	Steps     map[idv.Step]int // tries left per step; a missing step has none
	FaceExtra bool             // face.mismatch has one try of its own
}

// FraudFalseAlarmLimit is the highest false-alarm rate, measured on real people, at which a fraud reason may
// decline by itself.
const FraudFalseAlarmLimit = 0.01

// row is one row of the policy. apply returns a verdict, or false if the row does not apply.
type row struct {
	name  string
	apply func(situation) (idv.Verdict, bool)
}

// rows is the default policy. The first row that applies decides.
var rows = []row{
	{"a confirmed fact rules it out", declineFinal},
	{"a better picture can fix it", reopen},
	{"a measured sign of deceit", declineFraud},
	{"the face does not match, also on the extra try", declineMismatch},
	{"it needs review", refer},
	{"the evidence falls short of the assurance level that the workflow asks for", short},
	{"every required check passed", approve},
}

// situation is what the rows decide on.
type situation struct {
	required []CheckFact // one for each required kind; NotRun for a kind that the facts lack
	left     AttemptsLeft
	asked    idv.AssuranceLevel
	reached  idv.AssuranceLevel
}

// Decide returns the verdict on a report under a workflow and its rules. Checks that the workflow does not require have no
// influence.
func Decide(r idv.Report, w idv.WorkflowVersion, t AttemptsLeft) idv.Verdict {
	return (&Judge{}).Decide(FactsOf(r, w.Mode, Attempts{}), w, t)
}

// Judge decides, and caches compiled rules. The zero value works; it is safe for concurrent use.
type Judge struct {
	mu       sync.Mutex
	compiled map[string]*Rules
}

// Decide returns the verdict on facts under a workflow. What a better picture can mend is reopened; otherwise the first of
// the workflow's rules that applies decides, and otherwise the default policy. A rule that cannot be evaluated refers.
func (j *Judge) Decide(f Facts, w idv.WorkflowVersion, t AttemptsLeft) idv.Verdict {
	s := situation{left: t, asked: cmp.Or(w.Assurance, idv.AssuranceLow), reached: AssuranceOf(f).Level}
	for _, kind := range w.Required {
		c, _ := f.find(kind)
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

// first returns the verdict of the first row that applies.
func (s situation) first(of []row) idv.Verdict {
	for _, r := range of {
		if v, ok := r.apply(s); ok {
			v.Rule = r.name
			return v
		}
	}
	return idv.Verdict{Outcome: idv.DecideRefer, Rule: noRow, Reasons: notRun()}
}

// noRow is the rule of a verdict to which no row applied.
const noRow = "no rule applied"

// RowNames returns the names of the default policy's rows, in order.
func RowNames() []string {
	out := make([]string, 0, len(rows))
	for _, r := range rows {
		out = append(out, r.name)
	}
	return append(out, noRow)
}

// reasons returns the reasons of the given severity in all settled checks.
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

// severity returns the severity of a code; Refer for one that is unknown or is no reason.
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
		return s.left.FaceExtra
	}
	return s.left.Steps[r.Step] > 0
}

// deceived reports whether the recording of a step shows signs of deceit. The step is then not repeated. It is always false
// for documents, which have no recordings: a blurred picture may look forged, and a better one tells.
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

// declineFinal declines for facts whose reading something confirms. One that stands alone may be a misreading, and is left to a
// person.
func declineFinal(s situation) (idv.Verdict, bool) {
	found := slices.DeleteFunc(s.reasons(problem.Final), func(r idv.Reason) bool { return !r.Confirmed.Declines() })
	return idv.Verdict{Outcome: idv.DecideDecline, Reasons: found}, len(found) > 0
}

// declineFraud declines for signs of deceit whose check raises few false alarms on real people, and for a document that two members
// put on the block list. It refers for those that were measured on generated data only, or not at all.
func declineFraud(s situation) (idv.Verdict, bool) {
	v := idv.Verdict{Outcome: idv.DecideRefer}
	for _, c := range s.required {
		for _, r := range c.Reasons {
			if severity(r.Code) != problem.Fraud {
				continue
			}
			v.Reasons = append(v.Reasons, r)
			if mayDecline(c, r) {
				v.Outcome = idv.DecideDecline
			}
		}
	}
	return v, len(v.Reasons) > 0
}

// declineMismatch declines where the portrait can be relied on: it is one that a state or issuer signed, or the page does not seem to be a
// copy. The dots of a print and the pixels of a screen make a portrait unlike its own holder, so that there a person compares.
func declineMismatch(s situation) (idv.Verdict, bool) {
	for _, c := range s.required {
		for _, r := range c.Reasons {
			if r.Code == problem.FaceMismatch.Code && (c.Signed || !s.copied()) {
				return idv.Verdict{Outcome: idv.DecideDecline, Reasons: []idv.Reason{r}}, true
			}
		}
	}
	return idv.Verdict{}, false
}

// copied reports whether the page seems to be a copy.
func (s situation) copied() bool {
	return slices.ContainsFunc(s.reasons(problem.Suspect), func(r idv.Reason) bool {
		return r.Code == problem.DocumentScreenCopy.Code || r.Code == problem.DocumentPaperCopy.Code
	})
}

// refer collects everything that keeps a session from approval without deciding against it.
func refer(s situation) (idv.Verdict, bool) {
	v := idv.Verdict{Outcome: idv.DecideRefer}
	open := false
	for _, c := range s.required {
		if c.Answer == Skipped || c.Answer == Passed {
			continue
		}
		if len(c.Reasons) == 0 { // a reviewer is told why, whatever it is
			v.Reasons = append(v.Reasons, notRun()...)
		}
		v.Reasons = append(v.Reasons, c.Reasons...)
		open = true
	}
	v.Reasons = unique(v.Reasons)
	return v, open
}

// short refers what would be approved at a lower level than the workflow asks for.
func short(s situation) (idv.Verdict, bool) {
	return idv.Verdict{Outcome: idv.DecideRefer, Reasons: []idv.Reason{{Code: problem.AssuranceShort.Code}}}, !s.reached.Reaches(s.asked)
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

// unique returns the reasons without repetitions.
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
