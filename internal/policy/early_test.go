package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestWhatAReadingIsToldAsBeforeTheNextStep(t *testing.T) {
	const front, back = idv.StepDocumentFront, idv.StepDocumentBack
	left := AttemptsLeft{Steps: map[idv.Step]int{front: 2, back: 2}}
	reason := func(k problem.Kind, step idv.Step, by idv.Confirmation) idv.Reason {
		return idv.Reason{Code: k.Code, Step: step, Confirmed: by}
	}
	expired := reason(problem.DocumentExpired, front, idv.ByCheckDigits)
	guessed := reason(problem.DocumentExpired, front, "")
	blurred := reason(problem.CaptureBlurred, front, "")
	all := idv.DocumentKinds()
	for _, c := range []struct {
		name string
		in   Glimpse
		left AttemptsLeft
		want Early
	}{
		{"nothing is wrong", Glimpse{Chosen: idv.Passport, Kind: idv.Passport, Accepts: all}, left, Early{Outcome: EarlyClear}},
		{
			"a confirmed date comes before a blur", Glimpse{Reasons: []idv.Reason{blurred, expired}}, left,
			Early{Outcome: EarlyRefuse, Reasons: []idv.Reason{expired}},
		},
		{
			"a blur comes before a date that nothing confirms", Glimpse{Reasons: []idv.Reason{guessed, blurred}}, left,
			Early{Outcome: EarlyRetake, Reasons: []idv.Reason{blurred}, Redo: []idv.Step{front}},
		},
		{
			"a blur without tries left is left to the decision", Glimpse{Reasons: []idv.Reason{blurred}}, AttemptsLeft{},
			Early{Outcome: EarlyClear},
		},
		{"a date that nothing confirms is a question", Glimpse{Reasons: []idv.Reason{guessed}}, left, Early{Outcome: EarlyAsk, Ask: "document.expiry_doubted"}},
		{
			"a date that two readers of the same print read is one, too",
			Glimpse{Reasons: []idv.Reason{reason(problem.DocumentExpired, front, idv.ByTwoReaders)}}, left, Early{Outcome: EarlyAsk, Ask: "document.expiry_doubted"},
		},
		{
			"a kind that nothing confirms is a question",
			Glimpse{Reasons: []idv.Reason{reason(problem.DocumentTypeNotAccepted, front, "")}, Chosen: idv.Passport, Kind: idv.Visa}, left,
			Early{Outcome: EarlyAsk, Ask: "document.kind_doubted"},
		},
		{
			"a country that nothing confirms is a question", Glimpse{Reasons: []idv.Reason{reason(problem.DocumentCountryNotAccepted, front, "")}}, left,
			Early{Outcome: EarlyAsk, Ask: "document.country_doubted"},
		},
		{
			"a specimen that nothing confirms is nobody's question", Glimpse{Reasons: []idv.Reason{reason(problem.DocumentSpecimen, front, "")}}, left,
			Early{Outcome: EarlyClear},
		},
		{
			"another kind than was chosen is a question", Glimpse{Chosen: idv.Passport, Kind: idv.IDCard, Accepts: all}, left,
			Early{Outcome: EarlyAsk, Ask: "document.kind_differs"},
		},
		{
			"of another kind than was chosen no code lines are missed",
			Glimpse{Reasons: []idv.Reason{reason(problem.DocumentMRZMissing, front, "")}, Chosen: idv.Passport, Kind: idv.IDCard, Accepts: all}, left,
			Early{Outcome: EarlyAsk, Ask: "document.kind_differs"},
		},
		{
			"an identity card for a residence permit is none", Glimpse{Chosen: idv.ResidencePermit, Kind: idv.IDCard, Accepts: all}, left,
			Early{Outcome: EarlyClear},
		},
		{"a kind that could not be read is none", Glimpse{Chosen: idv.Passport, Kind: idv.UnknownKind, Accepts: all}, left, Early{Outcome: EarlyClear}},
		{
			"what was asked about the front is not asked again with the back",
			Glimpse{Reasons: []idv.Reason{guessed, blurred}, Steps: []idv.Step{back}, Chosen: idv.IDCard, Kind: idv.DrivingLicence, Accepts: all}, left,
			Early{Outcome: EarlyClear},
		},
		{
			"a fact about the front that the back confirms is told", Glimpse{Reasons: []idv.Reason{expired}, Steps: []idv.Step{back}}, left,
			Early{Outcome: EarlyRefuse, Reasons: []idv.Reason{expired}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.in.Steps == nil {
				c.in.Steps = []idv.Step{front}
			}
			if d := cmp.Diff(c.want, DecideEarly(c.in, c.left)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Whatever a reading finds, the applicant hears of no sign of deceit and of nothing that a person has to judge.
func TestNothingThatHelpsAnAttackerIsToldEarly(t *testing.T) {
	left := AttemptsLeft{Steps: map[idv.Step]int{idv.StepDocumentFront: 3}}
	for _, k := range problem.All() {
		if k.Severity.Explained() && k.Severity != problem.Refer {
			continue
		}
		for _, by := range append(idv.Confirmations(), "") {
			g := Glimpse{
				Steps:   []idv.Step{idv.StepDocumentFront},
				Reasons: []idv.Reason{{Code: k.Code, Step: idv.StepDocumentFront, Confirmed: by}},
			}
			if d := cmp.Diff(Early{Outcome: EarlyClear}, DecideEarly(g, left)); d != "" {
				t.Errorf("%s (-want +got)\n%s", k.Code, d)
			}
		}
	}
}
