package optical

import "math"

// When the rows of a zone are whole. Check digits have no say: a zone whose check digits are wrong is as whole as any.
const (
	zoneScore = -0.08 // mean log probability a frame below which a reading is not of these rows: they are cut off, or no machine-readable lines
	wholeSure = 0.5   // a character below this confidence was not seen
	wholeMiss = 0.03  // part of the characters that may be so
	wholeSeen = 0.05  // a character below this was made up, to reach the number of characters
)

// whole reports whether the rows can be read as the lines of a format with some certainty. Where they cannot, they may be
// cut off, and it is worth looking in another way.
func (z *zone) whole() bool {
	r, ok := z.read()
	if !ok || r.score < zoneScore {
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

// promises reports whether rows can be those of a zone of which the rest is worth looking for. Most pages without a zone
// print titles in capitals, which have no fillers.
func (z *zone) promises() bool { return z.fillers() >= zoneFillers }

// frames are the first reader's probabilities, row by row.
func (z *zone) frames() []frames { return framesOf(z.rows) }

// likeness is the mean over the rows.
func (z *zone) likeness() float64 {
	sum := 0.0
	for _, g := range z.rows {
		sum += g.like
	}
	return sum / math.Max(1, float64(len(z.rows)))
}
