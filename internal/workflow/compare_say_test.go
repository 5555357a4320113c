package workflow

import (
	"strings"
	"testing"
)

func TestARateThatIsNoneIsToldAsItStands(t *testing.T) {
	for fmr, want := range map[string]string{"1": "1 in 1", "3e-4": "1 in 3\u202f300", "NaN": `"NaN"`, "5e-324": `"5e-324"`, "-1": `"-1"`, "": `""`} {
		if got := oneInText(fmr); got != want {
			t.Errorf("%s: got %s, want %s", fmr, got, want)
		}
	}
}

func TestALongListOfStatesIsCutAndCounted(t *testing.T) {
	b := plain()
	b.Countries = []string{"D", "AUT", "FRA", "ITA", "ESP", "PRT", "POL", "NLD", "BEL", "DNK", "SWE", "FIN", "NOR", "CHE"}
	got := Compare(plain(), b, nil)
	if len(got) != 1 || !strings.Contains(got[0].Text, " and 2 more") || strings.Contains(got[0].Text, "CHE") {
		t.Errorf("%v", got)
	}
}
