package optical

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// dotted draws rows of dark boxes on light paper, as glyphs at one pitch, turned by degrees about the picture's middle.
func dotted(w, h int, rows, glyphs int, pitch, degrees float64) *imaging.Gray {
	g := imaging.NewGray(w, h)
	for i := range g.Pix {
		g.Pix[i] = 210
	}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for y := range h {
		for x := range w {
			dx, dy := float64(x)-float64(w)/2, float64(y)-float64(h)/2
			u, v := dx*cos+dy*sin, -dx*sin+dy*cos
			col, row := u/pitch+float64(glyphs)/2, v/(2.5*pitch)+float64(rows)/2
			if col < 0 || row < 0 || col >= float64(glyphs) || row >= float64(rows) {
				continue
			}
			in, down := col-math.Floor(col)-.5, (row-math.Floor(row)-.5)*2.5
			if math.Abs(in) < .3 && math.Abs(down) < .47 {
				g.Pix[y*w+x] = 40
			}
		}
	}
	return g
}

func TestChainsAreFoundWhicheverWayTheyLie(t *testing.T) {
	for _, degrees := range []float64{0, 7, -25, 40, 90, 115, 180} {
		chains := findChains(dotted(700, 700, 2, 44, 11, degrees))
		if len(chains) != 2 {
			t.Errorf("at %.0f degrees: %d chains, want 2", degrees, len(chains))
			continue
		}
		for _, c := range chains {
			slant := math.Mod(c.strip.angle()-degrees+720+90, 180) - 90
			if math.Abs(slant) > 1 || math.Abs(c.strip.length-44*11) > 11 || c.glyphs < 42 {
				t.Errorf("at %.0f degrees: %d glyphs over %.0f pixels, slanted by %.1f", degrees, c.glyphs, c.strip.length, slant)
			}
		}
	}
}

func TestAFewGlyphsAreNoChain(t *testing.T) {
	if got := findChains(dotted(400, 400, 1, quickGlyphs-2, 11, 5)); len(got) > 0 {
		t.Errorf("%d chains of too few glyphs", len(got))
	}
}

func TestALatticeOfDotsIsGivenUp(t *testing.T) {
	const step, dot = 7, 4
	g := imaging.NewGray(1200, 900)
	for i := range g.Pix {
		g.Pix[i] = 230
		if i%g.W%step < dot && i/g.W%step < dot {
			g.Pix[i] = 20
		}
	}
	s := newSearch(findBlobs(g, anyInk), g.W, g.H, quickGlyphs)
	if got := s.chains(); len(got) > 0 || s.left > 0 {
		t.Errorf("%d chains, %d looks left: dots that line up in every direction are no zone", len(got), s.left)
	}
}

func FuzzChains(f *testing.F) {
	f.Add([]byte{0, 255, 10, 200}, 40)
	f.Add([]byte("P<UTO"), 7)
	f.Fuzz(func(t *testing.T, raw []byte, w int) {
		if len(raw) == 0 || w < 1 || w > 300 {
			return
		}
		g := imaging.NewGray(w, 1+len(raw)%200)
		for i := range g.Pix {
			g.Pix[i] = raw[(i*i+i/7)%len(raw)]
		}
		for _, c := range findChains(g) {
			if !(c.strip.length > 0) || math.IsNaN(c.strip.cx) || c.glyphs < quickGlyphs {
				t.Fatalf("%+v", c)
			}
		}
	})
}
