package ocr

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What makes pieces of ink a line of print, whichever way it runs: three of about one size, side by side.
const (
	printNear     = 2.2  // sizes within which the next letter stands
	printStraight = 0.94 // −cosine of the angle between the ways to both neighbours
	printEven     = 2.2  // ratio of the ways' lengths, at most
)

// GlyphsInLine counts the pieces of ink in g that stand in a line with one like them on either side. A document that can be
// read has dozens; desks, cloth and faces have few.
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

// inLine reports whether a blob has one like it on either side.
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
