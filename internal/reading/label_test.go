package reading

import "testing"

func TestALineThatBeginsWithALabelIsToldFromOthers(t *testing.T) {
	for text, want := range map[string]bool{
		"Surname / Nom": true, "Date de naissance": true, "3. Nationality": true, "Geburtsdatum 12.08.1964": true,
		"MUSTERFRAU": false, "12.08.1964": false, "X0012 345": false, "": false,
	} {
		if got := Labelled(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestALineShowsItsFieldNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"1. MUSTERFRAU": true, "4b. 02.04.2036": true, "4a 03.04.2021": true, "5. X0012": true,
		"MUSTERFRAU": false, "1.": false, "12.08.1964": false, "17 WGT": false, "": false,
	} {
		if got := Numbered(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}
