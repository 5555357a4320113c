package text

import (
	"math"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestACardAndTheNewspaperUnderItAreBlocksOfTheirOwn(t *testing.T) {
	at := func(x, y, long, turned float64) Line {
		sin, cos := math.Sincos(turned)
		return Line{Reading: Reading{Text: "print"}, Strip: ocr.Strip{X: x, Y: y, UX: cos, UY: sin, Length: long, Height: 20}}
	}
	var lines []Line
	var card, paper []int
	for row := range 6 { // labels, and values beside them
		card = append(card, len(lines), len(lines)+1)
		lines = append(lines, at(300, 300+40*float64(row), 100, .01), at(450, 302+40*float64(row), 80, 0))
		paper = append(paper, len(lines))
		lines = append(lines, at(120, 250+24*float64(row), 200, .3))
	}
	alone := len(lines)
	lines = append(lines, at(900, 900, 60, 0))
	got := blocksOf(lines)
	if len(got) != 3 {
		t.Fatalf("got %d blocks %v, want the card, the newspaper and what is left", len(got), got)
	}
	for _, want := range [][]int{card, paper, {alone}} {
		if !slices.ContainsFunc(got, func(b []int) bool { return slices.Equal(b, want) }) {
			t.Errorf("got blocks %v, want one of lines %v", got, want)
		}
	}
}

func TestABlankPageHasNoBlocks(t *testing.T) {
	if got := blocksOf(nil); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("got %v, want nothing but an empty rest", got)
	}
}
