package checker

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// withChip is the evidence of a passport with a chip that says the same.
func withChip(t *testing.T, change func(*idv.Chip)) *scene {
	e := clean(t)
	chip := idv.Chip{Authentic: true, NotACopy: true, Asked: true, HasKey: true, Revocation: idv.RevocationGood, Zone: []string{"A", "B"}}
	if change != nil {
		change(&chip)
	}
	return e.present(idv.ArtifactChip, idv.NoSide, chip)
}

func refused(codes ...string) func(*idv.Chip) {
	return func(c *idv.Chip) {
		c.Authentic, c.NotACopy = false, false
		for _, code := range codes {
			c.Refusals = append(c.Refusals, idv.ChipReason{Code: code})
		}
	}
}

func TestAChipIsJudged(t *testing.T) {
	requiring := func(e *scene) *scene { e.Workflow.Chip = idv.ChipRequired; return e }
	doubtful := func(e *scene) *scene {
		return e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{Format: "TD3", Lines: []string{"A", "X"}})
	}
	for name, tt := range map[string]struct {
		of      idv.Checker
		on      *scene
		skipped bool
		outcome idv.Outcome
		reasons []string
	}{
		"signed by a trusted state":  {of: ChipAuthentic{}, on: withChip(t, nil), outcome: idv.Pass},
		"none, where one is offered": {of: ChipAuthentic{}, on: clean(t), skipped: true},
		"none, where one is required": {
			of: ChipAuthentic{}, on: requiring(clean(t)), outcome: idv.Inconclusive, reasons: []string{"chip.missing"},
		},
		"changed": {
			of: ChipAuthentic{}, on: withChip(t, refused("chip.digest_mismatch", "chip.digest_mismatch", "trust.anchor_missing")),
			outcome: idv.Fail, reasons: []string{"chip.digest_mismatch", "trust.anchor_missing"},
		},
		"of a state that nobody trusts": {
			of: ChipAuthentic{}, on: withChip(t, refused("trust.anchor_missing")), outcome: idv.Inconclusive, reasons: []string{"trust.anchor_missing"},
		},
		"signed by a weak algorithm": {
			of:      ChipAuthentic{},
			on:      withChip(t, func(c *idv.Chip) { c.Notes = []idv.ChipReason{{Code: problem.ChipWeakAlgorithm}} }),
			outcome: idv.Inconclusive, reasons: []string{"chip.weak_algorithm"},
		},
		"signed by who has expired since": {
			of:      ChipAuthentic{},
			on:      withChip(t, func(c *idv.Chip) { c.Notes = []idv.ChipReason{{Code: "chip.signer_out_of_date"}} }),
			outcome: idv.Pass,
		},
		"no copy": {of: ChipCopy{}, on: withChip(t, nil), outcome: idv.Pass},
		"not asked": {
			of: ChipCopy{}, on: withChip(t, func(c *idv.Chip) { c.NotACopy, c.Asked = false, false }), outcome: idv.Inconclusive,
			reasons: []string{"chip.copy_not_excluded"},
		},
		"no copy of data that is not authentic": {
			of: ChipCopy{}, on: withChip(t, func(c *idv.Chip) { c.Authentic = false }), outcome: idv.Inconclusive, reasons: []string{"chip.copy_not_excluded"},
		},
		"a signer in good standing": {of: ChipRevocation{}, on: withChip(t, nil), outcome: idv.Pass},
		"a signer that was revoked": {
			of: ChipRevocation{}, on: withChip(t, func(c *idv.Chip) { c.Revocation = idv.RevocationRevoked }), outcome: idv.Fail,
			reasons: []string{"trust.revoked"},
		},
		"a signer of whom nobody knows": {
			of: ChipRevocation{}, on: withChip(t, func(c *idv.Chip) { c.Revocation = "" }), outcome: idv.Inconclusive,
			reasons: []string{"chip.revocation_unchecked"},
		},
		"the page's zone":       {of: ChipZone{}, on: withChip(t, nil), outcome: idv.Pass},
		"another zone":          {of: ChipZone{}, on: withChip(t, func(c *idv.Chip) { c.Zone[1] = "C" }), outcome: idv.Fail, reasons: []string{"chip.zone_differs"}},
		"a zone that is unsure": {of: ChipZone{}, on: doubtful(withChip(t, nil)), outcome: idv.Inconclusive, reasons: []string{"chip.page_unread"}},
		"a page without a zone": {
			of: ChipZone{}, on: withChip(t, nil).absent(idv.ArtifactMRZ, idv.Front, problem.DocumentMRZMissing), outcome: idv.Inconclusive,
			reasons: []string{"chip.page_unread"},
		},
		"a chip without a zone": {
			of: ChipZone{}, on: withChip(t, func(c *idv.Chip) { c.Zone = nil }), outcome: idv.Inconclusive, reasons: []string{"chip.page_unread"},
		},
		"nothing to compare": {of: ChipZone{}, on: clean(t), skipped: true},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := tt.of.Check(context.Background(), tt.on.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, r := range f.Reasons {
				codes = append(codes, r.Code)
			}
			if diff := cmp.Diff([]any{tt.skipped, tt.outcome, tt.reasons}, []any{f.NotApply, f.Outcome, codes}); diff != "" {
				t.Errorf("skipped, outcome and reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAChipIsASourceAmongOthers(t *testing.T) {
	says := func(e *scene, name idv.ClaimName, value string) *scene {
		e.Claims = append(e.Claims, idv.Claim{Name: name, Value: value, Source: idv.FromChip, Confidence: 1})
		return e
	}
	agree := says(withChip(t, nil), idv.DateOfBirth, "1974-08-12")
	if f, err := (FactsAgree{}).Check(t.Context(), agree.Evidence); err != nil || f.Outcome != idv.Pass {
		t.Errorf("a chip that says the same: %+v, %v", f, err)
	}
	other := says(withChip(t, nil), idv.DateOfBirth, "1974-08-13")
	f, err := (FactsAgree{}).Check(t.Context(), other.Evidence)
	if err != nil || f.Outcome != idv.Fail || f.Reasons[0].Claim != idv.DateOfBirth {
		t.Errorf("a chip that says another day: %+v, %v", f, err)
	}
	expired := says(withChip(t, nil), idv.DateOfExpiry, "2025-01-01")
	f, err = (DocumentExpiry{}).Check(t.Context(), expired.Evidence)
	if err != nil || f.Outcome != idv.Fail || f.Reasons[0].Confirmed != idv.BySignature {
		t.Errorf("a chip that has expired: %+v, %v", f, err)
	}
}
