package barcode

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func side(a, b imaging.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// grow moves the corners outward by parts of the width and height.
func grow(q imaging.Quad, x, y float64) imaging.Quad {
	at := projection(q, 1, 1)
	return imaging.Quad{
		at(imaging.Point{X: -x, Y: -y}), at(imaging.Point{X: 1 + x, Y: -y}),
		at(imaging.Point{X: 1 + x, Y: 1 + y}), at(imaging.Point{X: -x, Y: 1 + y}),
	}
}

// unturned maps a point of a picture that was turned counter-clockwise by the
// degrees back to the picture of w×h pixels.
func unturned(p imaging.Point, degrees, w, h int) imaging.Point {
	switch degrees {
	case 90:
		return imaging.Point{X: float64(w) - p.Y, Y: p.X}
	case 180:
		return imaging.Point{X: float64(w) - p.X, Y: float64(h) - p.Y}
	case 270:
		return imaging.Point{X: p.Y, Y: float64(h) - p.X}
	}
	return p
}
