package checker

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func claim(source idv.ClaimSource, name idv.ClaimName, value string) idv.Claim {
	return idv.Claim{Name: name, Value: value, Source: source, Side: idv.Front, Confidence: 1}
}

func onBack(c idv.Claim) idv.Claim {
	c.Side = idv.Back
	return c
}

// evidence of one passport page: a page, the claims, and a zone that is
// verified or not.
func evidence(t *testing.T, verified bool, claims ...idv.Claim) idv.Evidence {
	t.Helper()
	front := idv.Capture{Side: idv.Front}
	page, err := idv.PresentArtifact(idv.ArtifactPage, front, idv.Page{})
	if err != nil {
		t.Fatal(err)
	}
	zone, err := idv.PresentArtifact(idv.ArtifactMRZ, front, idv.MRZ{Verified: verified})
	if err != nil {
		t.Fatal(err)
	}
	return idv.Evidence{Now: now, Artifacts: []idv.Artifact{page, zone}, Claims: claims}
}

// outcomeOf is a finding in words that a table can state: the outcome, or
// "skipped", then each reason with its fact and sources.
func outcomeOf(t *testing.T, c idv.Checker, ev idv.Evidence) []string {
	t.Helper()
	f, err := c.Check(context.Background(), ev)
	if err != nil {
		t.Fatal(err)
	}
	if f.NotApply {
		return []string{"skipped"}
	}
	out := []string{string(f.Outcome)}
	for _, r := range f.Reasons {
		s := r.Code + " " + string(r.Claim)
		for _, src := range r.Sources {
			s += " " + string(src)
		}
		out = append(out, s)
	}
	return out
}

func TestCompare(t *testing.T) {
	st := func(source idv.ClaimSource, name idv.ClaimName, value string) statement {
		return statement{Claim: claim(source, name, value)}
	}
	for _, c := range []struct {
		name string
		a, b statement
		want likeness
	}{
		{"a name and its transliteration", st(idv.FromPrinted, idv.FamilyName, "Müller"), st(idv.FromMRZ, idv.FamilyName, "MUELLER"), same},
		{"a reader that lost the diacritic", st(idv.FromPrinted, idv.FamilyName, "MULLER"), st(idv.FromMRZ, idv.FamilyName, "MUELLER"), same},
		{"two romanized forms", st(idv.FromBarcode, idv.FamilyName, "MULLER"), st(idv.FromMRZ, idv.FamilyName, "MUELLER"), same},
		{"a claim with diacritics and print without", st(idv.FromClaimed, idv.FamilyName, "Łukasz"), st(idv.FromPrinted, idv.FamilyName, "LUKASZ"), same},
		{"another name", st(idv.FromPrinted, idv.FamilyName, "MILLER"), st(idv.FromMRZ, idv.FamilyName, "MUELLER"), different},
		{"a Chinese name says nothing", st(idv.FromPrinted, idv.FamilyName, "林"), st(idv.FromMRZ, idv.FamilyName, "LIN"), incomparable},
		{"a date in two languages", st(idv.FromPrinted, idv.DateOfBirth, "12 AUG / AOÛT 1974"), st(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), same},
		{"a date with the month's name", st(idv.FromPrinted, idv.DateOfBirth, "12 Aug 1974"), st(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), same},
		{"a date with dots", st(idv.FromPrinted, idv.DateOfBirth, "12.08.1974"), st(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), same},
		{"a date in American order", st(idv.FromPrinted, idv.DateOfBirth, "08/12/1974"), st(idv.FromBarcode, idv.DateOfBirth, "1974-08-12"), same},
		{"another day", st(idv.FromPrinted, idv.DateOfBirth, "1974-08-13"), st(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), different},
		{"an unknown day is no difference", st(idv.FromPrinted, idv.DateOfBirth, "1974-08-13"), st(idv.FromMRZ, idv.DateOfBirth, "1974-XX-XX"), partly},
		{"the zone has no century", st(idv.FromPrinted, idv.DateOfBirth, "1924-08-12"), st(idv.FromMRZ, idv.DateOfBirth, "2024-08-12"), same},
		{"other sources do", st(idv.FromPrinted, idv.DateOfBirth, "1924-08-12"), st(idv.FromBarcode, idv.DateOfBirth, "2024-08-12"), different},
		{"an impossible day says nothing", st(idv.FromPrinted, idv.DateOfBirth, "1974-02-31"), st(idv.FromMRZ, idv.DateOfBirth, "1974-03-03"), incomparable},
		{"a number in groups", st(idv.FromPrinted, idv.DocumentNumber, "ZS 000-177"), st(idv.FromMRZ, idv.DocumentNumber, "ZS000177"), same},
		{"a number with O for 0", st(idv.FromPrinted, idv.DocumentNumber, "C01XOOT47"), st(idv.FromMRZ, idv.DocumentNumber, "C01X00T47"), same},
		{"another number", st(idv.FromPrinted, idv.DocumentNumber, "C01X00T48"), st(idv.FromMRZ, idv.DocumentNumber, "C01X00T47"), different},
		{"Germany in two codes", st(idv.FromPrinted, idv.Nationality, "DEU"), st(idv.FromMRZ, idv.Nationality, "D"), same},
		{"a state by name", st(idv.FromPrinted, idv.Nationality, "Utopia"), st(idv.FromMRZ, idv.Nationality, "UTO"), same},
		{"an adjective says nothing", st(idv.FromPrinted, idv.Nationality, "DEUTSCH"), st(idv.FromMRZ, idv.Nationality, "D"), incomparable},
		{"another state", st(idv.FromPrinted, idv.Nationality, "FRA"), st(idv.FromMRZ, idv.Nationality, "D"), different},
		{"sex in German", st(idv.FromPrinted, idv.Sex, "W"), st(idv.FromMRZ, idv.Sex, "F"), same},
		{"another sex", st(idv.FromPrinted, idv.Sex, "M"), st(idv.FromMRZ, idv.Sex, "F"), different},
		{
			"an address in another order", st(idv.FromClaimed, idv.Address, "Main Street 5, Utopolis"),
			st(idv.FromBarcode, idv.Address, "5 MAIN STREET UTOPOLIS"), same,
		},
		{"an address with less", st(idv.FromClaimed, idv.Address, "Main Street 5"), st(idv.FromBarcode, idv.Address, "5 MAIN STREET UTOPOLIS"), partly},
		{"addresses never differ", st(idv.FromClaimed, idv.Address, "Elm Road"), st(idv.FromBarcode, idv.Address, "5 MAIN STREET"), incomparable},
		{"an empty value", st(idv.FromClaimed, idv.Sex, ""), st(idv.FromMRZ, idv.Sex, "F"), incomparable},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := compare(c.a, c.b); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if got := compare(c.b, c.a); got != c.want {
				t.Errorf("the other way round %d, want %d", got, c.want)
			}
		})
	}
}

