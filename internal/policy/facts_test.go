package policy

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAgesAreKeptInBandsOnly(t *testing.T) {
	now := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	for birth, want := range map[string]string{
		"2008-06-15": "18-24", "2008-06-16": "0-17", "1974-08-12": "45-54", "1974-XX-XX": "45-54", "1930-01-01": "75+",
		"2026-01-01": "0-17", "2027-01-01": "", "XXXX-01-01": "", "": "", "74": "",
	} {
		if got := AgeBand(birth, now); got != want {
			t.Errorf("AgeBand(%q) = %q, want %q", birth, got, want)
		}
	}
}

func TestFactsAreReadAsTheyWereKept(t *testing.T) {
	score := 0.25
	want := utopian().but(CheckFact{Kind: idv.CheckFaceMatch, Answer: Inconclusive, Score: &score, Model: "0123", Trusted: true,
		Reasons: []idv.Reason{{Code: "face.uncertain", Step: idv.StepSelfie, Claim: idv.DateOfBirth, Sources: []idv.ClaimSource{idv.FromMRZ}}}})
	want.Document, want.Selfie = idv.SourceFile, idv.SourceCamera
	raw, err := json.Marshal(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got Facts
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	byKind := cmpopts.SortSlices(func(a, b CheckFact) bool { return a.Kind < b.Kind })
	if d := cmp.Diff(want, got, byKind); d != "" {
		t.Errorf("(-want +got)\n%s\n%s", d, raw)
	}
}
