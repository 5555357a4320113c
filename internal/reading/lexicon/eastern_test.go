package lexicon

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
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

func TestStatesAndTitlesInCyrillicAndGreek(t *testing.T) {
	for name, want := range map[string]string{"РОССИЙСКАЯ ФЕДЕРАЦИЯ": "RUS", "УКРАЇНА": "UKR", "Ελληνική Δημοκρατία": "GRC", "РЕПУБЛИКА СРБИЈА": "SRB"} {
		if got := StateNames()[Letters(name)]; got != want {
			t.Errorf("%q is the state %q, want %q", name, got, want)
		}
	}
	titles := map[string]idv.DocumentKind{"ПАСПОРТ": idv.Passport, "ВОДИТЕЛЬСКОЕ УДОСТОВЕРЕНИЕ": idv.DrivingLicence, "ЛИЧНА КАРТА": idv.IDCard}
	for title, want := range titles {
		found := false
		for _, s := range TitleStems() {
			found = found || s.Kind == want && s.Begins(s.Parts[0], Letters(strings.Fields(title)[0]))
		}
		if !found {
			t.Errorf("%q is no title of %s", title, want)
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
