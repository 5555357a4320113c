package zone

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestThePageIsToldByItsZone(t *testing.T) {
	for name, c := range map[string]struct {
		width       int
		tilt        float64 // degrees
		page        float64 // across, in millimetres
		above       float64 // millimetres from the middle of the zone's first line to the page's head
		pixelsPerMM float64
		seen        float64 // at about so many pixels a millimetre
	}{
		"a passport":        {44, 0, 125, 72.2, 20, 7},
		"a tilted passport": {44, 14, 125, 72.2, 8, 7},
		"a card":            {30, -9, 85.6, 35.8, 30, 9.5},
		"a larger card":     {36, 3, 105, 58.2, 12, 9.5},
	} {
		pitch := PitchMillimetres * c.pixelsPerMM
		sin, cos := math.Sincos(c.tilt * math.Pi / 180)
		row := ocr.Strip{X: 1500, Y: 1200, UX: cos, UY: sin, Length: float64(c.width) * pitch, Height: ocr.CropHeight * pitch}
		s := Placement{Pitch: pitch, Lines: []ocr.Strip{row}}.printArea(c.width)
		for _, x := range []float64{-.5, .5} {
			for _, y := range []float64{-c.above, -6} { // print ends 6 mm above the zone
				corner := row.At(x*c.page*c.pixelsPerMM, y*c.pixelsPerMM)
				if a, d := s.Locate(corner); math.Abs(a) > s.Length/2 || math.Abs(d) > s.Height/2 {
					t.Errorf("%s: a part of the page is left out: %.0f of %.0f along, %.0f of %.0f across", name, a, s.Length/2, d, s.Height/2)
				}
			}
		}
		if scale := float64(s.W) / s.Length * c.pixelsPerMM; math.Abs(scale-c.seen) > .6 {
			t.Errorf("%s: print is looked for at %.1f pixels a millimetre", name, scale)
		}
		if a, d := s.Locate(row.Centre()); math.Abs(a) < s.Length/2 && math.Abs(d)+1.5*c.pixelsPerMM < s.Height/2 {
			t.Errorf("%s: the zone is searched for print", name)
		}
		if s.W%ocr.DetectGrid != 0 || s.H%ocr.DetectGrid != 0 || math.Abs(s.Length/float64(s.W)-s.Height/float64(s.H)) > 1e-9 {
			t.Errorf("%s: a copy of %d×%d for %.0f×%.0f pixels", name, s.W, s.H, s.Length, s.Height)
		}
	}
}

func TestTheNearestFormatSaysHowWideAPageIs(t *testing.T) {
	for characters, want := range map[float64]int{0: 30, 29.2: 30, 32.9: 30, 33.4: 36, 37: 36, 43.1: 44, 60: 44} {
		if got := nearestWidth(characters); got != want {
			t.Errorf("%.1f characters: %d, want %d", characters, got, want)
		}
	}
}

func TestOneRowOfThePageIsSeenLargerInNoMorePixels(t *testing.T) {
	for _, width := range []int{36, 44} {
		row := ocr.Strip{X: 1500, Y: 1200, UX: math.Cos(.1), UY: math.Sin(.1), Length: float64(width) * 30, Height: ocr.CropHeight * 30}
		s := Placement{Pitch: 30, Lines: []ocr.Strip{row}}.printArea(width)
		place := s.At(.2*s.Length, -.1*s.Height)
		b := s.AlongRow(place)
		if a, d := b.Locate(place); math.Abs(d) > 1 || math.Abs(a) > b.Length/2 {
			t.Errorf("%d characters: the row is %.0f off the middle, %.0f along", width, d, a)
		}
		if b.W%ocr.DetectGrid != 0 || b.H%ocr.DetectGrid != 0 || b.W*b.H > s.W*s.H || float64(b.W)/b.Length < 1.4*float64(s.W)/s.Length {
			t.Errorf("%d characters: a copy of %d by %d for %.0f pixels, of %d by %d before", width, b.W, b.H, b.Length, s.W, s.H)
		}
		if got, want := float64(b.H)/b.Height, float64(b.W)/b.Length; math.Abs(got-want) > 1e-9 {
			t.Errorf("%d characters: %.3f pixels up and %.3f along", width, got, want)
		}
	}
}
