package optical

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// sheet is where a page lies on the picture, told by its machine-readable zone alone, and the copy on which its print is
// looked for. Text is not looked for on the desk: a page that fills a third of the picture is then seen nine times as
// large at the same cost.
type sheet struct {
	strip
	w, h int // of the copy, multiples of detectGrid
}

// sheets are by the characters of a line: the part of the page that is looked at, in millimetres to each side of the
// zone's middle, and above the middle of its first line (ICAO 9303-4, -5, -6, -7 §2), with room for perspective. The zone
// itself, whose lines are known, is left out: it is a fifth of a passport's page and two fifths of a card's. The
// copies have seven pixels a millimetre: with five, labels of one millimetre's height were seen in part, and the facts beside
// them lost. Cards print smaller: theirs have nine.
var sheets = map[int]struct {
	aside, above float64
	w, h         int
}{
	30: {46, 38.3, 896, 384},
	36: {57, 63.6, 1024, 576},
	44: {65.5, 75.6, 896, 512},
}

// Along one row the copy is so many times as large, and as high as keeps its pixels about those of a sheet: the runtime's memory
// grows with the largest.
const (
	alongTimes = 1.5
	alongHigh  = 320
)

// along is the part of a sheet round the row at a point, in a larger copy.
func (s sheet) along(row imaging.Point) sheet {
	_, d := s.locate(row)
	m := s.at(0, d)
	w := int(alongTimes*float64(s.w)) / detectGrid * detectGrid
	s.h, s.height = alongHigh, alongHigh*s.length/float64(w)
	s.w, s.cx, s.cy = w, m.X, m.Y
	return s
}

// sheetFoot is how far above the middle of the zone's first line the sheet ends: 1.4 mm of paper above its capitals. Print
// is at least 6 mm above them (ICAO 9303-4 §3.1).
const sheetFoot = 2.6

const pitchMillimetres = 2.54

// sheetOf places the page of a zone; the picture must be upright.
func sheetOf(z *zone) sheet { return sheetAt(z, nearestWidth(z.characters())) }

func sheetAt(z *zone, width int) sheet {
	p := sheets[width]
	first := z.rows[0].strip
	mm := z.pitch / pitchMillimetres
	// As much more of one direction as makes the proportions those of the copy.
	scale := math.Max(2*p.aside/float64(p.w), (p.above-sheetFoot)/float64(p.h)) * mm
	s := sheet{strip: first, w: p.w, h: p.h}
	s.length, s.height = scale*float64(p.w), scale*float64(p.h)
	m := first.at(0, -sheetFoot*mm-s.height/2)
	s.cx, s.cy = m.X, m.Y
	return s
}

// nearestWidth is the number of characters that lines of a format have, nearest to what was seen.
func nearestWidth(characters float64) int {
	best := 44
	for width := range sheets {
		if math.Abs(float64(width)-characters) < math.Abs(float64(best)-characters) {
			best = width
		}
	}
	return best
}

// print are the lines of the zone as text detection would find them.
func (z *zone) print() []strip {
	out := make([]strip, len(z.rows))
	for i, g := range z.rows {
		s := g.strip
		s.length = math.Max(s.height, s.length-2*cropMargin*z.pitch)
		s.height = zonePrint * z.pitch
		out[i] = s
	}
	return out
}

// zonePrint is how high text detection finds a line of the zone, in pitches.
const zonePrint = 1.4

// findPrint finds the runs of text on the page, in pixels of the picture.
func (d detector) findPrint(ctx context.Context, img *imaging.Photo, s sheet, c colours) ([]strip, error) {
	found, err := d.detect(ctx, img.Warp(s.quad(), s.w, s.h), c)
	if err != nil {
		return nil, err
	}
	scale := s.length / float64(s.w)
	for i, f := range found {
		m := s.at((f.cx-float64(s.w)/2)*scale, (f.cy-float64(s.h)/2)*scale)
		f = f.scaled(scale)
		f.cx, f.cy = m.X, m.Y
		f.ux, f.uy = f.ux*s.ux-f.uy*s.uy, f.ux*s.uy+f.uy*s.ux
		found[i] = f
	}
	return found, nil
}
