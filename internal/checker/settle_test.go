package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// licence is the print of a licence's front, read by so many readers.
func licence(readers int) []idv.Claim {
	facts := []idv.Claim{
		claim(idv.FromPrinted, idv.FamilyName, "GILL"), claim(idv.FromPrinted, idv.GivenNames, "CARLA"), claim(idv.FromPrinted, idv.DateOfBirth, "1969-05-10"),
		claim(idv.FromPrinted, idv.DocumentNumber, "GILL9605109C99LY"), claim(idv.FromPrinted, idv.DateOfExpiry, "2030-02-28"),
	}
	for i := range facts {
		facts[i].Readers = readers
	}
	return facts
}

// but returns claims with one value changed.
func but(claims []idv.Claim, name idv.ClaimName, value string) []idv.Claim {
	for i := range claims {
		if claims[i].Name == name {
			claims[i].Value = value
		}
	}
	return claims
}

// sided is the evidence of a licence without zone and barcode, with lines of print on its back.
func sided(t *testing.T, by idv.Settling, issuer string, back []string, claims []idv.Claim) idv.Evidence {
	t.Helper()
	e := &scene{t: t, Evidence: idv.Evidence{Now: now, Claims: claims}}
	e.Workflow.SettledBy = by
	e.present(idv.ArtifactPage, idv.Front, idv.Page{Kind: idv.DrivingLicence, Issuer: issuer})
	if back != nil {
		page := idv.Page{Kind: idv.DrivingLicence, Width: 1000, Height: 600}
		for i, text := range back {
			at := idv.Box{X: .1, Y: .1 + .1*float64(i), Width: .02 * float64(len(text)), Height: .05}
			page.Lines = append(page.Lines, idv.Line{Text: text, Confidence: .99, Box: at})
		}
		e.present(idv.ArtifactPage, idv.Back, page)
	}
	return e.Evidence
}

func TestWhatSettlesADocumentWithoutZoneAndBarcode(t *testing.T) {
	const family, given, born, number, expires = idv.FamilyName, idv.GivenNames, idv.DateOfBirth, idv.DocumentNumber, idv.DateOfExpiry
	stated := func(side idv.Side, claims []idv.Claim) []idv.Claim {
		for i := range claims {
			claims[i].Side = side
		}
		return claims
	}
	table := []string{"AM 01.03.15 28.02.30", "B 01.03.15 28.02.30"}
	byNumber := []idv.ConfirmedFact{{Claim: family, By: idv.ByNumber}, {Claim: born, By: idv.ByNumber}, {Claim: number, By: idv.ByNumber}}
	byReaders := []idv.ConfirmedFact{
		{Claim: family, By: idv.ByNumber}, {Claim: given, By: idv.ByTwoReaders}, {Claim: born, By: idv.ByNumber}, {Claim: number, By: idv.ByNumber},
		{Claim: expires, By: idv.ByTwoReaders},
	}
	withTable := append(byReaders[:4:4], idv.ConfirmedFact{Claim: expires, By: idv.ByTwoSources})
	var both []idv.ConfirmedFact
	for _, name := range idv.SettlingFacts() {
		both = append(both, idv.ConfirmedFact{Claim: name, By: idv.ByTwoSources})
	}
	for _, c := range []struct {
		name      string
		ev        idv.Evidence
		want      []string
		confirmed []idv.ConfirmedFact
	}{
		{
			"one reader, and a driver number that encodes name and birth",
			sided(t, idv.SettledByTwoReaders, "GBR", nil, licence(0)),
			[]string{"inconclusive", "document.unconfirmed given_names", "document.unconfirmed date_of_expiry"}, byNumber,
		},
		{"two readers", sided(t, idv.SettledByTwoReaders, "GBR", nil, licence(2)), []string{"pass"}, byReaders},
		{
			"two readers where the workflow asks for two sources", sided(t, idv.SettledByTwoSources, "GBR", nil, licence(2)),
			[]string{"inconclusive", "document.unconfirmed given_names", "document.unconfirmed date_of_expiry"}, byReaders,
		},
		{
			"two readers where the workflow asks for a zone or a barcode", sided(t, "", "GBR", nil, licence(2)),
			[]string{"inconclusive", "document.unconfirmed "}, byReaders,
		},
		{"the table on the back repeats the day of expiry", sided(t, idv.SettledByTwoReaders, "GBR", table, licence(2)), []string{"pass"}, withTable},
		{
			"both sides state every fact",
			sided(t, idv.SettledByTwoSources, "UTO", []string{"x"}, append(licence(0), stated(idv.Back, licence(0))...)), []string{"pass"}, both,
		},
		{
			"sides that disagree on the name settle nothing, whoever read them",
			sided(t, idv.SettledByTwoReaders, "UTO", []string{"x"}, append(licence(2), but(stated(idv.Back, licence(2)), given, "DORA")...)),
			[]string{"inconclusive", "document.unconfirmed given_names"}, append(both[:1:1], both[2:]...),
		},
		{
			"what the applicant states confirms nothing",
			sided(t, idv.SettledByTwoSources, "UTO", nil, append(licence(0)[:2:2], claim(idv.FromClaimed, family, "GILL"), claim(idv.FromClaimed, born, "1969-05-10"))),
			[]string{
				"inconclusive", "document.unconfirmed family_name", "document.unconfirmed given_names", "document.unconfirmed date_of_birth",
				"document.unconfirmed document_number", "document.unconfirmed date_of_expiry",
			}, nil,
		},
		{
			"a fact that was not read", sided(t, idv.SettledByTwoReaders, "GBR", nil, licence(2)[:4]),
			[]string{"inconclusive", "document.unconfirmed date_of_expiry"}, byReaders[:4],
		},
		{
			"a number of the issuer that encodes another birth",
			sided(t, idv.SettledByTwoReaders, "GBR", nil, but(licence(2), born, "1989-05-10")),
			[]string{"inconclusive", "document.facts_disagree date_of_birth printed"}, nil,
		},
		{
			"a number that only looks like one, of another issuer, encodes nothing",
			sided(t, idv.SettledByTwoReaders, "SWE", nil, but(licence(2), born, "1989-05-10")), []string{"pass"}, []idv.ConfirmedFact{
				{Claim: family, By: idv.ByTwoReaders}, {Claim: given, By: idv.ByTwoReaders}, {Claim: born, By: idv.ByTwoReaders},
				{Claim: number, By: idv.ByTwoReaders}, {Claim: expires, By: idv.ByTwoReaders},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, outcomeOf(t, FactsAgree{}, c.ev)); d != "" {
				t.Errorf("outcome (-want +got)\n%s", d)
			}
			f, err := FactsAgree{}.Check(t.Context(), c.ev)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.confirmed, f.Confirmed); d != "" {
				t.Errorf("confirmed (-want +got)\n%s", d)
			}
		})
	}
}

func TestTheTableOnABackBelongsToTheFrontWhoseDayItRepeats(t *testing.T) {
	for name, c := range map[string]struct {
		back []string
		want []string
	}{
		"it repeats the day of expiry": {[]string{"B 01.03.15 28.02.30"}, []string{"pass"}},
		"it states other days":         {[]string{"B 01.03.15 27.02.30"}, []string{"inconclusive", "document.unconfirmed "}},
		"it states no day":             {[]string{"B"}, []string{"inconclusive", "document.unconfirmed "}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, outcomeOf(t, SidesBelong{}, sided(t, "", "UTO", c.back, licence(0)))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
