package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
)

func TestOfSeveralReadingsThoseOfTheZonesNameCount(t *testing.T) {
	plain, ringed := text.Reading{Text: "ANGSTROM", Least: .9}, text.Reading{Text: "ÅNGSTRÖM", Least: .6}
	for zone, want := range map[string]int{"AANGSTROEM": 1, "ANGSTROM": 2, "BERG": 2} {
		w := printedText{&work{}}
		w.page.MRZ = &Zone{Document: mrz.Document{Surname: zone}}
		if got := w.asInZone([]text.Reading{plain, ringed}); len(got) != want {
			t.Errorf("%s: %d readings, want %d", zone, len(got), want)
		}
	}
	if got := (printedText{&work{}}).asInZone([]text.Reading{plain, ringed}); len(got) != 2 {
		t.Errorf("without a zone: %d readings", len(got))
	}
}

func TestTheZonesNumberCountsWhereOneReadingSurelyIsIt(t *testing.T) {
	w := printedText{&work{}}
	w.page.MRZ = &Zone{Document: mrz.Document{Number: "V79531910", Surname: "NOVAK", GivenNames: "ANNA"}}
	eight := text.Reading{Text: "V79581910", Least: .97}
	surely := text.Reading{Text: "V79531910", Least: .95}
	hardly := text.Reading{Text: "V79531910", Least: .6}
	for name, c := range map[string]struct {
		seen []text.Reading
		want string
	}{
		"surely, without the colours":       {[]text.Reading{eight, eight, surely}, "V79531910"},
		"hardly: what was read stays":       {[]text.Reading{eight, eight, hardly}, "V79581910"},
		"none is: what was read stays":      {[]text.Reading{eight, eight}, "V79581910"},
		"in groups, as numbers are printed": {[]text.Reading{eight, {Text: "V79 531 910", Least: .98}}, "V79 531 910"},
	} {
		if got := w.asInZone(c.seen)[0].Text; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNamesAreInTheLanguagesOfTheIssuerOrOnVisasOfTheHoldersState(t *testing.T) {
	stated := reading.Reading{Issuer: "MEX", Kind: idv.Visa, Claims: []idv.Claim{{Name: idv.Nationality, Value: "BRA"}}}
	for name, c := range map[string]struct {
		kind idv.DocumentKind
		zone string // the nationality that it states
		read reading.Reading
		want string
	}{
		"a passport": {idv.Passport, "", reading.Reading{Issuer: "LTU"}, "LTU"},
		"a visa":     {idv.UnknownKind, "", stated, "BRA"},
		"a visa whose zone states the nationality": {idv.Visa, "D", reading.Reading{Issuer: "MEX"}, "DEU"},
		"a permit that states no nationality":      {idv.ResidencePermit, "", reading.Reading{Issuer: "MEX"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := printedText{&work{page: Page{Page: idv.Page{Kind: c.kind}}}}
			if c.zone != "" {
				w.page.MRZ = &Zone{Document: mrz.Document{Nationality: c.zone}}
			}
			if got := w.stateOfNames(c.read); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
