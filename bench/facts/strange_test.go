package facts

import (
	"errors"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/strange"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestPicturesOfStrangeDocumentsSayWhatTheyShow(t *testing.T) {
	if err := errors.Join(strange.HasTypefaces(), fixtures.HasOCRB()); err != nil {
		t.Skip(err)
	}
	shots, err := Options{Strange: true, Camera: "scan", Seed: 2, Quality: 60}.strange(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range shots {
		if s.layout != UnknownLayout || s.camera != "scan" || len(s.raw) == 0 || len(s.truth) == 0 {
			t.Errorf("%s: layout %q, camera %q, %d bytes, %d facts", s.picture, s.layout, s.camera, len(s.raw), len(s.truth))
		}
	}
	if s := shots[0]; s.group != string(idv.Passport) || s.wantKind != idv.Passport || s.picture != "passport-000002-front" {
		t.Errorf("the first is %s of group %s and kind %s", s.picture, s.group, s.wantKind)
	}
}

func TestClaimsAreRightAsOftenAsTheirConfidenceSays(t *testing.T) {
	x := reading{
		truth: []Truth{{idv.FamilyName, "EK", "EK"}, {idv.GivenNames, "BO", "BO"}},
		claims: []idv.Claim{
			{Name: idv.FamilyName, Value: "EK", Source: idv.FromPrinted, Confidence: .999},
			{Name: idv.GivenNames, Value: "BU", Source: idv.FromPrinted, Confidence: .96},
			{Name: idv.Sex, Value: "F", Source: idv.FromPrinted, Confidence: .6}, {Name: idv.Issuer, Value: "UTO", Source: idv.FromMRZ, Confidence: 1},
		},
	}
	for _, p := range reliabilityOf([]reading{x}) {
		want := map[float64][2]int{0: {1, 3}, .5: {1, 3}, .7: {1, 2}, .95: {1, 2}, .98: {1, 1}, .995: {1, 1}}
		if w, ok := want[p.Confidence]; ok && (p.Right.Count != w[0] || p.Right.Of != w[1]) {
			t.Errorf("confidence %v: right %d of %d, want %v", p.Confidence, p.Right.Count, p.Right.Of, w)
		}
	}
}
