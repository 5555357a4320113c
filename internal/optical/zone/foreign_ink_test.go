package zone

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// rowOf is a crop of n characters, each a dark block between paper above and below, on paper with fine lines.
func rowOf(n int) *imaging.Gray {
	const pitch, height = 20, 48
	g := imaging.NewGray(n*pitch, height)
	for i := range g.Pix {
		x, y := i%g.W, i/g.W
		g.Pix[i] = 220
		if y%6 == 0 {
			g.Pix[i] = 195 // a background's line
		}
		if in := x % pitch; in >= 4 && in < 16 && y >= height/5 && y < height*4/5 {
			g.Pix[i] = 40
		}
	}
	return g
}

func TestInkThatIsNotTheZonesOwnIsSeenInThePaperRoundIt(t *testing.T) {
	const n = 10
	clean := rowOf(n)
	stamped := rowOf(n)
	for y := range stamped.H { // a bar, as wide as a stamp's, through the fifth character
		for x := 4*20 + 4; x < 4*20+14; x++ {
			stamped.Pix[y*stamped.W+x] = min(stamped.Pix[y*stamped.W+x], 110)
		}
	}
	for j, got := range foreignInk(clean, n) {
		if got {
			t.Errorf("character %d of clean print is marked", j+1)
		}
	}
	got := foreignInk(stamped, n)
	for j, marked := range got {
		if want := j == 4; marked != want {
			t.Errorf("character %d: marked %v, want %v", j+1, marked, want)
		}
	}
	if got := foreignInk(imaging.NewGray(5, 3), 2); len(got) != 2 || got[0] || got[1] {
		t.Errorf("a crop too small to tell: %v", got)
	}
}
