package workflow

import "testing"

func TestARateThatIsNoneIsToldAsItStands(t *testing.T) {
	for fmr, want := range map[string]string{"1": "1 in 1", "3e-4": "1 in 3\u202f300", "NaN": `"NaN"`, "5e-324": `"5e-324"`, "-1": `"-1"`, "": `""`} {
		if got := oneInText(fmr); got != want {
			t.Errorf("%s: got %s, want %s", fmr, got, want)
		}
	}
}
