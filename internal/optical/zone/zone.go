package zone

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How likely a row must be to be part of a machine-readable zone.
const (
	anchorLikeness = 0.45 // likeness at which a row anchors a zone
	sisterLikeness = 0.25 // likeness at which a row beside the anchor belongs to it
	sureLikeness   = 0.80 // likeness at which hardly anything else is looked at
	secondLikeness = 0.5  // likeness at which a row suggests a second zone
	sureFillers    = 3    // fillers of a row that is surely one: long names in capitals have none
	secondFillers  = 2    // … and of one that suggests a second zone
	ownPitches     = 8.0  // pitches round a zone within which no second one can be
	largerLine     = 1.2  // a line this many times as long is of a larger document
)

// Zone is a machine-readable zone where it is in the picture: its rows from top to bottom, with common ends.
type Zone struct {
	rows  []scan
	pitch float64

	rivals       int       // other zones, and rows elsewhere that look just as much like machine-readable lines
	rivalLengths []float64 // how long their lines can be, in pixels

	best              decoding // of these rows, once decoded; see decoded
	searched, decodes bool
}

// Pitch returns the distance from one character to the next, in pixels of the picture.
func (z *Zone) Pitch() float64 { return z.pitch }

// Rivals returns the number of other zones in the picture, and of rows that look like lines of one.
func (z *Zone) Rivals() int { return z.rivals }

// Ambiguous reports whether another document in the picture may be the one that is meant: the lines of its zone are about as long,
// or could be where they were not read as a whole.
func (z *Zone) Ambiguous() bool {
	return slices.ContainsFunc(z.rivalLengths, func(long float64) bool { return long >= z.lineLength() })
}

// Turn moves the zone with its picture, which is turned clockwise by so many quarters; w and h are its size before the turn.
func (z *Zone) Turn(quarters, w, h int) {
	for i := range z.rows {
		z.rows[i].strip = z.rows[i].strip.Turned(quarters, w, h)
	}
}

// Quarters returns the number of clockwise quarter turns that make the zone read from left to right.
func (z *Zone) Quarters() int {
	q := int(math.Round(z.rows[0].strip.Angle() / 90))
	return ((-q % 4) + 4) % 4
}

// lineLength returns the length of the zone's lines in pixels.
func (z *Zone) lineLength() float64 { return z.characters() * z.pitch }

// characters returns about how many characters the rows are long.
func (z *Zone) characters() float64 {
	most := 0.0
	for _, g := range z.rows {
		if lo, hi, ok := g.extent(); ok {
			most = math.Max(most, (hi-lo)/z.pitch)
		}
	}
	return most
}

// near reports whether a strip is on the zone or so near that it is of the same document.
func (z *Zone) near(s ocr.Strip) bool {
	for _, g := range z.rows {
		a, d := g.strip.Locate(s.Centre())
		if math.Abs(a) < g.strip.Length/2 && math.Abs(d) < ownPitches*z.pitch {
			return true
		}
	}
	return false
}

// fillers returns the number of fillers in all rows.
func (z *Zone) fillers() int {
	n := 0
	for _, g := range z.rows {
		n += g.fillers()
	}
	return n
}

// promising reports whether the rows can be part of a zone whose rest is worth looking for. Most pages without a zone have titles
// in capitals, which have no fillers.
func (z *Zone) promising() bool { return z.fillers() >= sureFillers }

// likeness returns the mean likeness of the rows.
func (z *Zone) likeness() float64 {
	sum := 0.0
	for _, g := range z.rows {
		sum += g.likeness
	}
	return sum / math.Max(1, float64(len(z.rows)))
}

// When the rows of a zone are whole. Check digits do not count: a zone whose check digits are wrong is as whole as any.
const (
	wholeScore = -0.08 // mean log probability a frame below which the rows are cut off, or are no machine-readable lines
	wholeSure  = 0.5   // a character below this confidence was not seen
	wholeMiss  = 0.03  // part of the characters that may be so
	wholeSeen  = 0.05  // a character below this was made up to reach the number of characters
)

// whole reports whether the rows can be read as the lines of a format with some certainty. Where they cannot they may be cut off,
// and a second look is worth while.
func (z *Zone) whole() bool {
	r, ok := z.decoded()
	if !ok || r.score < wholeScore {
		return false
	}
	unseen, all := 0, 0
	for _, line := range r.conf {
		for _, c := range line {
			all++
			if c < wholeSeen {
				return false
			}
			if c < wholeSure {
				unseen++
			}
		}
	}
	return float64(unseen) <= wholeMiss*float64(all)
}
