package optical

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

func TestASecondLookSpeaksOnlyWhereTheFirstWasSilent(t *testing.T) {
	claim := func(name idv.ClaimName, value string) idv.Claim { return idv.Claim{Name: name, Value: value} }
	first := agreement{
		answers: []reading.Answer{
			{Fact: idv.DocumentNumber, Verdict: reading.Disagrees, Claim: claim(idv.DocumentNumber, "X1")}, {Fact: idv.FamilyName},
			{Fact: idv.GivenNames, Verdict: reading.Agrees, Claim: claim(idv.GivenNames, "ANNA")}, {Fact: idv.DateOfBirth},
			{Fact: idv.DateOfExpiry, Verdict: reading.Agrees, Filled: true}, {Fact: idv.Issuer, Verdict: reading.Agrees, Filled: true},
		},
		claims: []idv.Claim{claim(idv.Sex, "F")},
	}
	second := agreement{
		answers: []reading.Answer{
			{Fact: idv.DocumentNumber, Verdict: reading.Agrees, Claim: claim(idv.DocumentNumber, "X2")},
			{Fact: idv.FamilyName, Verdict: reading.Agrees, Claim: claim(idv.FamilyName, "NOVAK")},
			{Fact: idv.GivenNames, Verdict: reading.Disagrees, Claim: claim(idv.GivenNames, "ANNE")},
			{Fact: idv.DateOfBirth, Verdict: reading.Disagrees, Claim: claim(idv.DateOfBirth, "1974-08-12")},
			{Fact: idv.DateOfExpiry, Verdict: reading.Agrees, Claim: claim(idv.DateOfExpiry, "2031-02-01")}, {Fact: idv.Issuer, Verdict: reading.Disagrees},
		},
		claims: []idv.Claim{claim(idv.Sex, "M"), claim(idv.PlaceOfBirth, "ZENITH")},
	}
	got := first.or(second)
	var verdicts []reading.Verdict
	for _, a := range got.answers {
		verdicts = append(verdicts, a.Verdict)
	}
	if d := cmp.Diff([]reading.Verdict{reading.Disagrees, reading.Agrees, reading.Agrees, reading.Disagrees, reading.Agrees, reading.Agrees}, verdicts); d != "" {
		t.Errorf("verdicts (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]idv.Claim{claim(idv.Sex, "F"), claim(idv.PlaceOfBirth, "ZENITH")}, got.claims); d != "" {
		t.Errorf("claims (-want +got):\n%s", d)
	}
	if a := got.answers; a[4].Filled || a[4].Claim.Value != "2031-02-01" || !a[5].Filled {
		t.Errorf("what was not surely read: %+v", a[4:])
	}
	if got.found != 4 || len(got.against) != 2 {
		t.Errorf("%d agree and %d do not, want 4 and 2", got.found, len(got.against))
	}
}

func TestAnotherLookAddsNoSecondFactOfOneDay(t *testing.T) {
	at := func(name idv.ClaimName, value string, y float64) idv.Claim {
		return idv.Claim{Name: name, Value: value, Box: &idv.Box{X: .3, Y: y, Width: .2, Height: .04}}
	}
	issue := at(idv.DateOfIssue, "2024-10-01", .6)
	for name, c := range map[string]struct {
		more idv.Claim
		want int
	}{
		"the same print as another day":   {at(idv.DateOfExpiry, "2024-10-01", .61), 0},
		"the same day elsewhere":          {at(idv.DateOfExpiry, "2024-10-01", .7), 1},
		"another day":                     {at(idv.DateOfExpiry, "2032-09-30", .61), 1},
		"the same fact":                   {at(idv.DateOfIssue, "2024-10-02", .7), 0},
		"print that is no day beside one": {at(idv.DocumentNumber, "2024-10-01", .61), 1},
		"a day without a place":           {idv.Claim{Name: idv.DateOfExpiry, Value: "2024-10-01"}, 1},
	} {
		if got := missingFrom([]idv.Claim{issue}, []idv.Claim{c.more}); len(got) != c.want {
			t.Errorf("%s: %d claims are added, want %d", name, len(got), c.want)
		}
	}
}
