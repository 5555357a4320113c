package reading

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestKindAndIssuerComeFromManyWitnesses(t *testing.T) {
	for name, tt := range map[string]struct {
		lines  []printed
		kind   idv.DocumentKind
		issuer string
	}{
		"a title and a state in its own language": {
			[]printed{{x: 100, y: 60, text: "REPUBLIKA HRVATSKA", h: 40}, {x: 100, y: 120, text: "PUTOVNICA", h: 40},
				{x: 300, y: 200, text: "HRV"}, {x: 300, y: 250, text: "ANIĆ"}},
			idv.Passport, "HRV",
		},
		"a title over two rows": {
			[]printed{{x: 100, y: 60, text: "SUOMI FINLAND", h: 40}, {x: 100, y: 120, text: "DRIVING", h: 40},
				{x: 100, y: 165, text: "LICENCE", h: 40}, {x: 300, y: 250, text: "AALTO"}},
			idv.DrivingLicence, "FIN",
		},
		"nothing that says it": {
			[]printed{{x: 100, y: 60, text: "QWRTZP"}, {x: 100, y: 120, text: "12.08.1964"}, {x: 100, y: 180, text: "X1234567"}},
			idv.UnknownKind, "",
		},
		"two states as headings": {
			[]printed{{x: 100, y: 60, text: "FRANCE", h: 40}, {x: 500, y: 60, text: "POLSKA", h: 40}, {x: 100, y: 200, text: "X1234567"}},
			idv.UnknownKind, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Read(sheet(tt.lines...))
			if got.Kind != tt.kind || got.Issuer != tt.issuer {
				t.Errorf("got %q of %q, want %q of %q", got.Kind, got.Issuer, tt.kind, tt.issuer)
			}
		})
	}
}

func TestWhatTheZoneSaysOfKindAndIssuerCounts(t *testing.T) {
	p := sheet(printed{x: 100, y: 60, text: "REPUBLIKA HRVATSKA", h: 40}, printed{x: 100, y: 120, text: "PUTOVNICA", h: 40})
	p.Kind, p.Issuer = idv.Visa, "POL"
	if got := Read(p); got.Kind != idv.Visa || got.Issuer != "POL" {
		t.Errorf("got %q of %q", got.Kind, got.Issuer)
	}
}

func TestWitnessesOfAState(t *testing.T) {
	for text, want := range map[string]struct{ code, what string }{
		"AUSTIN TX 73301":            {"USA", "postal code"},
		"OTTAWA ON K1A 0B1":          {"CAN", "postal code"},
		"1012 AB AMSTERDAM":          {"NLD", "postal code"},
		"REPUBLIQUE FRANCAISE":       {"FRA", "name alone"},
		"PASSPORT / ÖSTERREICH / UE": {"AUT", "name apart"},
		"Nationality POLISH":         {"POL", "people within"},
		"Code: SWE":                  {"SWE", "code apart"},
		"KØREKORT":                   {"DNK", "tongue"},
	} {
		p := NewProblem(sheet(printed{x: 100, y: 100, text: text}), &Model{})
		found := false
		for _, g := range p.Issuers() {
			for _, f := range g.Features {
				found = found || g.Value == want.code && f.Name == "issuer "+want.what
			}
		}
		if !found {
			t.Errorf("%q is no witness of %s by %s: %+v", text, want.code, want.what, p.Issuers())
		}
	}
}

func TestTheGuessesOfAPageAddUpToOne(t *testing.T) {
	w := Weights{"a": 2, "b": 1}
	all := []Guess{{}, {Value: "x", Features: []Feature{{"a", 1}}}, {Value: "y", Features: []Feature{{"b", 1}}}}
	v, sure := Likeliest(all, w)
	if v != "x" || sure < .66 || sure > .67 { // e² / (1 + e + e²)
		t.Errorf("got %q with %.3f", v, sure)
	}
}
