package lexicon

import "testing"

func TestStatesAreKnownByTheirNamesInOtherLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"SZWECJA": "SWE", "Norsunluurannikko": "CIV", "Īrija": "IRL", "Brasilien": "BRA", "NIGEERIA": "NGA", "chilena": "CHL", "Ivoirienne": "CIV",
		"Kenyan": "KEN", "D": "D", "Deutschland": "D", "IRLANDE": "IRL", "Jordan": "JOR", "SZWECIA": "SWE",
		"LINDQVIST": "", "MUSTER": "", "NOM": "",
	} {
		if got := NationalityOf(text); got != want {
			t.Errorf("NationalityOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNoNameIsThatOfTwoStates(t *testing.T) {
	for name, code := range StateNames() {
		if code == "" || len(name) < 2 {
			t.Errorf("%q is a name of %q", name, code)
		}
	}
}
