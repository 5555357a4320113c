package policy

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// chipped are facts with those answers of the checks of a chip.
func chipped(answers ...CheckFact) Facts {
	f := utopian()
	f.Version = FactsVersion
	f.Checks = append(f.Checks, answers...)
	return f
}

func TestRulesAskForTheStrengthOfAChip(t *testing.T) {
	good := chipped(
		CheckFact{Kind: idv.CheckChipAuthentic, Answer: Passed}, CheckFact{Kind: idv.CheckChipRevocation, Answer: Passed},
		CheckFact{Kind: idv.CheckChipZone, Answer: Passed},
		CheckFact{Kind: idv.CheckChipCopy, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.ChipCopyNotExcluded}}},
	)
	none := chipped(CheckFact{Kind: idv.CheckChipAuthentic, Answer: Skipped})
	missing := chipped(CheckFact{Kind: idv.CheckChipAuthentic, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.ChipMissing.Code}}})
	revoked := chipped(
		CheckFact{Kind: idv.CheckChipAuthentic, Answer: Failed, Reasons: []idv.Reason{{Code: problem.TrustRevoked}}},
		CheckFact{Kind: idv.CheckChipRevocation, Answer: Failed, Reasons: []idv.Reason{{Code: problem.TrustRevoked}}},
	)
	for name, tt := range map[string]struct {
		facts Facts
		when  string
		want  bool
	}{
		"a chip that is there":                {good, `chip.present && chip.authentic && chip.like_the_page`, true},
		"a chip that may be a copy":           {good, `chip.present && !chip.not_a_copy`, true},
		"a signer in good standing":           {good, `chip.revocation == "good"`, true},
		"a session without a chip":            {none, `chip.present || chip.authentic || chip.not_a_copy`, false},
		"a session of before there were any":  {utopian(), `chip.present`, false},
		"a chip that is missing":              {missing, `!chip.present`, true},
		"a signer that was revoked":           {revoked, `chip.present && chip.revocation == "revoked" && !chip.authentic`, true},
		"what is known where there is a chip": {none, `chip.present && chip.revocation == "not_checked"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := under()
			w.Rules = []idv.Rule{referring(tt.when)}
			v := (&Judge{}).Decide(tt.facts, w, AttemptsLeft{})
			if got := v.Rule == w.Rules[0].Name; got != tt.want {
				t.Errorf("the rule applies: %v, want %v (%+v)", got, tt.want, v)
			}
		})
	}
}

func TestADecisionIsMadeAgainUnderAnotherUseOfChips(t *testing.T) {
	using := func(use idv.ChipUse) idv.WorkflowVersion {
		w := under()
		if w.Chip = use; w.TakesChip() {
			w.Required = append(w.Required, idv.CheckChipAuthentic, idv.CheckChipZone)
		}
		return w
	}
	off := chipped()
	skipped := chipped(CheckFact{Kind: idv.CheckChipAuthentic, Answer: Skipped}, CheckFact{Kind: idv.CheckChipZone, Answer: Skipped})
	missing := chipped(
		CheckFact{Kind: idv.CheckChipAuthentic, Answer: Inconclusive, Reasons: []idv.Reason{{Code: problem.ChipMissing.Code}}},
		CheckFact{Kind: idv.CheckChipZone, Answer: Skipped},
	)
	for name, tt := range map[string]struct {
		facts    Facts
		was, now idv.ChipUse
		want     idv.DecisionOutcome
		unknown  Unknown
	}{
		"offered now, and nobody could send one":    {off, idv.ChipOff, idv.ChipOffered, idv.DecideApprove, ""},
		"required now, and nobody could send one":   {off, idv.ChipOff, idv.ChipRequired, "", UnknownCheck},
		"required now, and it was offered":          {skipped, idv.ChipOffered, idv.ChipRequired, idv.DecideRefer, ""},
		"only offered now, and it was missing":      {missing, idv.ChipRequired, idv.ChipOffered, idv.DecideApprove, ""},
		"off now, and it was missing":               {missing, idv.ChipRequired, idv.ChipOff, idv.DecideApprove, ""},
		"required as before, and missing as before": {missing, idv.ChipRequired, idv.ChipRequired, idv.DecideRefer, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v, unknown := (&Judge{}).Reevaluate(tt.facts, using(tt.was), using(tt.now), nil)
			if v.Outcome != tt.want || unknown != tt.unknown {
				t.Errorf("got %s, %q, want %s, %q (%+v)", v.Outcome, unknown, tt.want, tt.unknown, v)
			}
		})
	}
}
