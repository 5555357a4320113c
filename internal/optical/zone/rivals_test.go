package zone

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// cardZone is that of a card, 10 pixels a millimetre and its last line's middle at a place.
func cardZone(x, y float64) *Zone {
	z := &Zone{pitch: 25.4}
	for i := range 3 {
		g := scan{strip: ocr.Strip{X: x, Y: y + float64(i-2)*63.5, UX: 1, Length: 30 * 25.4, Height: 40}, pitch: 25.4, width: 29, frames: frames{step: 1}}
		for k := range 30 {
			g.glyphs = append(g.glyphs, glyph{first: k, last: k, conf: 1})
		}
		z.rows = append(z.rows, g)
	}
	z.searched, z.decodes, z.best = true, true, decoding{format: "TD1"}
	return z
}

func TestAPageReachesAsFarAsItsFormatSays(t *testing.T) {
	own := cardZone(1000, 1000).Placement().OnPage()
	for name, c := range map[string]struct {
		x, y float64
		want bool
	}{
		"its middle":                   {1000, 785, true},
		"its head":                     {700, 530, true},
		"its foot":                     {1000, 1050, true},
		"another page's zone above it": {1000, 400, false},
		"a card beside it":             {1500, 900, false},
		"a card below it":              {1000, 1110, false},
	} {
		if got := own(imaging.Point{X: c.x, Y: c.y}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestItIsClearWhichDocumentIsMeantWhereTheOtherIsSmaller(t *testing.T) {
	row := func(y, pitch float64) scan {
		return scan{pitch: pitch, strip: ocr.Strip{X: 1000, Y: y, UX: 1, Length: 9 * pitch, Height: 1.6 * pitch}}
	}
	for name, c := range map[string]struct {
		parts            []scan
		others, doubtful bool
	}{
		"nothing else":                                 {nil, false, false},
		"a part of a zone as large":                    {[]scan{row(100, 25)}, true, true},
		"a part of what can be a longer, smaller zone": {[]scan{row(100, 20)}, true, true},
		"a part of a much smaller zone":                {[]scan{row(100, 12)}, true, false},
		"a part of its own":                            {[]scan{row(1000, 25)}, false, false},
	} {
		z := cardZone(1000, 1000)
		z.addRivalRows(c.parts)
		if got := z.rivals > 0; got != c.others {
			t.Errorf("%s: others %v", name, got)
		}
		if got := z.Ambiguous(); got != c.doubtful {
			t.Errorf("%s: doubtful %v", name, got)
		}
	}
}

func TestRowsWithoutFillersAreAZonesWhereTheyLieAsItsLinesDo(t *testing.T) {
	row := func(x, y, pitch float64) scan {
		return scan{pitch: pitch, strip: ocr.Strip{X: x, Y: y, UX: 1, Length: 12 * pitch, Height: 1.6 * pitch}}
	}
	for name, c := range map[string]struct {
		rows []scan
		want int
	}{
		"alone":                {[]scan{row(500, 500, 20)}, 0},
		"two lines":            {[]scan{row(500, 500, 20), row(510, 550, 20)}, 2},
		"a name far below":     {[]scan{row(500, 500, 20), row(500, 572, 20)}, 0},
		"of another size":      {[]scan{row(500, 500, 20), row(500, 550, 14)}, 0},
		"one beside the other": {[]scan{row(500, 500, 20), row(900, 550, 20)}, 0},
	} {
		if got := len(stacked(c.rows)); got != c.want {
			t.Errorf("%s: %d rows, want %d", name, got, c.want)
		}
	}
}

func TestOfTwoZonesThatAreAboutAsLargeItIsNotClearWhichIsMeant(t *testing.T) {
	sized := func(pitch float64) *Zone {
		z := &Zone{pitch: pitch, rows: []scan{{pitch: pitch, width: 29, frames: frames{step: 1}, strip: ocr.Strip{UX: 1, Length: 30 * pitch}}}}
		for k := range 30 {
			z.rows[0].glyphs = append(z.rows[0].glyphs, glyph{first: k, last: k, conf: 1})
		}
		return z
	}
	for pitch, want := range map[float64]bool{10: false, 15: false, 18: true, 19.5: true} {
		z := sized(20)
		z.addRivals([]*Zone{z, sized(pitch)})
		if z.rivals != 1 || z.Ambiguous() != want {
			t.Errorf("beside one of %.1f pixels a character: others %d, doubtful %v", pitch, z.rivals, z.Ambiguous())
		}
	}
}

// marked is a white desk of 2000×2000 pixels with dark boxes on it, each with a middle and a size.
func marked(boxes func(mark func(x, y, w, h int))) *imaging.Photo {
	img := imaging.NewRGB(2000, 2000)
	for i := range img.Pix {
		img.Pix[i] = 225
	}
	boxes(func(x, y, w, h int) {
		for v := y - h/2; v < y+h/2; v++ {
			for u := x - w/2; u < x+w/2; u++ {
				copy(img.Pix[3*(v*img.W+u):], []byte{30, 30, 30})
			}
		}
	})
	return imaging.PhotoOf(img)
}

func TestAZoneIsDoubtfulWhereTooMuchLiesBesideItToBeLookedAt(t *testing.T) {
	lattice := func(step, dot int) func(func(x, y, w, h int)) {
		return func(mark func(x, y, w, h int)) {
			for y := 1080; y < 1980; y += step {
				for x := 20; x < 1980; x += step {
					mark(x, y, dot, dot)
				}
			}
		}
	}
	rules := func(n, pitch int) func(func(x, y, w, h int)) {
		return func(mark func(x, y, w, h int)) {
			for row := range n { // apart by other distances than a zone's lines
				for i := range 40 {
					mark(60+i*pitch, 1110+row*32, pitch*6/10, pitch*9/10)
				}
			}
		}
	}
	set := packtest.Models(t, "runtime", MRZReadModel)
	own := mrzReader{packtest.Load(t, set, MRZReadModel)}
	for name, c := range map[string]struct {
		boxes func(func(x, y, w, h int))
		want  bool
	}{
		"an empty desk":                                    {func(func(x, y, w, h int)) {}, false},
		"dots as large as letters":                         {lattice(26, 18), true},
		"the dots of a cloth":                              {lattice(13, 8), false},
		"a few rules of large marks":                       {rules(6, 24), false},
		"more rules than are read":                         {rules(rivalChains+2, 24), true},
		"more rules, of marks too small for a longer line": {rules(rivalChains+2, 12), false},
	} {
		z, err := scanner{reader: own, img: marked(c.boxes)}.largestBeside(t.Context(), cardZone(1000, 1000))
		if err != nil {
			t.Fatal(err)
		}
		if got := z.Ambiguous(); got != c.want {
			t.Errorf("%s: doubtful %v", name, got)
		}
		if z.rivals > 0 {
			t.Errorf("%s: taken for %d other documents", name, z.rivals)
		}
	}
}
