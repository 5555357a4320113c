package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// strip is a rectangle at any angle round a run of text, in pixels. (ux, uy) is the unit vector of the reading
// direction; with the picture's y axis pointing down, (-uy, ux) points from the top of the letters to their feet.
type strip struct {
	cx, cy float64 // centre
	ux, uy float64 // reading direction
	length float64 // along the reading direction
	height float64 // across it
	score  float64 // the detector's mean probability, 0–1
}

// at returns the point that lies a along the reading direction and d below the centre.
func (s strip) at(a, d float64) imaging.Point {
	return imaging.Point{X: s.cx + a*s.ux - d*s.uy, Y: s.cy + a*s.uy + d*s.ux}
}

// locate is the inverse of at.
func (s strip) locate(p imaging.Point) (a, d float64) {
	dx, dy := p.X-s.cx, p.Y-s.cy
	return dx*s.ux + dy*s.uy, -dx*s.uy + dy*s.ux
}

// quad returns the corners in reading order.
func (s strip) quad() imaging.Quad {
	a, d := s.length/2, s.height/2
	return imaging.Quad{s.at(-a, -d), s.at(a, -d), s.at(a, d), s.at(-a, d)}
}

// ends returns the middle of the left and of the right end.
func (s strip) ends() (left, right imaging.Point) {
	return s.at(-s.length/2, 0), s.at(s.length/2, 0)
}

// flipped is the same rectangle read from the other end.
func (s strip) flipped() strip {
	s.ux, s.uy = -s.ux, -s.uy
	return s
}

// scaled multiplies all lengths and positions by f.
func (s strip) scaled(f float64) strip {
	s.cx, s.cy, s.length, s.height = s.cx*f, s.cy*f, s.length*f, s.height*f
	return s
}

// angle is the reading direction in degrees, clockwise from the x axis, in (-180, 180].
func (s strip) angle() float64 { return math.Atan2(s.uy, s.ux) * 180 / math.Pi }

// between builds the strip whose ends are the two points.
func between(left, right imaging.Point, height, score float64) strip {
	dx, dy := right.X-left.X, right.Y-left.Y
	n := math.Hypot(dx, dy)
	if n < 1e-9 {
		dx, dy, n = 1, 0, 1
	}
	return strip{
		cx: (left.X + right.X) / 2, cy: (left.Y + right.Y) / 2,
		ux: dx / n, uy: dy / n,
		length: math.Hypot(right.X-left.X, right.Y-left.Y), height: height, score: score,
	}
}

// turned gives the strip in a picture that was turned clockwise by quarters; w and h are the size before the turn.
func (s strip) turned(quarters, w, h int) strip {
	for range ((quarters % 4) + 4) % 4 {
		s.cx, s.cy = float64(h)-s.cy, s.cx
		s.ux, s.uy = -s.uy, s.ux
		w, h = h, w
	}
	return s
}

// bounds is the upright box round the strip as parts of a w by h picture, clipped to it.
func (s strip) bounds(w, h int) idv.Box {
	q := s.quad()
	x0, y0, x1, y1 := q[0].X, q[0].Y, q[0].X, q[0].Y
	for _, p := range q[1:] {
		x0, x1 = math.Min(x0, p.X), math.Max(x1, p.X)
		y0, y1 = math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	return boxOf(x0, y0, x1, y1, w, h)
}

func boxOf(x0, y0, x1, y1 float64, w, h int) idv.Box {
	clip := func(v, size float64) float64 { return math.Max(0, math.Min(1, v/size)) }
	fw, fh := math.Max(1, float64(w)), math.Max(1, float64(h))
	b := idv.Box{X: clip(x0, fw), Y: clip(y0, fh)}
	b.Width, b.Height = clip(x1, fw)-b.X, clip(y1, fh)-b.Y
	return b
}
