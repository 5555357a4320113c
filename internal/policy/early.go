package policy

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// EarlyOutcome is what the reading of a document means before the next step opens.
type EarlyOutcome string

// The outcomes. None of them decides a session.
const (
	EarlyClear  EarlyOutcome = "clear"  // nothing to say
	EarlyRefuse EarlyOutcome = "refuse" // a confirmed fact rules the document out: another one may do
	EarlyRetake EarlyOutcome = "retake" // a better picture can fix it
	EarlyAsk    EarlyOutcome = "ask"    // a guess that the applicant can settle
)

// Early is what an applicant is told of a document right after its picture was read.
type Early struct {
	Outcome EarlyOutcome
	Reasons []idv.Reason // of a refusal and of retakes, in the order in which they matter
	Redo    []idv.Step   // with EarlyRetake
	Ask     string       // with EarlyAsk: the code of the question
}

// Glimpse is what was found in the pictures of a document that the applicant has not heard of yet.
type Glimpse struct {
	Reasons      []idv.Reason     // of the document's checks, as far as they can be asked
	Steps        []idv.Step       // whose pictures are new: other steps are not asked about again
	Chosen, Kind idv.DocumentKind // what the applicant chose, and what was read
	Accepts      []idv.DocumentKind
}

// questions are the reasons for which another document would do, the first that applies, and what is asked where nothing confirms
// the reading. Without a question the guess is left to the decision.
var questions = []struct{ reason, ask string }{
	{problem.DocumentTypeNotAccepted.Code, problem.DocumentKindDoubted.Code},
	{problem.DocumentCountryNotAccepted.Code, problem.DocumentCountryDoubted.Code},
	{problem.DocumentExpired.Code, problem.DocumentExpiryDoubted.Code},
	{problem.DocumentSpecimen.Code, ""},
}

// DecideEarly returns what the applicant is told before the next step. A fact is said only where the policy would decline for it;
// a guess is a question. Signs of deceit, and reasons that a person has to judge, are never told.
func DecideEarly(g Glimpse, left AttemptsLeft) Early {
	find := func(code string, confirmed bool) (idv.Reason, bool) {
		i := slices.IndexFunc(g.Reasons, func(r idv.Reason) bool { return r.Code == code && r.Confirmed.Declines() == confirmed })
		if i < 0 {
			return idv.Reason{}, false
		}
		return g.Reasons[i], true
	}
	for _, q := range questions {
		if r, ok := find(q.reason, true); ok {
			return Early{Outcome: EarlyRefuse, Reasons: []idv.Reason{r}}
		}
	}
	if v, ok := reopen(situation{left: left, required: []CheckFact{{Reasons: g.fresh()}}}); ok {
		return Early{Outcome: EarlyRetake, Reasons: v.Reasons, Redo: v.Redo}
	}
	for _, q := range questions {
		if r, ok := find(q.reason, false); ok && q.ask != "" && slices.Contains(g.Steps, r.Step) {
			return Early{Outcome: EarlyAsk, Ask: q.ask}
		}
	}
	if slices.Contains(g.Steps, idv.StepDocumentFront) && g.otherKind() {
		return Early{Outcome: EarlyAsk, Ask: problem.DocumentKindDiffers.Code}
	}
	return Early{Outcome: EarlyClear}
}

// fresh returns the reasons about new pictures. Where the document looks like one of another kind, that its code lines are missing is
// no news: the kind that was chosen has them there, and this one may not.
func (g Glimpse) fresh() []idv.Reason {
	other := g.otherKind() || slices.ContainsFunc(g.Reasons, func(r idv.Reason) bool { return r.Code == problem.DocumentTypeNotAccepted.Code })
	return slices.DeleteFunc(slices.Clone(g.Reasons), func(r idv.Reason) bool {
		return !slices.Contains(g.Steps, r.Step) || other && r.Code == problem.DocumentMRZMissing.Code
	})
}

// otherKind reports whether the document looks like one of an accepted kind that the applicant did not choose. The zone of a
// residence permit often says identity card (ICAO 9303-5 §4.2.2), and one leads to the same steps as the other.
func (g Glimpse) otherKind() bool {
	cards := []idv.DocumentKind{idv.IDCard, idv.ResidencePermit}
	switch {
	case g.Chosen == "", g.Kind == "", g.Kind == idv.UnknownKind, g.Kind == g.Chosen:
		return false
	case slices.Contains(cards, g.Kind) && slices.Contains(cards, g.Chosen):
		return false
	}
	return slices.Contains(g.Accepts, g.Kind)
}
