package zone

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Placement is where a zone is in the picture, and with it the page that it is printed on.
type Placement struct {
	Lines      []ocr.Strip // top to bottom, margins included
	Pitch      float64     // pixels from one character to the next
	Format     mrz.Format  // empty where no format explains the lines
	Characters float64     // about how many a line has
}

// Placement returns where the zone is.
func (z *Zone) Placement() Placement {
	p := Placement{Pitch: z.pitch, Characters: z.characters()}
	for _, g := range z.rows {
		p.Lines = append(p.Lines, g.strip)
	}
	if r, ok := z.decoded(); ok {
		p.Format = r.format
	}
	return p
}

// First returns the first line, and Last the last.
func (p Placement) First() ocr.Strip { return p.Lines[0] }

// Last returns the last line.
func (p Placement) Last() ocr.Strip { return p.Lines[len(p.Lines)-1] }

// PageSize is the size of a document page in millimetres.
type PageSize struct {
	Width, Height float64
	Foot          float64 // from the middle of the zone's last line to the page's lower edge
}

// pageSizes are as of ICAO 9303-4, -5, -6, -7 §2.
var pageSizes = map[mrz.Format]PageSize{
	mrz.TD1: {85.6, 53.98, 5.5}, mrz.TD2: {105, 74, 9.4}, mrz.TD3: {125, 88, 9.4},
	mrz.MRVA: {120, 80, 9.4}, mrz.MRVB: {105, 74, 9.4}, mrz.IDFRA: {105, 74, 9.4},
}

// PageOf returns the size of the pages with a zone of that format.
func PageOf(f mrz.Format) (PageSize, bool) {
	size, ok := pageSizes[f]
	return size, ok
}

// PitchMillimetres is the distance from one character to the next on every document.
const PitchMillimetres = 2.54

// pageRoom is the width in millimetres round the page that still counts as its own.
const pageRoom = 2.0

// OnPage returns a function that reports whether a point is on the zone's page, which is as large as the format says, and leans as
// much as the lines are closer than they should be.
func (p Placement) OnPage() func(imaging.Point) bool {
	size, ok := PageOf(p.Format)
	if !ok {
		size = pageSizes[mrz.TD1]
	}
	n := len(p.Lines)
	last := p.Last()
	mm := p.Pitch / PitchMillimetres
	tall := mm
	if n > 1 {
		_, d := last.Locate(p.First().Centre())
		tall = math.Abs(d) / float64(n-1) / (ocr.LineSpacing * PitchMillimetres)
	}
	aside, above, below := (size.Width/2+pageRoom)*mm, (size.Height-size.Foot+pageRoom)*tall, (size.Foot+pageRoom)*tall
	return func(q imaging.Point) bool {
		a, d := last.Locate(q)
		return math.Abs(a) < aside && d < below && d > -above
	}
}

// printAreas are, by the characters of a line, the part of the page that is searched for print, in millimetres to each side of the
// zone's middle and above the middle of its first line (ICAO 9303-4, -5, -6, -7 §2), with room for perspective. The zone itself,
// whose lines are known, is left out: it is a fifth of a passport's page and two fifths of a card's. The copies have seven pixels a
// millimetre: with five, labels of one millimetre's height were seen in part, and the facts beside them lost. Cards are printed
// smaller: theirs have nine.
var printAreas = map[int]struct {
	aside, above float64
	w, h         int
}{
	30: {46, 38.3, 896, 384},
	36: {57, 63.6, 1024, 576},
	44: {65.5, 75.6, 896, 512},
}

// printFoot is how far above the middle of the zone's first line the area ends, in millimetres: 1.4 above its capitals. Print is at
// least 6 above them (ICAO 9303-4 §3.1).
const printFoot = 2.6

// PrintArea returns the part of the zone's page that is searched for print. The picture must be upright.
func (p Placement) PrintArea() ocr.Area { return p.printArea(nearestWidth(p.Characters)) }

// printArea is PrintArea of a page whose lines have so many characters.
func (p Placement) printArea(width int) ocr.Area {
	area := printAreas[width]
	first := p.First()
	mm := p.Pitch / PitchMillimetres
	// One direction is extended until the proportions are those of the copy.
	scale := math.Max(2*area.aside/float64(area.w), (area.above-printFoot)/float64(area.h)) * mm
	s := ocr.Area{Strip: first, W: area.w, H: area.h}
	s.Length, s.Height = scale*float64(area.w), scale*float64(area.h)
	m := first.At(0, -printFoot*mm-s.Height/2)
	s.X, s.Y = m.X, m.Y
	return s
}

// nearestWidth returns the number of characters in the lines of some format that is nearest to what was seen.
func nearestWidth(characters float64) int {
	best := 44
	for width := range printAreas {
		if math.Abs(float64(width)-characters) < math.Abs(float64(best)-characters) {
			best = width
		}
	}
	return best
}

// detectedHeight is the height of a line of the zone as text detection finds it, in pitches.
const detectedHeight = 1.4

// Print returns the lines of the zone as text detection would find them.
func (p Placement) Print() []ocr.Strip {
	out := make([]ocr.Strip, len(p.Lines))
	for i, s := range p.Lines {
		s.Length = math.Max(s.Height, s.Length-2*ocr.CropMargin*p.Pitch)
		s.Height = detectedHeight * p.Pitch
		out[i] = s
	}
	return out
}
