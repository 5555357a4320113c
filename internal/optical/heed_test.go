package optical

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/reading"
)

func TestPrintSupportsWhatTheSecondReaderDoesNot(t *testing.T) {
	agrees := func(sure float64, names ...idv.ClaimName) (c agreement) {
		for _, n := range names {
			c.answers = append(c.answers, reading.Answer{Fact: n, Verdict: reading.Agrees, Claim: idv.Claim{Name: n, Confidence: sure}})
		}
		return c.counted()
	}
	filled := agrees(.99, idv.FamilyName, idv.GivenNames)
	filled.answers[1].Filled = true
	against := agreement{answers: []reading.Answer{{Fact: idv.FamilyName, Verdict: reading.Disagrees, Claim: idv.Claim{Confidence: .99}}}}
	nation := agreement{claims: []idv.Claim{{Name: idv.Nationality, Value: "DEU", Confidence: .99}}}
	for name, c := range map[string]struct {
		unsupported []string
		print       agreement
		want        []string
	}{
		"a name of which both parts are printed":    {[]string{"name"}, agrees(.99, idv.FamilyName, idv.GivenNames), nil},
		"a name of which one part is printed":       {[]string{"name"}, agrees(.99, idv.FamilyName), []string{"name"}},
		"a name that was not surely read":           {[]string{"name"}, agrees(.9, idv.FamilyName, idv.GivenNames), []string{"name"}},
		"a name whose spelling is the zone's":       {[]string{"name"}, filled, []string{"name"}},
		"a name that print speaks against":          {[]string{"name"}, against, []string{"name"}},
		"a number that is printed":                  {[]string{"document_number"}, agrees(.99, idv.DocumentNumber), nil},
		"a number, and a date is printed":           {[]string{"document_number"}, agrees(.99, idv.DateOfExpiry), []string{"document_number"}},
		"a nationality that is printed":             {[]string{"nationality"}, nation, nil},
		"an issuer whose code is the nationality's": {[]string{"issuer"}, agreement{}, nil},
		"an issuer and a nationality":               {[]string{"issuer", "nationality"}, agreement{}, []string{"issuer", "nationality"}},
		"both, and the nationality is printed":      {[]string{"issuer", "nationality"}, nation, nil},
		"what print never states":                   {[]string{"code2", "sex"}, agrees(.99, idv.FamilyName, idv.GivenNames), []string{"code2", "sex"}},
		"nothing to support":                        {nil, agreement{}, nil},
		"the zone as a whole":                       {[]string{"zone"}, agrees(.99, idv.FamilyName, idv.GivenNames), []string{"zone"}},
	} {
		z := &Zone{Document: mrz.Document{Issuer: "D", Nationality: "D", Surname: "BERG", GivenNames: "ANNA"}, unsupported: c.unsupported}
		z.heedPrint(c.print, nil)
		if d := cmp.Diff(c.want, z.unconfirmed()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	cut := &Zone{Document: mrz.Document{Issuer: "UTO", Surname: "BERG", GivenNames: "A", NameCutAt: 39}, unsupported: []string{"name"}}
	cut.heedPrint(agrees(.99, idv.FamilyName, idv.GivenNames), nil)
	if len(cut.unconfirmed()) == 0 {
		t.Error("print supports a name that the zone cut short")
	}
}

func TestThePageTellsTheCenturyOfABirth(t *testing.T) {
	today := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	printed := agreement{answers: []reading.Answer{{Fact: idv.DateOfBirth, Verdict: reading.Agrees, Claim: idv.Claim{Value: "1912-04-05", Confidence: .99}}}}
	issued := agreement{claims: []idv.Claim{{Name: idv.DateOfIssue, Value: "1999-02-03", Confidence: .99}}}
	for name, c := range map[string]struct {
		print agreement
		line  string
		want  string
	}{
		"four digits of the year are printed": {printed, "05 APR 1912", "1912-04-05"},
		"two digits of the year are printed":  {printed, "05 APR 12", "2012-04-05"},
		"it was issued before the child":      {issued, "03.02.1999", "1912-04-05"},
		"nothing is printed":                  {agreement{}, "", "2012-04-05"},
	} {
		z := &Zone{Document: mrz.Document{BirthDate: "120405", ExpiryDate: "300101"}}
		z.heedPrint(c.print, []idv.Line{{Text: c.line}})
		if got := z.value(today, idv.DateOfBirth); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestEachDoubtIsNamedWithItsSource(t *testing.T) {
	z := &Zone{
		Document: mrz.Document{Faults: []mrz.Fault{{Field: "issuer", Reason: mrz.FaultState}}}, unsupported: []string{"sex"}, uneven: true,
		against: []idv.ClaimName{idv.DateOfExpiry},
	}
	z.FailedChecks, z.CutOff, z.PrintedZone = []string{"birth_date"}, true, idv.PrintedDisagrees
	want := []idv.ZoneDoubt{
		{Code: problem.DocumentMRZInvalid.Code, Source: idv.DoubtCheckDigits, Fields: []string{"birth_date"}},
		{Code: problem.DocumentMRZInvalid.Code, Source: idv.DoubtValues, Fields: []string{"issuer"}},
		{Code: problem.DocumentReadersDisagree.Code, Source: idv.DoubtSecondReader, Fields: []string{"sex"}},
		{Code: problem.DocumentReadersDisagree.Code, Source: idv.DoubtSpacing},
		{Code: problem.CaptureCutOff.Code, Source: idv.DoubtView},
		{Code: problem.DocumentFactsDisagree.Code, Source: idv.DoubtPrint, Fields: []string{"expiry_date"}},
		{Code: problem.CaptureSeveralDocuments.Code, Source: idv.DoubtOtherDocument},
	}
	if d := cmp.Diff(want, z.doubts(true)); d != "" {
		t.Error("(-want +got):\n" + d)
	}
	clean := &Zone{}
	clean.CheckDigitsOK = true
	if got := clean.doubts(false); len(got) > 0 {
		t.Errorf("a zone with nothing against it: %v", got)
	}
}
