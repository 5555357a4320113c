package zone

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestOnlyASmallVisaCanBeAPartOfALargerZone(t *testing.T) {
	for _, f := range mrz.Formats() {
		if got, want := partOfLarger(f), f == mrz.MRVB; got != want {
			t.Errorf("%s: %v, want %v", f, got, want)
		}
	}
}

func TestCharactersThatAreMadeUpOrLostStandUnevenly(t *testing.T) {
	line := "8D42V5A1<4UTO9607217F2712055<<<<<<<<"
	for name, c := range map[string]struct {
		change func(glyphs []glyph)
		want   bool
	}{
		"as printed":                      {func([]glyph) {}, true},
		"seen from the side":              {func(g []glyph) { stretch(g, .15) }, true},
		"two where there is room for one": {func(g []glyph) { g[20].first -= 7; g[20].last -= 7 }, false},
		"the last beyond the paper":       {func(g []glyph) { g[35].first += 20; g[35].last += 20 }, false},
	} {
		g := lineAt(-180, line)
		glyphs := slices.Clone(g.glyphs)
		c.change(glyphs)
		if got := (decoding{glyphs: [][]glyph{glyphs}}).evenlySpaced([]scan{g}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// stretch makes the last pitch of a line longer than the first by a part of it.
func stretch(glyphs []glyph, by float64) {
	for i := range glyphs {
		d := int(by * float64(i*i) / float64(2*len(glyphs)) * 10)
		glyphs[i].first += d
		glyphs[i].last += d
	}
}

func TestALineIsInViewWithRoomAtBothEnds(t *testing.T) {
	img := imaging.PhotoOf(imaging.NewRGB(400, 100))
	s := scanner{img: img}
	line := func(from, to, y float64) ocr.Strip {
		return ocr.Between(imaging.Point{X: from, Y: y}, imaging.Point{X: to, Y: y}, ocr.CropHeight*10, 1)
	}
	for name, c := range map[string]struct {
		s    ocr.Strip
		room float64
		want bool
	}{
		"with paper at both ends":                          {line(20, 380, 50), viewRoom, true},
		"ends at the right edge":                           {line(36, 396, 50), viewRoom, false},
		"ends at the left edge":                            {line(4, 364, 50), viewRoom, false},
		"ends at the edge, and no format has longer lines": {line(36, 396, 50), -viewInside, true},
		"a character lies beyond the right edge":           {line(46, 406, 50), -viewInside, false},
		"runs out at the top":                              {line(20, 380, 2), -viewInside, false},
		"runs out at the foot":                             {line(20, 380, 98), -viewInside, false},
		"no place at all":                                  {ocr.Strip{}, 0, true},
	} {
		if got := s.lineInView(c.s, 36, c.room); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhatLiesOnTheEndOfALineIsNoPaper(t *testing.T) {
	for name, c := range map[string]struct {
		beyond uint8 // grey level of what is beyond the line's end
		from   int   // pixels from it
		wide   int
		want   bool
	}{
		"paper":                    {210, 0, 0, true},
		"a thumb on the end":       {140, 0, 100, false},
		"the dark desk":            {40, 3, 100, false},
		"a frame round the zone":   {70, 5, 3, true},
		"the page's edge, further": {40, 14, 100, true},
	} {
		p := imaging.NewRGB(500, 80)
		for i := range p.Pix {
			x := i / 3 % p.W
			p.Pix[i] = 210
			if y := i / 3 / p.W; x > 20 && x < 380 && (x-20)%10 < 4 && y > 30 && y < 44 {
				p.Pix[i] = 40 // glyphs
			}
			if x >= 380+c.from && x < 380+c.from+c.wide {
				p.Pix[i] = c.beyond
			}
		}
		s := scanner{img: imaging.PhotoOf(p)}
		line := ocr.Between(imaging.Point{X: 20, Y: 37}, imaging.Point{X: 380, Y: 37}, ocr.CropHeight*10, 1)
		if got := s.paperBeyond(line, 1, 10); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if !s.paperBeyond(line, -1, 10) {
			t.Errorf("%s: the other end lies on paper", name)
		}
	}
}

func TestAWindowThatLeavesOutCharactersBesideItIsOnlyAPartOfTheLine(t *testing.T) {
	visa := []string{"V<UTOWUBRIAN<MEIM<<QUA<HUSBRIOBEKON<QUOOR<<<", "8D42V5A1<4UTO9607217F2712055<<<<<<<<<<<<<<<<"}
	z := &Zone{pitch: 10, rows: []scan{lineAt(-200, visa[0]), lineAt(-200, visa[1])}}
	for _, w := range z.windows() {
		if w.to-w.from < 435 {
			t.Errorf("a window of %.0f characters in lines of 44", (w.to-w.from)/10)
		}
	}
}
