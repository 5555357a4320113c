package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// zoned are the facts that a page states beside a zone.
func zoned(p Page, zone []idv.Claim, cut int) claims {
	answers, rest := Compare(p, Read(p), zone, cut)
	for _, a := range answers {
		if a.Verdict == Agrees {
			rest = append(rest, a.Claim)
		}
	}
	return stated(Reading{Claims: rest})
}

func TestWhatTheZoneStatesIsFoundWithoutItsLabel(t *testing.T) {
	names := func() []Line { return under("Surname", "ERIKSSON", "Given names", "ANNA MARIA").Lines }
	dim := at(600, 84, 24, "UTOPISCHE")
	dim.Chars = []float64{1, 1, 1, .6, 1, 1, 1, 1, 1}
	for name, c := range map[string]struct {
		more []Line
		kind idv.DocumentKind
		want claims
	}{
		"but who is sure":                            {[]Line{dim}, idv.Passport, claims{}},
		"in small print":                             {[]Line{at(600, 84, 10, "UTOPISCHE")}, idv.Passport, claims{}},
		"in a heading":                               {[]Line{at(600, 84, 60, "UTOPISCHE")}, idv.Passport, claims{}},
		"of another label":                           {[]Line{at(600, 84, 24, "Blood group: UTOPISCHE")}, idv.Passport, claims{}},
		"twice":                                      {[]Line{at(600, 84, 24, "UTOPISCHE"), at(600, 134, 24, "UTOPISCHE")}, idv.Passport, claims{}},
		"the word for the people":                    {[]Line{at(600, 84, 24, "UTOPISCHE")}, idv.Passport, claims{nationality: "UTO"}},
		"the name of the state":                      {[]Line{at(600, 84, 24, "UTOPIE")}, idv.Passport, claims{}},
		"another people":                             {[]Line{at(600, 84, 24, "DEUTSCH")}, idv.Passport, claims{}},
		"a passport's issuer":                        {[]Line{at(600, 84, 24, "UTO")}, idv.Passport, claims{issuer: "UTO"}},
		"a code that may be of something else":       {[]Line{at(600, 84, 24, "UTO"), at(600, 134, 24, "UTO")}, idv.Passport, claims{}},
		"the number of the person":                   {[]Line{at(600, 84, 24, "3964-282391")}, idv.Passport, claims{personalNumber: "3964282391"}},
		"the number of the person, of another label": {[]Line{at(600, 84, 24, "Permit: 3964282391")}, idv.Passport, claims{}},
		"another number":                             {[]Line{at(600, 84, 24, "3964282397")}, idv.Passport, claims{}},
		"a visa's code below the names, in a column": {[]Line{at(300, 184, 24, "UTO")}, idv.Visa, claims{nationality: "UTO"}},
		"a visa's code above the names":              {[]Line{at(300, 30, 24, "UTO")}, idv.Visa, claims{}},
		"a visa's code that begins anywhere":         {[]Line{at(500, 184, 24, "UTO")}, idv.Visa, claims{}},
		"another code on a visa":                     {[]Line{at(300, 184, 24, "UTA")}, idv.Visa, claims{}},
		"a card's code, which may be in its emblem":  {[]Line{at(600, 84, 24, "UTO")}, idv.IDCard, claims{}},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(append(names(), c.more...)...)
			p.Kind = c.kind
			want := claims{surname: "ERIKSSON", givenNames: "ANNA MARIA"}
			for k, v := range c.want {
				want[k] = v
			}
			zone := []idv.Claim{{Name: surname, Value: "ERIKSSON"}, {Name: givenNames, Value: "ANNA MARIA"}, {Name: nationality, Value: "UTO"}, {Name: issuer, Value: "UTO"}, {Name: personalNumber, Value: "3964282391"}}
			if d := cmp.Diff(want, zoned(p, zone, 0)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestOfANameThatTheZoneCutToOneLetterTheLabelledOneCounts(t *testing.T) {
	zone := []idv.Claim{{Name: surname, Value: "KEREKES SZENTGYOERGYI VON HO"}, {Name: givenNames, Value: "M"}, {Name: sex, Value: "M"}}
	for name, c := range map[string]struct {
		given string
		cut   int
		want  string
	}{
		"it begins with the letter":      {"MIN", 31, "MIN"},
		"it begins with another":         {"KIM", 31, ""},
		"the zone has the whole name":    {"M", 0, "M"},
		"the letter of the sex is none":  {"", 31, ""},
		"the zone was not cut, and less": {"MIN", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := under("Surname", "KEREKES-SZENTGYÖRGYI VON HOHENLOHE", "Sex", "M")
			if c.given != "" {
				p = under("Surname", "KEREKES-SZENTGYÖRGYI VON HOHENLOHE", "Given names", c.given, "Sex", "M")
			}
			if got := zoned(p, zone, c.cut)[givenNames]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestANumberThatNearlyIsTheZonesIsWorthASecondLook(t *testing.T) {
	for number, want := range map[string]bool{"AB1234567": true, "AB1284567": false, "XY9876543": false, "": false} {
		p := under("Surname", "NOVAK", "Passport No.", "AB1284567")
		p.Number = number
		got := false
		for _, a := range Read(p).Again {
			got = got || a.Against
		}
		if got != want {
			t.Errorf("%q: %v, want %v", number, got, want)
		}
	}
}

func TestANumberedLabelBeginsAtItsNumber(t *testing.T) {
	const left = "UTOPIAN / UTOPISCHER BÜRGER "
	column := 100 + .55*24*float64(len([]rune(left))) // so close to the other that both values are read as one
	labels := across(at(100, 100, 20, "1. Nationality"), at(column, 100, 20, "2. Passport number"))
	if got := stated(Read(pageOf(labels, at(100, 126, 24, left+"AB1234567"))))[documentNumber]; got != "AB1234567" {
		t.Errorf("got %q", got)
	}
}
