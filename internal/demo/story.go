package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ending is how a story ends, unless its time is over before.
type ending int

// The endings.
const (
	passes    ending = iota // every check passes
	fails                   // a check finds what rules it out
	referred                // a person decides
	unopened                // the link is never opened
	leaves                  // the applicant goes away at a step
	refuses                 // they do not consent
	cancelled               // the integrator cancels it
)

// ruling is what a person does with a referred session.
type ruling int

// The rulings.
const (
	approves ruling = iota
	declines
	asksAgain
	waits // nobody does anything
	notes // somebody has it, and wrote a note
)

// story is one invented session.
type story struct {
	number    int
	at        time.Time // of its making
	workflow  string
	kind      idv.DocumentKind
	country   string
	person    Person
	serial    string // number of the document
	locale    string
	device    idv.Device
	reference string
	metadata  map[string]string
	claims    bool // the integrator says who it is
	byPerson  bool // the applicant wants no liveness challenge
	ending    ending
	step      idv.Step // where they go away
	code      string   // what a check finds
	blurred   int      // pictures that are refused at once
	again     bool     // the first document is asked for a second time
	ruling    ruling
	thinks    time.Duration // until a person looks
	pace      float64       // how slow the applicant is, 1 for most
	likeness  float64       // of selfie and portrait
	erased    bool          // afterwards, when its time is over
	held      bool          // afterwards
	r         *rand.Rand
}

// weighted is one of several things, by weight.
type weighted[T any] struct {
	what   T
	weight int
}

func pick[T any](r *rand.Rand, from []weighted[T]) T {
	sum := 0
	for _, w := range from {
		sum += w.weight
	}
	n := r.IntN(sum)
	for _, w := range from {
		if n -= w.weight; n < 0 {
			return w.what
		}
	}
	return from[0].what
}

var (
	workflows = []weighted[string]{{idv.WorkflowDefault, 6}, {idv.WorkflowNoLiveness, 3}, {idv.WorkflowLiveness, 2}}
	kinds     = []weighted[idv.DocumentKind]{{idv.IDCard, 9}, {idv.Passport, 7}, {idv.DrivingLicence, 3}, {idv.ResidencePermit, 2}}
	countries = []weighted[string]{
		{"UTO", 12}, {"AUT", 9}, {"FRA", 6}, {"ESP", 5}, {"NLD", 5}, {"POL", 4}, {"SWE", 3}, {"PRT", 3}, {"CZE", 2}, {"ISL", 1}, {"EST", 1},
	}
	devices = []weighted[idv.Device]{{idv.PhoneDevice, 11}, {idv.ComputerDevice, 5}, {idv.TabletDevice, 2}, {"", 1}}
	locales = []weighted[string]{{"en", 6}, {"de", 4}, {"fr", 3}, {"es", 2}, {"pl", 1}, {"", 4}}
	endings = []weighted[ending]{{passes, 56}, {fails, 8}, {referred, 16}, {unopened, 6}, {leaves, 9}, {refuses, 2}, {cancelled, 3}}
	steps   = []weighted[idv.Step]{{idv.StepConsent, 2}, {idv.StepChoose, 2}, {idv.StepDocumentFront, 4}, {idv.StepDocumentBack, 2}, {idv.StepSelfie, 4}}
	rulings = []weighted[ruling]{{approves, 7}, {declines, 3}, {asksAgain, 1}}
	facts   = []weighted[string]{{problem.DocumentExpired.Code, 4}, {problem.PersonClaimMismatch.Code, 2}, {problem.FaceMismatch.Code, 2}}
	doubts  = []weighted[string]{
		{problem.FaceUncertain.Code, 5}, {problem.DocumentFactsDisagree.Code, 3}, {problem.DocumentReadersDisagree.Code, 3},
		{problem.DocumentScreenCopy.Code, 2}, {problem.DocumentPaperCopy.Code, 1}, {problem.DocumentPortraitAltered.Code, 1},
		{problem.DocumentSidesDiffer.Code, 1}, {problem.CheckNotRun.Code, 1},
	}
	channels = []weighted[string]{{"web", 5}, {"app", 4}, {"branch", 1}}
)

// invent draws a story.
func invent(r *rand.Rand, i int, o Options, now time.Time) story {
	s := story{
		number: i, at: moment(r, o.Days, now), workflow: pick(r, workflows), kind: pick(r, kinds), country: pick(r, countries),
		person: o.People(int64(o.Seed%1000)*100_000 + int64(i)), locale: pick(r, locales), device: pick(r, devices), claims: r.IntN(3) > 0,
		reference: fmt.Sprintf("demo-%05d", 10_000+i), metadata: map[string]string{"channel": pick(r, channels)},
		ending: pick(r, endings), step: pick(r, steps), ruling: pick(r, rulings), r: r,
		pace: math.Exp(r.NormFloat64() * .4), likeness: math.Min(.58+.09*r.NormFloat64(), .93),
		thinks: time.Duration(float64(2*time.Hour) * math.Exp(r.NormFloat64())),
	}
	s.serial = number(r, s.kind)
	s.byPerson = s.workflow != idv.WorkflowNoLiveness && s.ending == referred && r.IntN(8) == 0
	s.blurred, s.again = []int{0, 0, 0, 0, 1, 1, 2}[r.IntN(7)], r.IntN(14) == 0
	s.find(r)
	age := now.Sub(s.at)
	if s.ending == referred && age < 24*24*time.Hour && r.IntN(5) < 3 {
		s.ruling = waits
		if age > time.Hour && r.IntN(4) == 0 {
			s.ruling = notes
		}
	}
	s.erased = age > time.Duration(o.Days)*24*time.Hour*2/3 && r.IntN(9) == 0
	s.held = !s.erased && r.IntN(60) == 0
	return s
}

// find says what the checks of a story find.
func (s *story) find(r *rand.Rand) {
	s.likeness = math.Max(s.likeness, .44)
	switch s.ending {
	case fails:
		s.code = pick(r, facts)
	case referred:
		s.code = pick(r, doubts)
	}
	switch s.code {
	case problem.FaceMismatch.Code:
		s.likeness = .06 + .2*r.Float64()
	case problem.FaceUncertain.Code:
		s.likeness = faceLow + (faceHigh-faceLow)*(.1+.8*r.Float64())
	case problem.PersonClaimMismatch.Code:
		s.claims = true
	case problem.DocumentSidesDiffer.Code:
		s.kind = idv.IDCard
	}
}

// moment draws when a session is made: more of them lately, by day, and on working days.
func moment(r *rand.Rand, days int, now time.Time) time.Time {
	for {
		age := float64(days) * 24 * math.Pow(r.Float64(), 1.7) // hours
		if r.IntN(14) == 0 {
			age = 22 * r.Float64()
		}
		at := now.Add(-time.Duration(age * float64(time.Hour)))
		busy := .15 + .85*math.Max(0, math.Sin(math.Pi*(float64(at.Hour())-5)/18))
		if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
			busy *= .5
		}
		if r.Float64() < busy {
			return at
		}
	}
}

// number invents that of a document.
func number(r *rand.Rand, k idv.DocumentKind) string {
	const letters = "CFGHJKLMNPRTVWXYZ"
	out := []byte{letters[r.IntN(len(letters))]}
	if k == idv.Passport {
		out = append(out, letters[r.IntN(len(letters))])
	}
	for len(out) < 9 {
		out = append(out, byte('0'+r.IntN(10)))
	}
	return string(out)
}
