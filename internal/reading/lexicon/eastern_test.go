package lexicon

import (
	"testing"
)

func TestCyrillicAndGreekAreFoldedToTheirTransliteration(t *testing.T) {
	for text, want := range map[string]string{
		"Щербаков": "SHCHERBAKOV",
		"Њежић":    "NJEZHIC", "Юлія": "IULIIA", "Ξενάκης": "XENAKIS",
		"ΠΑΠΑΔΟΠΟΥΛΟΣ": "PAPADOPOYLOS", "объект": "OBIEEKT", "Straße": "STRASSE",
	} {
		if got := Fold(text); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestStatesInCyrillicAndGreek(t *testing.T) {
	for name, want := range map[string]string{"РОССИЙСКАЯ ФЕДЕРАЦИЯ": "RUS", "УКРАЇНА": "UKR", "Ελληνική Δημοκρατία": "GRC", "РЕПУБЛИКА СРБИЈА": "SRB"} {
		if got := StateNames()[Letters(name)]; got != want {
			t.Errorf("%q is the state %q, want %q", name, got, want)
		}
	}
}

func TestSexesInCyrillicAndGreek(t *testing.T) {
	for text, want := range map[string]string{"МУЖ": "M", "Жен": "F", "Ж": "F", "Ч": "M", "М": "M", "ΘΗΛΥ": "F", "CH": "", "TH": "", "F": "F", "Ф": ""} {
		if got := SexOf(text); got != want {
			t.Errorf("%q is the sex %q, want %q", text, got, want)
		}
	}
}
