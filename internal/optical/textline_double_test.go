package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestACharacterThatWasAnsweredTwiceIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		at   []float64 // in pitches
		sure []float64
		want string
	}{
		"without its diacritic first":    {"XAÅLB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XÅLB"},
		"as a letter and as a digit":     {"TBO062", []float64{0, 1, 1.8, 2.2, 3, 4}, []float64{1, 1, .5, .9, 1, 1}, "TB062"},
		"the second is the less sure":    {"MĄAR1", []float64{0, .8, 1.2, 2, 3}, []float64{1, .9, .5, 1, 1}, "MĄR1"},
		"two letters that stand apart":   {"XAÅLB", []float64{0, 1, 2, 3, 4}, []float64{1, .6, .9, 1, 1}, "XAÅLB"},
		"two of the same":                {"XAALB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XAALB"},
		"as a letter of two scripts":     {"XВBЛЯ", []float64{0, .8, 1.2, 2, 3}, []float64{1, .9, .6, 1, 1}, "XВЛЯ"},
		"two letters of different shape": {"XTRLB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XTRLB"},
		"two letters at one place":       {"XTRLB", []float64{0, .9, 1.1, 2, 3}, []float64{1, .6, .9, 1, 1}, "XRLB"},
		"two sure letters at one place":  {"XTRLB", []float64{0, .9, 1.1, 2, 3}, []float64{1, 1, .9, 1, 1}, "XTRLB"},
		"a letter and the space by it":   {"XT LB", []float64{0, .9, 1.1, 2, 3}, []float64{1, .6, .9, 1, 1}, "XT LB"},
		"a figure twice":                 {"311 94", []float64{0, .9, 1.3, 2, 3, 4}, []float64{1, .74, .56, 1, 1, 1}, "31 94"},
		"two figures, sure enough":       {"311 94", []float64{0, .9, 1.3, 2, 3, 4}, []float64{1, .84, .8, 1, 1, 1}, "311 94"},
	} {
		p := printed{chars: c.sure}
		for _, a := range c.at {
			p.at = append(p.at, a/10)
		}
		if got := string(p.undouble([]rune(c.text))); got != c.want || len(p.at) != len([]rune(got)) || len(p.chars) != len(p.at) {
			t.Errorf("%s: %q of %d places, want %q", name, got, len(p.at), c.want)
		}
	}
}

func TestASingleLetterIsReadAlongThePagesLines(t *testing.T) {
	tall := ocr.Strip{X: 50, Y: 50, UY: 1, Length: 36, Height: 20} // an F: higher than wide
	long := ocr.Strip{X: 50, Y: 90, UX: 1, Length: 90, Height: 20}
	got := asLines([]ocr.Strip{tall, long}, 2)
	if s := got[0]; s.Length != 20 || s.Height != 36 || s.UX != 1 || s.UY != 0 {
		t.Errorf("a letter lies as %+v", s)
	}
	if got[1] != long || tall.Length != 36 {
		t.Error("a long line was turned, or the strips that were given were changed")
	}
}
