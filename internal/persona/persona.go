// Package persona holds the people who do not exist: a test session whose claimed document number names one of them goes
// its whole way without a camera, and always the same way. The session is a real one. Its steps, jobs, policy, events and
// webhooks are those of every other; only the pictures are drawn, and what is found in them is settled by the persona's row.
//
// The table of personas is what the engine plays, what the docs and the console list, and what a test runs, row by row. In
// live mode the names mean nothing: a claimed document number is a document number there.
package persona

import (
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Prefix begins a claimed document number that names a persona. No issuer puts a colon into a number.
const Prefix = "persona:"

// Act is what the persona does where it does not go to the end.
type Act string

// The acts.
const (
	Finishes  Act = ""          // takes every step
	Declines  Act = "declines"  // does not consent
	Refrains  Act = "refrains"  // does not consent to the use of its face, and to the rest where it is asked for that
	Withdraws Act = "withdraws" // ends the session after consenting
	Leaves    Act = "leaves"    // goes away before the selfie
	Dawdles   Act = "dawdles"   // goes away, and the session's time is over at once
)

// Persona is one of them. It raises at most one reason, on one check.
type Persona struct {
	Name string           // without the prefix
	What string           // what it does and what becomes of it, in a sentence
	Ends idv.SessionState // with a built-in workflow that asks for a liveness challenge; who refrains, with one that goes on without a face

	Act    Act
	Check  idv.CheckKind // that raises Reason; empty for none
	Reason idv.Reason
	Once   bool // only the first try of the reason's step shows it
	Gate   bool // refused as it arrives, before any check
	Broken bool // the check cannot run

	Presents string // what it does where a wallet is asked: a choice of the test wallet; empty where it takes photographs
	Chip     string // the chip of its document: a choice of the test chip; empty where it has none

	bounded bool // the worst attack on its liveness challenge stays under policy.AttackBound
	card    bool // shows an identity card, which has two sides; else a passport
}

// Number is the claimed document number that asks for the persona.
func (p Persona) Number() string { return Prefix + p.Name }

// All lists every persona: those of verdicts first, then one for each reason.
func All() []Persona {
	out := append([]Persona{}, verdicts...)
	for _, r := range reasons {
		out = append(out, r.persona())
	}
	return out
}

// Of answers the persona of what an integrator claims. asked: a persona was asked for; one that is not known has no name.
func Of(claimed map[idv.ClaimName]string) (p Persona, asked bool) {
	name, asked := strings.CutPrefix(strings.TrimSpace(claimed[idv.DocumentNumber]), Prefix)
	if !asked {
		return Persona{}, false
	}
	p, _ = Named(name)
	return p, true
}

// Named finds a persona.
func Named(name string) (Persona, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Persona{}, false
}

// Chooses is the document that the persona shows, of those that are accepted.
func (p Persona) Chooses(accepted []idv.DocumentKind) idv.DocumentKind {
	want := []idv.DocumentKind{idv.Passport, idv.IDCard}
	if p.card {
		want = []idv.DocumentKind{idv.IDCard, idv.ResidencePermit, idv.DrivingLicence}
	}
	for _, k := range want {
		for _, a := range accepted {
			if a == k {
				return k
			}
		}
	}
	if len(accepted) == 0 {
		return idv.Passport
	}
	return accepted[0]
}

// Refuses answers what a try is refused for as it arrives. last is the session's last problem: who was refused once sends
// something better.
func (p Persona) Refuses(step idv.Step, last *idv.StepProblem) (problem.Kind, bool) {
	if !p.Gate || step != p.Reason.Step || (last != nil && last.Code == p.Reason.Code) {
		return problem.Kind{}, false
	}
	return problem.Lookup(p.Reason.Code)
}

// Finds answers a check. tries are those that were used, by step. False means that the check cannot run.
func (p Persona) Finds(k idv.CheckKind, tries map[idv.Step]int) (idv.Finding, bool) {
	f := idv.Passed()
	switch {
	case k != p.Check || p.Gate || (p.Once && tries[p.Reason.Step] > 1):
	case p.Broken:
		return idv.Finding{}, false
	case severity(p.Reason.Code) == problem.Refer, k.AboutSeen() && severity(p.Reason.Code) == problem.Suspect:
		f = idv.Undecided(p.Reason)
	default:
		f = idv.Failed(p.Reason)
	}
	if p.bounded && k == idv.CheckLiveness {
		none := 0.
		f.Rates = &idv.ErrorRates{APCERUpper: &none, DataSet: "persona", Note: "Nothing was measured: the persona says so."}
	}
	if k.AboutScreening() {
		f.Screening = p.screening(k, f)
	}
	if k.AboutSeen() {
		f.Seen = &idv.SeenFinding{}
	}
	f.Note = "Settled by the test persona “" + p.Name + "”. Nothing was checked."
	return f, true
}

func severity(code string) problem.Severity {
	k, _ := problem.Lookup(code)
	return k.Severity
}
