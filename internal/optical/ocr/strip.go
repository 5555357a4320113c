package ocr

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Strip is a rectangle at any angle round a run of text, in pixels. (UX, UY) is the unit vector of the reading direction; as
// the y axis of a picture points down, (-UY, UX) points from the top of the letters to their feet.
type Strip struct {
	X, Y   float64 // centre
	UX, UY float64 // reading direction
	Length float64 // along the reading direction
	Height float64 // across it
	Score  float64 // the detector's mean probability, 0–1
}

// At returns the point that lies a along the reading direction and d below the centre.
func (s Strip) At(a, d float64) imaging.Point {
	return imaging.Point{X: s.X + a*s.UX - d*s.UY, Y: s.Y + a*s.UY + d*s.UX}
}

// Locate returns where p is along the reading direction and below the centre. It is the inverse of At.
func (s Strip) Locate(p imaging.Point) (a, d float64) {
	dx, dy := p.X-s.X, p.Y-s.Y
	return dx*s.UX + dy*s.UY, -dx*s.UY + dy*s.UX
}

// Quad returns the corners in reading order.
func (s Strip) Quad() imaging.Quad {
	a, d := s.Length/2, s.Height/2
	return imaging.Quad{s.At(-a, -d), s.At(a, -d), s.At(a, d), s.At(-a, d)}
}

// ends returns the middles of the left and of the right end.
func (s Strip) ends() (left, right imaging.Point) {
	return s.At(-s.Length/2, 0), s.At(s.Length/2, 0)
}

// Flipped returns the same rectangle read from the other end.
func (s Strip) Flipped() Strip {
	s.UX, s.UY = -s.UX, -s.UY
	return s
}

// Scaled returns the strip with its lengths and positions multiplied by f.
func (s Strip) Scaled(f float64) Strip {
	s.X, s.Y, s.Length, s.Height = s.X*f, s.Y*f, s.Length*f, s.Height*f
	return s
}

// Angle returns the reading direction in degrees, clockwise from the x axis, in (-180, 180].
func (s Strip) Angle() float64 { return math.Atan2(s.UY, s.UX) * 180 / math.Pi }

// Between returns the strip from the middle of its left end to that of its right end.
func Between(left, right imaging.Point, height, score float64) Strip {
	dx, dy := right.X-left.X, right.Y-left.Y
	n := math.Hypot(dx, dy)
	if n < 1e-9 {
		dx, dy, n = 1, 0, 1
	}
	return Strip{
		X: (left.X + right.X) / 2, Y: (left.Y + right.Y) / 2,
		UX: dx / n, UY: dy / n,
		Length: math.Hypot(right.X-left.X, right.Y-left.Y), Height: height, Score: score,
	}
}

// directedAspect is the least ratio of length to height at which the direction of a strip can be trusted.
const directedAspect = 3.0

// Directed reports whether the strip is so long that its direction can be trusted.
func (s Strip) Directed() bool { return s.Length >= directedAspect*s.Height }

// Turned returns the strip on the picture turned clockwise by so many quarters; w and h are its size before the turn.
func (s Strip) Turned(quarters, w, h int) Strip {
	for range ((quarters % 4) + 4) % 4 {
		s.X, s.Y = float64(h)-s.Y, s.X
		s.UX, s.UY = -s.UY, s.UX
		w, h = h, w
	}
	return s
}

// Bounds returns the upright rectangle round the strip.
func (s Strip) Bounds() (x0, y0, x1, y1 float64) {
	q := s.Quad()
	x0, y0, x1, y1 = q[0].X, q[0].Y, q[0].X, q[0].Y
	for _, p := range q[1:] {
		x0, x1 = math.Min(x0, p.X), math.Max(x1, p.X)
		y0, y1 = math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	return x0, y0, x1, y1
}

// Grown returns the strip with parts of its height added above and below.
func (s Strip) Grown(above, below float64) Strip {
	m := s.At(0, (below-above)*s.Height/2)
	s.X, s.Y, s.Height = m.X, m.Y, s.Height*(1+above+below)
	return s
}

// canonical returns the strip with its longer side as the reading direction, which points right, or down where it is steep.
func (s Strip) canonical() Strip {
	if s.Height > s.Length {
		s.Length, s.Height = s.Height, s.Length
		s.UX, s.UY = -s.UY, s.UX
	}
	steep := math.Abs(s.UY) > math.Abs(s.UX)
	if (!steep && s.UX < 0) || (steep && s.UY < 0) {
		s.UX, s.UY = -s.UX, -s.UY
	}
	return s
}

// Centre returns the middle of the strip.
func (s Strip) Centre() imaging.Point { return imaging.Point{X: s.X, Y: s.Y} }
