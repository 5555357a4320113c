package face

import (
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// five are the points that a face is aligned by: both eyes, the tip of the nose, both corners of the mouth.
func (m *Mesh) five() [5]imaging.Point {
	return [5]imaging.Point{m.mean(33, 133), m.mean(263, 362), m.mean(1), m.mean(61), m.mean(291)}
}

// alignedSide is the side of an aligned face; alignedAt is where its five points lie, pixel centres at whole numbers.
const alignedSide = 112

var alignedAt = [5]imaging.Point{
	{X: 38.2946, Y: 51.6963}, {X: 73.5318, Y: 51.5014}, {X: 56.0252, Y: 71.7366}, {X: 41.5493, Y: 92.3655}, {X: 70.7299, Y: 92.2041},
}

// Align returns the face as a 112×112 picture with eyes, nose and mouth in their usual places: the similarity (turn,
// scale, shift) that fits the five points best in the sense of least squares.
func Align(p *imaging.RGB, m *Mesh) *imaging.RGB {
	from := m.five()
	t := similarity(alignedAt, from)
	if r := source(t).Intersect(p.Bounds()); !r.Empty() {
		p = p.Crop(r)
		for i := range from {
			from[i] = imaging.Point{X: from[i].X - float64(r.Min.X), Y: from[i].Y - float64(r.Min.Y)}
		}
		t = similarity(alignedAt, from)
	}
	for math.Hypot(t[0], t[3]) > 2 && p.W > 1 && p.H > 1 {
		sx, sy := float64(p.W/2)/float64(p.W), float64(p.H/2)/float64(p.H)
		p = p.Resize(p.W/2, p.H/2)
		for i := range from {
			from[i] = imaging.Point{X: (from[i].X+.5)*sx - .5, Y: (from[i].Y+.5)*sy - .5}
		}
		t = similarity(alignedAt, from)
	}
	return imaging.Affine(p, t, alignedSide, alignedSide)
}

// source is the part of the picture that an alignment reads, with a margin.
func source(t [6]float64) image.Rectangle {
	var r image.Rectangle
	margin := 8 + int(4*math.Hypot(t[0], t[3]))
	for _, c := range [4][2]float64{{0, 0}, {alignedSide, 0}, {0, alignedSide}, {alignedSide, alignedSide}} {
		x, y := int(t[0]*c[0]+t[1]*c[1]+t[2]), int(t[3]*c[0]+t[4]*c[1]+t[5])
		r = r.Union(image.Rect(x-margin, y-margin, x+margin, y+margin))
	}
	return r
}

// similarity is the transform without mirroring that carries a to b with the least squared error, as imaging.Affine
// takes it.
func similarity(a, b [5]imaging.Point) [6]float64 {
	var ma, mb imaging.Point
	for i := range a {
		ma.X, ma.Y = ma.X+a[i].X/5, ma.Y+a[i].Y/5
		mb.X, mb.Y = mb.X+b[i].X/5, mb.Y+b[i].Y/5
	}
	var re, im, norm float64
	for i := range a {
		ax, ay, bx, by := a[i].X-ma.X, a[i].Y-ma.Y, b[i].X-mb.X, b[i].Y-mb.Y
		re += ax*bx + ay*by
		im += ax*by - ay*bx
		norm += ax*ax + ay*ay
	}
	c, s := re/norm, im/norm
	return [6]float64{c, -s, mb.X - c*ma.X + s*ma.Y, s, c, mb.Y - s*ma.X - c*ma.Y}
}
