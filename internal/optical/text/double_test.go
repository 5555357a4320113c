package text

import "testing"

func TestACharacterThatWasAnsweredTwiceIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		at   []float64 // in pitches
		sure []float64
		want string
	}{
		"without its diacritic first":       {"XAÅLB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XÅLB"},
		"as a letter and as a digit":        {"TBO062", []float64{0, 1, 1.8, 2.2, 3, 4}, []float64{1, 1, .5, .9, 1, 1}, "TB062"},
		"with its first stroke as a letter": {"WEIfßH", []float64{0, 1, 2, 2.8, 3.3, 4.2}, []float64{1, 1, 1, .96, .99, 1}, "WEIßH"},
		"the second is the less sure":       {"MĄAR1", []float64{0, .8, 1.2, 2, 3}, []float64{1, .9, .5, 1, 1}, "MĄR1"},
		"two letters that stand apart":      {"XAÅLB", []float64{0, 1, 2, 3, 4}, []float64{1, .6, .9, 1, 1}, "XAÅLB"},
		"two of the same":                   {"XAALB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XAALB"},
		"as a letter of two scripts":        {"XВBЛЯ", []float64{0, .8, 1.2, 2, 3}, []float64{1, .9, .6, 1, 1}, "XВЛЯ"},
		"two letters of different shape":    {"XTRLB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XTRLB"},
		"two letters at one place":          {"XTRLB", []float64{0, .9, 1.1, 2, 3}, []float64{1, .6, .9, 1, 1}, "XRLB"},
		"two sure letters at one place":     {"XTRLB", []float64{0, .9, 1.1, 2, 3}, []float64{1, 1, .9, 1, 1}, "XTRLB"},
		"a letter and the space by it":      {"XT LB", []float64{0, .9, 1.1, 2, 3}, []float64{1, .6, .9, 1, 1}, "XT LB"},
		"a figure twice":                    {"311 94", []float64{0, .9, 1.3, 2, 3, 4}, []float64{1, .74, .56, 1, 1, 1}, "31 94"},
		"two figures, sure enough":          {"311 94", []float64{0, .9, 1.3, 2, 3, 4}, []float64{1, .84, .8, 1, 1, 1}, "311 94"},
	} {
		p := Reading{Chars: c.sure}
		for _, a := range c.at {
			p.At = append(p.At, a/10)
		}
		if got := string(p.undouble([]rune(c.text))); got != c.want || len(p.At) != len([]rune(got)) || len(p.Chars) != len(p.At) {
			t.Errorf("%s: %q of %d places, want %q", name, got, len(p.At), c.want)
		}
	}
}
