package glyph

import (
	"math"
	"testing"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestSignsAreMeasuredToPartsOfAPixel(t *testing.T) {
	for typeface, ttf := range map[string][]byte{"regular": goregular.TTF, "bold": gobold.TTF, "italic": goitalic.TTF} {
		g, from, to := printed(t, ttf, " ", "9O.070-2", " ", 40)
		got := Aspects(g, from, to, 6) // without the point and the hyphen
		if got == nil {
			t.Errorf("%s: not measured", typeface)
			continue
		}
		letter, first, second := got[1], got[2], got[4]
		if math.Abs(first/second-1) > .02 {
			t.Errorf("%s: two zeros differ: %.3f and %.3f", typeface, first, second)
		}
		if letter/first < 1.1 {
			t.Errorf("%s: the letter O is as wide as a zero: %.3f and %.3f", typeface, letter, first)
		}
	}
}

func TestSignsThatAreNotAsManyAsWereReadAreNotMeasured(t *testing.T) {
	g, from, to := printed(t, goregular.TTF, " ", "9070", " ", 40)
	if got := Aspects(g, from, to, 3); got != nil {
		t.Errorf("three of four: got %v", got)
	}
	if got := Aspects(&imaging.Gray{W: 60, H: 40, Pix: make([]byte, 60*40)}, 0, 1, 1); got != nil {
		t.Errorf("a black crop: got %v", got)
	}
	for _, at := range [][2]float64{{-1, .001}, {.5, .4}, {.999, 2}} {
		if got := Aspects(g, at[0], at[1], 1); got != nil {
			t.Errorf("between %v: got %v", at, got)
		}
	}
}