func TestFactsAgree(t *testing.T) {
	for _, c := range []struct {
		name   string
		claims []idv.Claim
		want   []string
	}{
		{"one source", []idv.Claim{claim(idv.FromMRZ, idv.FamilyName, "ERIKSSON")}, []string{"skipped"}},
		{"the claimed facts are no source on the document",
			[]idv.Claim{claim(idv.FromMRZ, idv.FamilyName, "ERIKSSON"), claim(idv.FromClaimed, idv.FamilyName, "Berg")}, []string{"skipped"}},
		{"print alone", []idv.Claim{claim(idv.FromPrinted, idv.FamilyName, "ERIKSSON")}, []string{"inconclusive", "document.unconfirmed "}},
		{"nothing at all", nil, []string{"inconclusive", "document.unconfirmed "}},
		{"all agree", []idv.Claim{
			claim(idv.FromMRZ, idv.FamilyName, "ERIKSSON"), claim(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"),
			claim(idv.FromPrinted, idv.FamilyName, "Eriksson"), claim(idv.FromPrinted, idv.DateOfBirth, "12.08.1974"),
		}, []string{"pass"}},
		{"family and given names drawn elsewhere", []idv.Claim{
			claim(idv.FromMRZ, idv.FamilyName, "GARCIA"), claim(idv.FromMRZ, idv.GivenNames, "LOPEZ MARIA"),
			claim(idv.FromPrinted, idv.FamilyName, "García López"), claim(idv.FromPrinted, idv.GivenNames, "María"),
		}, []string{"pass"}},
		{"each disagreement names both sources", []idv.Claim{
			claim(idv.FromMRZ, idv.FamilyName, "ERIKSSON"), claim(idv.FromPrinted, idv.FamilyName, "BERG"), claim(idv.FromBarcode, idv.FamilyName, "ERIKSSON"),
			claim(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), claim(idv.FromPrinted, idv.DateOfBirth, "1984-08-12"),
		}, []string{"fail", "document.facts_disagree family_name mrz printed", "document.facts_disagree family_name printed barcode",
			"document.facts_disagree date_of_birth mrz printed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, outcomeOf(t, FactsAgree{}, evidence(t, true, c.claims...))); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestACutNameAgreesWithTheWholeOne(t *testing.T) {
	lines, err := mrz.Write(mrz.Document{
		Format: mrz.TD3, Code: "P", Issuer: "UTO", Nationality: "UTO", Number: "L898902C3", BirthDate: "690806", ExpiryDate: "300101", Sex: "F",
		Surname: "Nilavadhanananda", GivenNames: "Chayapa Dejthamrong Krasuang",
	})
	if err != nil {
		t.Fatal(err)
	}
	zone, err := idv.PresentArtifact(idv.ArtifactMRZ, idv.Capture{Side: idv.Front}, idv.MRZ{Lines: lines})
	if err != nil {
		t.Fatal(err)
	}
	ev := idv.Evidence{Now: now, Artifacts: []idv.Artifact{zone}, Claims: []idv.Claim{
		claim(idv.FromMRZ, idv.GivenNames, "CHAYAPA DEJTHAMRONG K"), claim(idv.FromPrinted, idv.GivenNames, "Chayapa Dejthamrong Krasuang"),
	}}
	if d := cmp.Diff([]string{"pass"}, outcomeOf(t, FactsAgree{}, ev)); d != "" {
		t.Error(d)
	}
	ev.Artifacts = nil // without the zone nothing says that it was cut
	if d := cmp.Diff([]string{"fail", "document.facts_disagree given_names mrz printed"}, outcomeOf(t, FactsAgree{}, ev)); d != "" {
		t.Error(d)
	}
}

func TestOneLetterOfACutNameIsItsBeginning(t *testing.T) {
	lines, err := mrz.Write(mrz.Document{
		Format: mrz.TD2, Code: "I", Issuer: "UTO", Nationality: "UTO", Number: "L92401605", BirthDate: "710325", ExpiryDate: "350525", Sex: "M",
		Surname: "Kerekes-Szentgyoergyi von Ho", GivenNames: "Min",
	})
	if err != nil {
		t.Fatal(err)
	}
	zone, err := idv.PresentArtifact(idv.ArtifactMRZ, idv.Capture{Side: idv.Front}, idv.MRZ{Lines: lines})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		printed string
		cut     bool
		want    []string
	}{
		"the name that begins with it":           {"MIN", true, []string{"pass"}},
		"a name that begins with another":        {"KIM", true, []string{"fail", "document.facts_disagree given_names mrz printed"}},
		"a zone of which nobody says it was cut": {"MIN", false, []string{"fail", "document.facts_disagree given_names mrz printed"}},
	} {
		ev := idv.Evidence{Now: now, Claims: []idv.Claim{claim(idv.FromMRZ, idv.GivenNames, "M"), claim(idv.FromPrinted, idv.GivenNames, c.printed)}}
		if c.cut {
			ev.Artifacts = []idv.Artifact{zone}
		}
		if d := cmp.Diff(c.want, outcomeOf(t, FactsAgree{}, ev)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
	}
}

func TestClaimsMatch(t *testing.T) {
	zone := []idv.Claim{
		claim(idv.FromMRZ, idv.FamilyName, "GARCIA LOPEZ"), claim(idv.FromMRZ, idv.GivenNames, "MARIA ANA"),
		claim(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), claim(idv.FromMRZ, idv.DocumentNumber, "L898902C3"),
	}
	for _, c := range []struct {
		name     string
		verified bool
		extra    []idv.Claim
		want     []string
	}{
		{"nothing claimed", true, nil, []string{"skipped"}},
		{
			"claimed and the same", true,
			[]idv.Claim{claim(idv.FromClaimed, idv.FamilyName, "García López"), claim(idv.FromClaimed, idv.DateOfBirth, "1974-08-12")}, []string{"pass"},
		},
		{"one of two given names is enough", true, []idv.Claim{claim(idv.FromClaimed, idv.GivenNames, "Ana")}, []string{"pass"}},
		{"one of two family names is not", true, []idv.Claim{claim(idv.FromClaimed, idv.FamilyName, "Lopez")},
			[]string{"inconclusive", "document.readers_disagree family_name claimed mrz"}},
		{"another name in a verified zone", true, []idv.Claim{claim(idv.FromClaimed, idv.FamilyName, "Berg")},
			[]string{"fail", "person.claim_mismatch family_name claimed mrz"}},
		{"another name in a doubtful zone declines nobody", false, []idv.Claim{claim(idv.FromClaimed, idv.FamilyName, "Berg")},
			[]string{"inconclusive", "document.readers_disagree family_name claimed mrz"}},
		{"print alone declines nobody", false, []idv.Claim{claim(idv.FromClaimed, idv.Nationality, "FRA"), claim(idv.FromPrinted, idv.Nationality, "UTO")},
			[]string{"inconclusive", "document.readers_disagree nationality claimed printed"}},
		{
			"print that agrees beside a zone that does not", true,
			[]idv.Claim{claim(idv.FromClaimed, idv.FamilyName, "Berg"), claim(idv.FromPrinted, idv.FamilyName, "Berg")},
			[]string{"inconclusive", "document.facts_disagree family_name claimed printed mrz"}},
		{"a fact that the document should state", true, []idv.Claim{claim(idv.FromClaimed, idv.Nationality, "UTO")},
			[]string{"inconclusive", "document.readers_disagree nationality claimed"}},
		{
			"an address that it does not state", true,
			[]idv.Claim{claim(idv.FromClaimed, idv.Address, "Main Street 5"), claim(idv.FromClaimed, idv.DateOfBirth, "1974-08-12")},
			[]string{"pass"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := evidence(t, c.verified, append(append([]idv.Claim(nil), zone...), c.extra...)...)
			if d := cmp.Diff(c.want, outcomeOf(t, ClaimsMatch{}, ev)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestAgeLimit(t *testing.T) {
	for _, c := range []struct {
		name     string
		minimum  int
		verified bool
		claims   []idv.Claim
		want     []string
	}{
		{"no limit", 0, true, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2020-01-01")}, []string{"skipped"}},
		{"old enough today", 18, true, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2008-11-21")}, []string{"pass"}},
		{"a day too young", 18, true, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2008-11-22")}, []string{"fail", "person.under_age date_of_birth mrz"}},
		{"too young by a doubtful reading", 18, false, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2020-01-01")},
			[]string{"inconclusive", "document.readers_disagree date_of_birth mrz"}},
		{"an unknown day that may be either", 18, true, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2008-XX-XX")},
			[]string{"inconclusive", "document.readers_disagree date_of_birth mrz"}},
		{"an unknown day that cannot matter", 18, true, []idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "1990-XX-XX")}, []string{"pass"}},
		{"the claimed date does not count", 18, true, []idv.Claim{claim(idv.FromClaimed, idv.DateOfBirth, "1974-08-12")},
			[]string{"inconclusive", "document.readers_disagree date_of_birth"}},
		{
			"sources on either side of the limit", 18, true,
			[]idv.Claim{claim(idv.FromMRZ, idv.DateOfBirth, "2020-01-01"), claim(idv.FromPrinted, idv.DateOfBirth, "1990-01-01")},
			[]string{"inconclusive", "document.facts_disagree date_of_birth mrz printed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := evidence(t, c.verified, c.claims...)
			ev.Workflow.MinimumAge = c.minimum
			if d := cmp.Diff(c.want, outcomeOf(t, AgeLimit{}, ev)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestSidesBelong(t *testing.T) {
	for _, c := range []struct {
		name   string
		back   bool
		claims []idv.Claim
		want   []string
	}{
		{"a passport has one side", false, nil, []string{"skipped"}},
		{"the same person and number", true, []idv.Claim{
			claim(idv.FromPrinted, idv.FamilyName, "Müller"), onBack(claim(idv.FromMRZ, idv.FamilyName, "MUELLER")),
			claim(idv.FromPrinted, idv.DocumentNumber, "T220001293"), onBack(claim(idv.FromMRZ, idv.DocumentNumber, "T220001293")),
		}, []string{"pass"}},
		{"another card's back", true, []idv.Claim{
			claim(idv.FromPrinted, idv.DocumentNumber, "T220001293"), onBack(claim(idv.FromMRZ, idv.DocumentNumber, "T220001294")),
		}, []string{"fail", "document.sides_differ document_number printed mrz"}},
		{"a shared nationality proves nothing", true, []idv.Claim{
			claim(idv.FromPrinted, idv.Nationality, "UTO"), onBack(claim(idv.FromMRZ, idv.Nationality, "UTO")),
		}, []string{"inconclusive", "document.unconfirmed "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ev := evidence(t, true, c.claims...)
			if c.back {
				back, err := idv.PresentArtifact(idv.ArtifactPage, idv.Capture{Side: idv.Back}, idv.Page{})
				if err != nil {
					t.Fatal(err)
				}
				ev.Artifacts = append(ev.Artifacts, back)
			}
			if d := cmp.Diff(c.want, outcomeOf(t, SidesBelong{}, ev)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestSidesOfTwoKindsOrIssuersAreNotOneDocument(t *testing.T) {
	agree := []idv.Claim{
		claim(idv.FromPrinted, idv.DocumentNumber, "T220001293"), onBack(claim(idv.FromMRZ, idv.DocumentNumber, "T220001293")),
	}
	for name, c := range map[string]struct {
		front, back idv.Page
		want        []string
	}{
		"one document": {idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, []string{"pass"}},
		"a back of another kind": {
			idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, idv.Page{Kind: idv.DrivingLicence, Issuer: "UTO"}, []string{"fail", "document.sides_differ "},
		},
		"a back of another state": {idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, idv.Page{Kind: idv.IDCard, Issuer: "SWE"},
			[]string{"fail", "document.sides_differ issuer"}},
		"a permit whose zone says only that it is a card": {
			idv.Page{Kind: idv.ResidencePermit, Issuer: "UTO"}, idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, []string{"pass"},
		},
		"a permit and a passport": {
			idv.Page{Kind: idv.ResidencePermit, Issuer: "UTO"}, idv.Page{Kind: idv.Passport, Issuer: "UTO"}, []string{"fail", "document.sides_differ "},
		},
		"a state in the zone's letters and in those of a list": {
			idv.Page{Kind: idv.IDCard, Issuer: "DEU"}, idv.Page{Kind: idv.IDCard, Issuer: "D"}, []string{"pass"},
		},
		"a front that does not tell": {idv.Page{Kind: idv.UnknownKind}, idv.Page{Kind: idv.IDCard, Issuer: "UTO"}, []string{"pass"}},
	} {
		t.Run(name, func(t *testing.T) {
			ev := idv.Evidence{Now: now, Claims: agree}
			for side, page := range map[idv.Side]idv.Page{idv.Front: c.front, idv.Back: c.back} {
				a, err := idv.PresentArtifact(idv.ArtifactPage, idv.Capture{Side: side}, page)
				if err != nil {
					t.Fatal(err)
				}
				ev.Artifacts = append(ev.Artifacts, a)
			}
			got := outcomeOf(t, SidesBelong{}, ev)
			for i := range got {
				got[i] = strings.TrimRight(got[i], " ")
			}
			for i := range c.want {
				c.want[i] = strings.TrimRight(c.want[i], " ")
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestACardShownAsAPassportStillHasABack(t *testing.T) {
	for name, c := range map[string]struct {
		chosen, found idv.DocumentKind
		steps         []idv.Step
		want          []string
	}{
		"a card chosen as passport":       {idv.Passport, idv.IDCard, idv.DefaultWorkflow(idv.Live).Steps, []string{"inconclusive", "check.not_run "}},
		"a card of whom nothing was said": {"", idv.ResidencePermit, idv.DefaultWorkflow(idv.Live).Steps, []string{"inconclusive", "check.not_run "}},
		"a passport":                      {idv.Passport, idv.Passport, idv.DefaultWorkflow(idv.Live).Steps, []string{"skipped"}},
		"a workflow that asks for fronts": {idv.IDCard, idv.IDCard, []idv.Step{idv.StepDocumentFront}, []string{"skipped"}},
	} {
		t.Run(name, func(t *testing.T) {
			front, err := idv.PresentArtifact(idv.ArtifactPage, idv.Capture{Side: idv.Front}, idv.Page{Kind: c.found})
			if err != nil {
				t.Fatal(err)
			}
			ev := idv.Evidence{Chosen: c.chosen, Workflow: idv.WorkflowVersion{Steps: c.steps}, Artifacts: []idv.Artifact{front}}
			if d := cmp.Diff(c.want, outcomeOf(t, SidesBelong{}, ev)); d != "" {
				t.Errorf("want -, got +:\n%s", d)
			}
		})
	}
}

func TestEveryCheckerAsksItsOwnQuestion(t *testing.T) {
	seen := make(map[idv.CheckKind]bool)
	for _, c := range append(OfDocument(Models{}), OfStatements()...) {
		if seen[c.Kind()] || len(c.Needs()) == 0 {
			t.Errorf("%s", c.Kind())
		}
		seen[c.Kind()] = true
	}
}
