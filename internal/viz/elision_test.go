package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAnApostropheThatIsPrintedBelongsToTheName(t *testing.T) {
	for name, c := range map[string]struct {
		page Page
		want claims
	}{
		"a place below its label":           {under("Place of birth", "'s-Hertogenbosch"), claims{placeOfBirth: "'s-Hertogenbosch"}},
		"in capitals":                       {under("Place of birth", "'S-GRAVENHAGE"), claims{placeOfBirth: "'S-GRAVENHAGE"}},
		"after a colon":                     {pageOf(at(100, 100, 20, "Place of birth: 's-Hertogenbosch")), claims{placeOfBirth: "'s-Hertogenbosch"}},
		"a place whose apostrophe was lost": {under("Place of birth", "S-HERTOGENBOSCH"), claims{placeOfBirth: "'S-HERTOGENBOSCH"}},
		"a Swiss place that has none":       {under("Place of birth", "S-chanf"), claims{placeOfBirth: "S-chanf"}},
		"a name":                            {under("Surname", "'t Hooft"), claims{surname: "'t Hooft"}},
		"a speck before another name":       {under("Surname", "'ERIKSSON"), claims{surname: "ERIKSSON"}},
		"a speck before another place":      {under("Place of birth", "'ZENITH"), claims{placeOfBirth: "ZENITH"}},
		"a speck behind one":                {under("Place of birth", "ZENITH'"), claims{placeOfBirth: "ZENITH"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(c.page))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheLabelsOfVisasAreUnderstoodThoughOneLanguageWasMisread(t *testing.T) {
	for name, c := range map[string]struct {
		lines []Line
		want  claims
	}{
		"a small l read as a capital I":        {[]Line{at(300, 60, 14, "EttőI - From"), at(300, 84, 24, "15 NOV 25")}, claims{dateOfIssue: "2025-11-15"}},
		"the second language, before the day":  {[]Line{at(300, 60, 24, "Bis / Untit: 09 MÄR 2027")}, claims{dateOfExpiry: "2027-03-09"}},
		"a day with hyphens beside its labels": {[]Line{at(300, 60, 24, "Från / From: 26-FEB-2026")}, claims{dateOfIssue: "2026-02-26"}},
		"the next label close behind a day":    {[]Line{at(300, 60, 24, "Od · From: 09 02 2026 Do· Untt: 08 02 2028")}, claims{dateOfIssue: "2026-02-09", dateOfExpiry: "2028-02-08"}},
		"a hyphen between short labels":        {[]Line{at(300, 60, 14, "VON-FROM"), at(300, 84, 24, "28.04.2026")}, claims{dateOfIssue: "2026-04-28"}},
		"hyphens between three of them":        {[]Line{at(300, 60, 24, "De-From- Du 13 SET 2025")}, claims{dateOfIssue: "2025-09-13"}},
		"a name of two such words":             {[]Line{at(300, 60, 14, "Given names"), at(300, 84, 24, "VAN-DU")}, claims{givenNames: "VAN-DU"}},
		"a name that has such a word":          {[]Line{at(300, 60, 14, "Surname"), at(300, 84, 24, "PETERSEN VON BIS")}, claims{surname: "PETERSEN VON BIS"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(c.lines...)
			p.Kind = idv.Visa
			if d := cmp.Diff(c.want, stated(Read(p))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestLabelsOfManyLanguagesAreCutAtTheirHyphens(t *testing.T) {
	for name, c := range map[string]struct {
		page Page
		want claims
	}{
		"labels of one word":       {under("SESSO-SEX-SEXO", "M"), claims{sex: "M"}},
		"run together":             {under("SESSOSEX-SEXO", "M"), claims{sex: "M"}},
		"labels of several words":  {under("DATA DIEMISSIONE-ISSUED ON-FECHA DE EXPEDICIÓN", "25/04/2023"), claims{dateOfIssue: "2023-04-25"}},
		"a name with a hyphen":     {under("Given names", "KARL-FRIEDRICH"), claims{givenNames: "KARL-FRIEDRICH"}},
		"a name that has a label":  {under("Surname", "SEX-NAVARRO"), claims{surname: "SEX-NAVARRO"}},
		"a place with two hyphens": {under("Place of birth", "AIX-EN-PROVENCE"), claims{placeOfBirth: "AIX-EN-PROVENCE"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(c.page))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestALetterBeforeALabelIsTheValueOfTheOneBefore(t *testing.T) {
	p := pageOf(at(100, 100, 20, "SEXE / SEX: M NATIONALITÉ / NATIONALITY: JPN"))
	if d := cmp.Diff(claims{sex: "M", nationality: "JPN"}, stated(Read(p))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
