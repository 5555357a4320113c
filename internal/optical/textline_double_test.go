package optical

import (
	"math"
	"testing"
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
		"two letters of different shape": {"XTRLB", []float64{0, .8, 1.2, 2, 3}, []float64{1, .6, .9, 1, 1}, "XTRLB"},
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
	tall := strip{cx: 50, cy: 50, uy: 1, length: 36, height: 20} // an F: higher than wide
	long := strip{cx: 50, cy: 90, ux: 1, length: 90, height: 20}
	got := asLines([]strip{tall, long}, 2)
	if s := got[0]; s.length != 20 || s.height != 36 || s.ux != 1 || s.uy != 0 {
		t.Errorf("a letter lies as %+v", s)
	}
	if got[1] != long || tall.length != 36 {
		t.Error("a long line was turned, or the strips that were given were changed")
	}
}

func TestALineThatWasFoundInTwoPiecesOverEachOtherIsOneRow(t *testing.T) {
	at := func(x, y, length float64) row {
		s := strip{cx: x + length/2, cy: y, ux: 1, length: length, height: 30}
		return row{strip: s, parts: []strip{s}}
	}
	got := joinOverlapping([]row{at(0, 100, 140), at(90, 104, 190), at(0, 150, 100), at(120, 150, 100)})
	if len(got) != 3 || math.Abs(got[0].length-280) > 1 || got[1].length != 100 {
		t.Errorf("%d rows, the first %.0f long", len(got), got[0].length)
	}
}
