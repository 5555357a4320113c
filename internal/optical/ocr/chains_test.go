package ocr

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
		chains := ChainsIn(dotted(700, 700, 2, 44, 11, degrees))
		if len(chains) != 2 {
			t.Errorf("at %.0f degrees: %d chains, want 2", degrees, len(chains))
			continue
		}
		for _, c := range chains {
			slant := math.Mod(c.Strip.Angle()-degrees+720+90, 180) - 90
			if math.Abs(slant) > 1 || math.Abs(c.Strip.Length-44*11) > 11 || c.Glyphs < 42 {
				t.Errorf("at %.0f degrees: %d glyphs over %.0f pixels, slanted by %.1f", degrees, c.Glyphs, c.Strip.Length, slant)
			}
		}
	}
}

func TestAFewGlyphsAreNoChain(t *testing.T) {
	if got := ChainsIn(dotted(400, 400, 1, chainGlyphs-2, 11, 5)); len(got) > 0 {
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
	s := newSearch(FindBlobs(g, AnyInk), g.W, g.H, chainGlyphs)
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
		for _, c := range ChainsIn(g) {
			if !(c.Strip.Length > 0) || math.IsNaN(c.Strip.X) || c.Glyphs < chainGlyphs {
				t.Fatalf("%+v", c)
			}
		}
	})
}

func TestALineIsFollowedThroughAStampThatLetsThePaperThrough(t *testing.T) {
	g := dotted(700, 300, 2, 44, 11, 4)
	for y := range g.H { // the bars of a stamp, half as dark as print, over the middle third
		for x := g.W / 3; x < 2*g.W/3; x++ {
			if (x+y)%25 < 6 {
				g.Pix[y*g.W+x] = min(g.Pix[y*g.W+x], 116)
			}
		}
	}
	longest := func(ink Ink) int {
		most := 0
		chains, _ := FindChains(FindBlobs(g, ink), g.W, g.H, 8)
		for _, c := range chains {
			most = max(most, c.Glyphs)
		}
		return most
	}
	if got := longest(PrintInk); got < 42 {
		t.Errorf("by its dark ink alone %d glyphs of 44 were followed", got)
	}
	if got := longest(AnyInk); got > 30 {
		t.Errorf("the stamp does not break the line: %d glyphs", got)
	}
}
