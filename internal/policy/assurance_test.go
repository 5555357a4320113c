package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// strong are facts that reach the highest level that is built.
func strong() Facts {
	bounded := 0.05
	f := Facts{Mode: idv.Live, Country: "SWE", Kind: idv.Passport, Confirmed: idv.ByCheckDigits}
	for _, k := range idv.CheckKinds() {
		c := CheckFact{Kind: k, Answer: Passed}
		if k.AboutWallet() {
			c.Answer = Skipped
		}
		if k == idv.CheckLiveness {
			c.Attacks = &bounded
		}
		c.Signed = k == idv.CheckFaceMatch
		f.Checks = append(f.Checks, c)
	}
	return f
}

// credential are the facts of a session in which a good credential replaced the document, with what is known of its revocation.
func credential(revocation Answer) Facts {
	f := strong()
	f.Confirmed = idv.BySignature
	for i := range f.Checks {
		switch c := &f.Checks[i]; {
		case c.Kind == idv.CheckWalletRevocation:
			c.Answer = revocation
		case c.Kind.AboutWallet():
			c.Answer = Passed
		case c.Kind.AboutChip() || strings.HasPrefix(string(c.Kind), "document."):
			c.Answer = Skipped
		}
	}
	return f
}

func TestTheLevelFollowsFromTheEvidence(t *testing.T) {
	over := 0.5
	for name, c := range map[string]struct {
		change  func(*Facts)
		want    idv.AssuranceLevel
		missing []idv.AssuranceProof
	}{
		"a chip and a live face of its portrait": {func(*Facts) {}, idv.AssuranceHigh, []idv.AssuranceProof{}},
		"a page without a chip": {func(f *Facts) {
			f.Checks = slices.DeleteFunc(f.Checks, func(c CheckFact) bool { return c.Kind.AboutChip() })
			*f = f.but(CheckFact{Kind: idv.CheckFaceMatch, Answer: Passed})
		}, idv.AssuranceSubstantial, []idv.AssuranceProof{idv.ProofDocumentSigned, idv.ProofSignedFace}},
		"a chip, and a face that was compared with the page": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckFaceMatch, Answer: Passed})
		}, idv.AssuranceSubstantial, []idv.AssuranceProof{idv.ProofSignedFace}},
		"a chip whose signer may be revoked": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckChipRevocation, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.ChipRevocationUnchecked}}})
		}, idv.AssuranceSubstantial, []idv.AssuranceProof{idv.ProofDocumentSigned}},
		"a chip of another page": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckChipZone, Answer: Failed, Reasons: []idv.Reason{{Code: problem.ChipZoneDiffers}}})
		}, idv.AssuranceSubstantial, []idv.AssuranceProof{idv.ProofDocumentSigned}},
		"a chip that may be a copy": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckChipCopy, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.ChipCopyNotExcluded}}})
		}, idv.AssuranceHigh, []idv.AssuranceProof{}},
		"a credential instead of a document": {func(f *Facts) { *f = credential(Passed) }, idv.AssuranceHigh, []idv.AssuranceProof{}},
		"a credential that may be revoked": {
			func(f *Facts) { *f = credential(Inconclusive) }, idv.AssuranceSubstantial, []idv.AssuranceProof{idv.ProofDocumentSigned},
		},
		"a credential that nobody proves to be the holder's": {func(f *Facts) {
			*f = credential(Passed).but(CheckFact{Kind: idv.CheckWalletHolder, Answer: Inconclusive})
		}, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofNoFraud}},
		"nothing at all": {func(f *Facts) { *f = Facts{} }, idv.AssuranceLow, []idv.AssuranceProof{
			idv.ProofDocumentSettled, idv.ProofNoFraud, idv.ProofFaceMatched, idv.ProofLiveness, idv.ProofAttacksBounded,
		}},
		"a selfie that nobody proved to be live": {func(f *Facts) {
			f.Checks = slices.DeleteFunc(f.Checks, func(c CheckFact) bool { return c.Kind == idv.CheckLiveness || c.Kind == idv.CheckReplay })
		}, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofLiveness, idv.ProofAttacksBounded}},
		"a challenge that an attack gets through": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckLiveness, Answer: Passed, Attacks: &over})
		}, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofAttacksBounded}},
		"a reading that nothing confirms": {func(f *Facts) { f.Confirmed = "" }, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofDocumentSettled}},
		"sources that contradict each other": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckFactsAgree, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentFactsDisagree.Code}}})
		}, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofDocumentSettled}},
		"a document without a second side": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckSidesBelong, Answer: Skipped})
		}, idv.AssuranceHigh, []idv.AssuranceProof{}},
		"a sign of a copy": {func(f *Facts) {
			*f = f.but(CheckFact{Kind: idv.CheckDocumentOriginal, Answer: Failed, Reasons: []idv.Reason{{Code: problem.DocumentPaperCopy.Code}}})
		}, idv.AssuranceLow, []idv.AssuranceProof{idv.ProofNoFraud}},
	} {
		t.Run(name, func(t *testing.T) {
			f := strong()
			c.change(&f)
			got := AssuranceOf(f)
			if diff := cmp.Diff([]any{c.want, c.missing}, []any{got.Level, got.Missing}); diff != "" {
				t.Errorf("level and what is missing for the next (-want +got):\n%s", diff)
			}
		})
	}
}

