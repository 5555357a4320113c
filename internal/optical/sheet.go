package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

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

// sheetFoot is how far above the middle of the zone's first line the sheet ends: 1.4 mm of paper above its capitals. Print
// is at least 6 mm above them (ICAO 9303-4 §3.1).
const sheetFoot = 2.6

const pitchMillimetres = 2.54

// sheetOf places the page of a zone; the picture must be upright.
func sheetOf(z *zone) ocr.Area { return sheetAt(z, nearestWidth(z.characters())) }

func sheetAt(z *zone, width int) ocr.Area {
	p := sheets[width]
	first := z.rows[0].strip
	mm := z.pitch / pitchMillimetres
	// As much more of one direction as makes the proportions those of the copy.
	scale := math.Max(2*p.aside/float64(p.w), (p.above-sheetFoot)/float64(p.h)) * mm
	s := ocr.Area{Strip: first, W: p.w, H: p.h}
	s.Length, s.Height = scale*float64(p.w), scale*float64(p.h)
	m := first.At(0, -sheetFoot*mm-s.Height/2)
	s.X, s.Y = m.X, m.Y
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
func (z *zone) print() []ocr.Strip {
	out := make([]ocr.Strip, len(z.rows))
	for i, g := range z.rows {
		s := g.strip
		s.Length = math.Max(s.Height, s.Length-2*ocr.CropMargin*z.pitch)
		s.Height = zonePrint * z.pitch
		out[i] = s
	}
	return out
}

// zonePrint is how high text detection finds a line of the zone, in pitches.
const zonePrint = 1.4
