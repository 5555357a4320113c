package optical

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestNoFactIsTakenOutOfLookAlikes(t *testing.T) {
	claims := []idv.Claim{
		{Name: idv.FamilyName, Value: "TAPAC", Source: idv.FromPrinted},
		{Name: idv.DateOfBirth, Value: "1974-08-12", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB123", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB124", Source: idv.FromBarcode},
	}
	want := []idv.Claim{
		{Name: idv.DateOfBirth, Value: "1974-08-12", Source: idv.FromPrinted},
		{Name: idv.DocumentNumber, Value: "AB124", Source: idv.FromBarcode},
	}
	if d := cmp.Diff(want, ofOtherScript(claims)); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}

func TestNamesOfPeopleOfTurkeyHaveCedillas(t *testing.T) {
	for name, c := range map[string]struct {
		claims []idv.Claim
		want   string
	}{
		"by the nationality":                     {[]idv.Claim{{Name: idv.Nationality, Value: "TUR"}, {Name: idv.Issuer, Value: "SEN"}}, "ŞAHİNBAŞ"},
		"by the issuer where no other is stated": {[]idv.Claim{{Name: idv.Issuer, Value: "AZE"}}, "ŞAHİNBAŞ"},
		"not of a Romanian who lives in Turkey":  {[]idv.Claim{{Name: idv.Nationality, Value: "ROU"}, {Name: idv.Issuer, Value: "TUR"}}, "ȘAHİNBAȘ"},
		"not where nothing is stated":            {nil, "ȘAHİNBAȘ"},
	} {
		t.Run(name, func(t *testing.T) {
			claims := append([]idv.Claim{{Name: idv.FamilyName, Value: "ȘAHİNBAȘ"}}, c.claims...)
			withCedillas(claims)
			if claims[0].Value != c.want {
				t.Errorf("got %q, want %q", claims[0].Value, c.want)
			}
		})
	}
}
