package reading

import "testing"

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

func TestAFieldsNumberIsReadThoughItsSpaceWasLost(t *testing.T) {
	for text, want := range map[string]string{
		"1SAMPLE": "1", "4bEXP 01/02/2030": "4b", "16HGT 5-10": "16", "2MARIA ANNA": "2",
		"1 SAMPLE": "1", "2ND FLOOR": "2ND", "12AB345": "12AB345", "99TEST": "99TEST", "1st": "1st", "X1SAMPLE": "X1SAMPLE",
	} {
		if got := rowsOf(sheet(printed{x: 100, y: 100, text: text}))[0].words[0].text; got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
	if !Numbered("1SAMPLE") {
		t.Error("1SAMPLE does not begin with a field's number")
	}
}

func TestTheParticleOfANameIsNoPartOfItsLabel(t *testing.T) {
	for text, want := range map[string]string{
		"NAME/NOM VON THURNAU":      "VON THURNAU",
		"Nom: DU PONT":              "DU PONT",
		"Name of holder THURNAU":    "THURNAU",
		"Gültig von 12.08.2024":     "12.08.2024",
		"Délivré par LYON":          "LYON",
		"Date d'expiration du TEST": "TEST",
	} {
		rows := rowsOf(sheet(printed{x: 100, y: 100, text: text}))
		_, texts := linesApart(rows, plain)
		if len(texts) != 1 {
			t.Errorf("%q: %d texts, want 1", text, len(texts))
			continue
		}
		words := texts[0].words
		if got := string(rows[0].runes[words[0].from:words[len(words)-1].to]); got != want {
			t.Errorf("%q: text %q, want %q", text, got, want)
		}
	}
}
