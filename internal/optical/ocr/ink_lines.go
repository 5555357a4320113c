package ocr

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Three pieces of ink of about one size, side by side, are a line of print, whichever way it runs.
const (
	printNear     = 2.2  // sizes within which the next letter is
	printStraight = 0.94 // −cosine of the angle between the ways to both neighbours
	printEven     = 2.2  // ratio of the ways' lengths, at most
)

// GlyphsInLine returns the number of pieces of ink in g that have one like them on either side, in a line. A document that can
// be read has dozens; desks, cloth and faces have few.
func GlyphsInLine(g *imaging.Gray) int {
	blobs := FindBlobs(g, AnyInk)
	if len(blobs) < 3 {
		return 0
	}
	s := newSearch(blobs, g.W, g.H, chainGlyphs)
	n := 0
	for i := range blobs {
		if s.inLine(int32(i)) {
			n++
		}
	}
	return n
}

// inLine reports whether a blob has one like it on either side, in a line.
func (s *search) inLine(i int32) bool {
	b := s.blobs[i]
	type way struct{ x, y, length float64 }
	var ways []way
	for _, k := range s.around(b.X, b.Y, printNear*b.Size) {
		o := s.blobs[k]
		if k == i || !alike(b, o) {
			continue
		}
		x, y := o.X-b.X, o.Y-b.Y
		if l := math.Hypot(x, y); l > .3*b.Size && l < printNear*b.Size {
			ways = append(ways, way{x / l, y / l, l})
		}
	}
	for k, a := range ways {
		for _, c := range ways[k+1:] {
			if -(a.x*c.x+a.y*c.y) >= printStraight && a.length < printEven*c.length && c.length < printEven*a.length {
				return true
			}
		}
	}
	return false
}
