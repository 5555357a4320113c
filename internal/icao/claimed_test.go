package icao

import "testing"

func TestFactsNameStatesByISO(t *testing.T) {
	for zone, want := range map[string]string{
		"D<<": "DEU", "D": "DEU", "DEU": "DEU", "FRA": "FRA", "UTO": "UTO", "RKS": "RKS", "GBD": "GBD", "XXA": "XXA", "UNO": "UNO", "XQX": "XQX", "": "",
	} {
		if got := ClaimedState(zone); got != want {
			t.Errorf("%q: %q, want %q", zone, got, want)
		}
	}
	for _, s := range States() {
		if got := ClaimedState(s.Code); len(got) != 3 {
			t.Errorf("%s is claimed as %q", s.Code, got)
		}
	}
}
