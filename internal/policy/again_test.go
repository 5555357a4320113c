package policy

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ruler is a scale on which a rate's threshold is known.
type ruler struct {
	mark string
	at   map[string]float64
}

func (r ruler) ThresholdAt(fmr string) (float64, bool) { v, ok := r.at[fmr]; return v, ok }
func (r ruler) ModelMark() string                      { return r.mark }

func TestADecisionIsMadeAgainFromWhatWasKept(t *testing.T) {
	was := under()
	was.FaceFMR, was.FaceReferFMR = "1e-4", "1e-3"
	was.Required = append([]idv.CheckKind{idv.CheckDocumentAccepted, idv.CheckAgeLimit, idv.CheckDocumentSpecimen, idv.CheckFactsAgree}, was.Required...)
	all := utopian()
	all.Checks = append(all.Checks, CheckFact{Kind: idv.CheckDocumentAccepted, Answer: Passed}, CheckFact{Kind: idv.CheckDocumentSpecimen, Answer: Passed},
		CheckFact{Kind: idv.CheckFactsAgree, Answer: Passed})
	all.Confirmed, all.Version = idv.ByCheckDigits, FactsVersion
	unconfirmed := all
	unconfirmed.Confirmed = ""
	final := all.but(CheckFact{Kind: idv.CheckDocumentExpiry, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentExpired.Code}}})
	unsettled := all.but(CheckFact{
		Kind: idv.CheckFactsAgree, Answer: Inconclusive, Weakest: idv.ByTwoReaders, Reasons: []idv.Reason{{Code: problem.DocumentUnconfirmed.Code}},
	})
	before := all.but(CheckFact{Kind: idv.CheckFactsAgree, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.DocumentReadersDisagree.Code}}})
	before.Version = 2
	from := all
	from.Document = idv.SourceFile
	before3 := from
	before3.Version, before3.Document = 3, ""
	files := func(w *idv.WorkflowVersion) { w.Rules = []idv.Rule{referring(`document.source == "file"`)} }
	requiring := func(k idv.CheckKind) func(*idv.WorkflowVersion) {
		return func(w *idv.WorkflowVersion) { w.Required = append(slices.Clone(w.Required), k) }
	}
	looked := all
	looked.Checks = append(slices.Clone(all.Checks), CheckFact{Kind: idv.CheckDocumentEdits, Answer: Passed})
	suspected := all
	suspected.Checks = append(slices.Clone(all.Checks), CheckFact{
		Kind: idv.CheckDocumentEdits, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentEdited.Code}},
	})
	older := final
	older.Version = 0
	scale := ruler{"0123456789abcdef", map[string]float64{"1e-2": 0.2, "1e-3": 0.3, "1e-4": 0.5, "1e-5": 0.7}}
	faceless := all.but(CheckFact{Kind: idv.CheckFaceMatch, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.FaceNotComparable.Code}}})
	tired := all
	tired.Attempts.Steps, tired.Attempts.FaceExtra = map[idv.Step]int{idv.StepSelfie: 3}, false
	sticker := all
	sticker.Kind = idv.Visa
	nowhere := all
	nowhere.Country = ""
	for _, c := range []struct {
		name   string
		facts  Facts
		change func(*idv.WorkflowVersion)
		scale  Scale
		want   idv.DecisionOutcome
		code   string
		why    Unknown
	}{
		{
			"an issuer that nothing confirms is referred", unconfirmed, func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} }, nil, idv.DecideRefer,
			"document.country_not_accepted", "",
		},
		{
			"two readers settle a document where the workflow says so", unsettled, func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoReaders }, nil,
			idv.DecideApprove, "", "",
		},
		{
			"and not where it asks for two sources", unsettled, func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoSources }, nil, idv.DecideRefer,
			"document.unconfirmed", "",
		},
		{
			"of older facts it is not known what confirmed the document", before, func(w *idv.WorkflowVersion) { w.SettledBy = idv.SettledByTwoReaders }, nil,
			"", "", UnknownFacts,
		},
		{"a rule about sources is tried on facts that have them", from, files, nil, idv.DecideRefer, problem.WorkflowRule.Code, ""},
		{"and not on facts from before they were kept", before3, files, nil, "", "", UnknownFacts},
		{"a check that did not exist yet is not counted as not run", all, requiring(idv.CheckDocumentEdits), nil, "", "", UnknownCheck},
		{"one that was only recorded is tried", looked, requiring(idv.CheckDocumentEdits), nil, idv.DecideApprove, "", ""},
		{
			"and refers what it would have referred", suspected, requiring(idv.CheckDocumentEdits), nil, idv.DecideRefer,
			problem.DocumentEdited.Code, "",
		},
		{"a fact that nothing confirmed is referred", final, func(*idv.WorkflowVersion) {}, nil, idv.DecideRefer, "document.expired", ""},
		{"facts that do not say what confirmed them are not guessed", older, func(*idv.WorkflowVersion) {}, nil, "", "", UnknownFacts},
		{"under the same workflow it is the same", all, func(*idv.WorkflowVersion) {}, nil, idv.DecideApprove, "", ""},
		{"a stricter threshold leaves a doubt", all, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-5" }, scale, idv.DecideRefer, "face.uncertain", ""},
		{
			"a stricter band asks for another selfie", all, func(w *idv.WorkflowVersion) { w.FaceFMR, w.FaceReferFMR = "1e-5", "1e-5" }, scale, idv.DecideReopen,
			"face.mismatch", "",
		},
		{
			"or declines where no try is left", tired, func(w *idv.WorkflowVersion) { w.FaceFMR, w.FaceReferFMR = "1e-5", "1e-5" }, scale, idv.DecideDecline,
			"face.mismatch", "",
		},
		{
			"faces that were not compared are not compared now", faceless, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-3" }, scale, idv.DecideRefer,
			"face.not_comparable", "",
		},
		{"a rate that was not measured is not guessed", all, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-9" }, scale, "", "", UnknownScale},
		{"without a measurement nothing is said", all, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-3" }, nil, "", "", UnknownScale},
		{"scores of another model say nothing", all, func(w *idv.WorkflowVersion) { w.FaceFMR = "1e-3" }, ruler{"other", scale.at}, "", "", UnknownModel},
		{
			"a country that is not on the list declines", all, func(w *idv.WorkflowVersion) { w.Countries = []string{"D"} }, nil, idv.DecideDecline,
			"document.country_not_accepted", "",
		},
		{"one that is on the list passes", all, func(w *idv.WorkflowVersion) { w.Countries = []string{"UTO"} }, nil, idv.DecideApprove, "", ""},
		{"an issuer that was not told is not guessed", nowhere, func(w *idv.WorkflowVersion) { w.Countries = []string{"UTO"} }, nil, "", "", UnknownDocument},
		{
			"a kind that is not accepted declines", all, func(w *idv.WorkflowVersion) { w.Documents = []idv.DocumentKind{idv.IDCard} }, nil, idv.DecideDecline,
			"document.type_not_accepted", "",
		},
		{
			"a visa that was named declines where no kind is named", sticker, func(w *idv.WorkflowVersion) { w.Countries = []string{"UTO"} }, nil, idv.DecideDecline,
			"document.type_not_accepted", "",
		},
		{"a minimum age below the band passes", all, func(w *idv.WorkflowVersion) { w.MinimumAge = 18 }, nil, idv.DecideApprove, "", ""},
		{"one above it declines", all, func(w *idv.WorkflowVersion) { w.MinimumAge = 25 }, nil, idv.DecideDecline, "person.under_age", ""},
		{"one within it is not guessed", all, func(w *idv.WorkflowVersion) { w.MinimumAge = 21 }, nil, "", "", UnknownAge},
		{"specimens that were accepted are not told apart", all, func(w *idv.WorkflowVersion) { w.AcceptSpecimens = true }, nil, idv.DecideApprove, "", ""},
		{
			"a check that was not asked did not run", all, func(w *idv.WorkflowVersion) { w.Required = append(w.Required, idv.CheckLiveness) }, nil, idv.DecideRefer,
			"check.not_run", "",
		},
		{
			"a check that is asked no more decides nothing", faceless, func(w *idv.WorkflowVersion) { w.Required = []idv.CheckKind{idv.CheckMRZVerified} }, nil,
			idv.DecideApprove, "", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := was
			c.change(&now)
			var j Judge
			got, why := j.Reevaluate(c.facts, was, now, c.scale)
			code := ""
			if len(got.Reasons) > 0 {
				code = got.Reasons[0].Code
			}
			if got.Outcome != c.want || code != c.code || why != c.why {
				t.Errorf("got %s %s %s, want %s %s %s", got.Outcome, code, why, c.want, c.code, c.why)
			}
		})
	}
	lit := was
	lit.Required = append(slices.Clone(was.Required), idv.CheckLight)
	unlit := all
	unlit.Checks = append(slices.Clone(all.Checks), CheckFact{Kind: idv.CheckLight, Answer: Skipped})
	if _, why := (&Judge{}).Reevaluate(unlit, was, lit, nil); why != UnknownLight {
		t.Errorf("colours that nobody showed: %q", why)
	}
	accepting := was
	accepting.AcceptSpecimens = true
	if _, why := (&Judge{}).Reevaluate(all, accepting, was, nil); why != UnknownSpecimen {
		t.Errorf("specimens that were accepted, and are no more: %q", why)
	}
}
