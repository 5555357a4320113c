package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// ruled is a crop of light paper with dark bars as letters: each from a column to another, between two rows.
func ruled(w int, bars ...[4]int) *imaging.Gray {
	g := imaging.NewGray(w, ocr.ReadHeight)
	for i := range g.Pix {
		g.Pix[i] = 220
	}
	for _, b := range bars {
		for y := b[2]; y < b[3]; y++ {
			for x := b[0]; x < b[1]; x += 4 {
				g.Pix[y*w+x], g.Pix[y*w+x+1] = 40, 40
			}
		}
	}
	return g
}

func TestPrintBeforeLargerPrintIsCutByItself(t *testing.T) {
	s := ocr.Strip{X: 100, Y: 24, UX: 1, Length: 200, Height: 48}
	for name, c := range map[string]struct {
		crop   *imaging.Gray
		cut    bool
		centre float64 // of the crop, down the page
		height float64
	}{
		"a label half as high":  {ruled(200, [4]int{5, 75, 22, 38}, [4]int{85, 195, 8, 40}), true, 30, 16 * (1 + 2*smallPaper)},
		"print of one size":     {ruled(200, [4]int{5, 75, 8, 40}, [4]int{85, 195, 8, 40}), false, 0, 0},
		"a larger beginning":    {ruled(200, [4]int{5, 75, 8, 40}, [4]int{85, 195, 22, 38}), false, 0, 0},
		"a hyphen, which is no": {ruled(200, [4]int{5, 75, 22, 26}, [4]int{85, 195, 8, 40}), false, 0, 0},
		"nothing at all":        {ruled(200), false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := smallBefore(s, c.crop, .4)
			if ok != c.cut {
				t.Fatalf("cut %v, want %v", ok, c.cut)
			}
			if !ok {
				return
			}
			if math.Abs(got.Y-c.centre) > 1 || math.Abs(got.Height-c.height) > 3 || math.Abs(got.X-40) > .5 || math.Abs(got.Length-80) > .5 {
				t.Errorf("%+v, want a crop of height %.1f round (40, %.0f)", got, c.height, c.centre)
			}
		})
	}
}

func TestALinesBeginningIsReadAnew(t *testing.T) {
	p := printedAs("SEE M", .4, .5, .3, .9, 1)
	l := line{text: p.text, chars: p.chars, at: p.at, strip: ocr.Strip{Length: 100, Height: 20}}
	got := l.beginning(3, printedAs("Sexe:", 1, .9, 1, .9, 1), .65)
	if got.text != "Sexe: M" || got.least != .9 || len(got.chars) != 7 || len(got.at) != 7 {
		t.Errorf("%+v", got)
	}
	if math.Abs(got.at[0]-.065) > 1e-9 || got.at[6] != l.at[4] {
		t.Errorf("characters stand at %v", got.at)
	}
}