// drawnFacts are facts of any answers.
func drawnFacts(t *rapid.T) Facts {
	answers := []Answer{Passed, Passed, Passed, Skipped, Failed, Inconclusive, NotRun}
	f := Facts{Mode: idv.Live, Confirmed: rapid.SampledFrom(append(idv.Confirmations(), "")).Draw(t, "confirmed")}
	for _, k := range idv.CheckKinds() {
		c := CheckFact{Kind: k, Answer: rapid.SampledFrom(answers).Draw(t, string(k))}
		if k == idv.CheckLiveness {
			upper := rapid.Float64Range(0, 1).Draw(t, "attacks")
			c.Attacks = &upper
		}
		f.Checks = append(f.Checks, c)
	}
	return f
}

func TestRemovingEvidenceNeverRaisesTheLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := drawnFacts(t)
		if rapid.Bool().Draw(t, "from all that is built") {
			f = strong()
		}
		before := AssuranceOf(f).Level
		less := f
		less.Checks = slices.Clone(f.Checks)
		i := rapid.IntRange(0, len(less.Checks)-1).Draw(t, "check")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			less.Checks = slices.Delete(less.Checks, i, i+1)
		case 1:
			less.Checks[i] = CheckFact{Kind: less.Checks[i].Kind, Answer: NotRun}
		case 2:
			less.Checks[i].Attacks = nil
		case 3:
			less.Confirmed = ""
		}
		if after := AssuranceOf(less).Level; !before.Reaches(after) {
			t.Fatalf("without %+v the level rises from %s to %s", f.Checks[i], before, after)
		}
	})
}

func TestASignOfAnAttackNeverRaisesTheLevel(t *testing.T) {
	var signs []string
	for _, k := range problem.All() {
		if k.Severity == problem.Fraud {
			signs = append(signs, k.Code)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f := drawnFacts(t)
		before := AssuranceOf(f).Level
		worse := f
		worse.Checks = slices.Clone(f.Checks)
		i := rapid.IntRange(0, len(worse.Checks)-1).Draw(t, "check")
		c := &worse.Checks[i]
		c.Answer = rapid.SampledFrom([]Answer{Failed, Inconclusive}).Draw(t, "answer")
		c.Reasons = append(slices.Clone(c.Reasons), idv.Reason{Code: rapid.SampledFrom(signs).Draw(t, "sign")})
		if after := AssuranceOf(worse).Level; !before.Reaches(after) {
			t.Fatalf("with %+v the level rises from %s to %s", *c, before, after)
		}
	})
}

func TestAWorkflowIsGivenTheLevelThatItAsksFor(t *testing.T) {
	passed := strong()
	unchipped := passed.but(CheckFact{Kind: idv.CheckChipAuthentic, Answer: Skipped})
	low := strong()
	low.Confirmed = ""
	for name, c := range map[string]struct {
		facts Facts
		asks  idv.AssuranceLevel
		want  idv.DecisionOutcome
		codes []string
	}{
		"a workflow that asks for nothing": {low, "", idv.DecideApprove, []string{}},
		"a workflow that asks for low":     {low, idv.AssuranceLow, idv.DecideApprove, []string{}},
		"substantial is reached":           {passed, idv.AssuranceSubstantial, idv.DecideApprove, []string{}},
		"substantial is not reached":       {low, idv.AssuranceSubstantial, idv.DecideRefer, []string{problem.AssuranceShort.Code}},
		"high is reached":                  {passed, idv.AssuranceHigh, idv.DecideApprove, []string{}},
		"high is not reached":              {unchipped, idv.AssuranceHigh, idv.DecideRefer, []string{problem.AssuranceShort.Code}},
		"a level that there is not":        {passed, "highest", idv.DecideRefer, []string{problem.AssuranceShort.Code}},
	} {
		t.Run(name, func(t *testing.T) {
			w := idv.WorkflowVersion{Required: []idv.CheckKind{idv.CheckFaceMatch}, Assurance: c.asks}
			got := new(Judge).Decide(c.facts, w, AttemptsLeft{})
			if diff := cmp.Diff([]any{c.want, c.codes}, []any{got.Outcome, codes(got.Reasons)}); diff != "" {
				t.Errorf("outcome and reasons (-want +got):\n%s", diff)
			}
		})
	}
}
