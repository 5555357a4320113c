package imaging

import (
	"image"
	"math"
)

// Warp rectifies the part of p under q to w×h pixels: the corners of q land on the corners of the result. What lies
// outside p repeats its nearest pixel. Bilinear; p is halved by area first while q is more than twice as large as the
// result, so that small print does not break up.
func (p *RGB) Warp(q Quad, w, h int) *RGB {
	out := NewRGB(max(w, 1), max(h, 1))
	if r := quartered(q.around(p.W, p.H, 32)); q.shrinks(out.W, out.H) && !r.Empty() {
		q, p = q.moved(Point{float64(r.Min.X), float64(r.Min.Y)}), p.Crop(r)
	}
	for q.shrinks(out.W, out.H) && p.W > 1 && p.H > 1 {
		q, p = q.halved(p.W, p.H), p.Resize(p.W/2, p.H/2)
	}
	q.eachRow(out.W, out.H, func(y int, r ray) { p.sampleRow(out.Pix[3*y*out.W:3*(y+1)*out.W], r) })
	return out
}

// Warp rectifies the part of g under q to w×h pixels, as RGB.Warp does.
func (g *Gray) Warp(q Quad, w, h int) *Gray {
	out := NewGray(max(w, 1), max(h, 1))
	if r := quartered(q.around(g.W, g.H, 32)); q.shrinks(out.W, out.H) && !r.Empty() {
		q, g = q.moved(Point{float64(r.Min.X), float64(r.Min.Y)}), g.Crop(r)
	}
	for q.shrinks(out.W, out.H) && g.W > 1 && g.H > 1 {
		q, g = q.halved(g.W, g.H), g.Resize(g.W/2, g.H/2)
	}
	q.eachRow(out.W, out.H, func(y int, r ray) { g.sampleRow(out.Pix[y*out.W:(y+1)*out.W], r) })
	return out
}

// Affine returns the w×h picture out with out(x, y) = in(m0·x + m1·y + m2, m3·x + m4·y + m5), in pixels whose centres
// lie at whole coordinates. Bilinear without shrinking first; what lies outside p is black.
func Affine(p *RGB, m [6]float64, w, h int) *RGB {
	out := NewRGB(max(w, 1), max(h, 1))
	for y := range out.H {
		sx, sy := m[1]*float64(y)+m[2], m[4]*float64(y)+m[5]
		for x := range out.W {
			if sx > -1 && sy > -1 && sx < float64(p.W) && sy < float64(p.H) {
				p.sampleBlack(sx, sy, out.Pix[3*(y*out.W+x):])
			}
			sx += m[0]
			sy += m[3]
		}
	}
	return out
}

// shrinks reports whether both directions of q are more than twice as long as the target.
func (q Quad) shrinks(w, h int) bool {
	across := math.Min(distance(q[0], q[1]), distance(q[3], q[2]))
	down := math.Min(distance(q[0], q[3]), distance(q[1], q[2]))
	return across > 2*float64(w) && down > 2*float64(h)
}

// around is the part of a w×h picture that matters to q, with a margin for what interpolation and halving blend in.
func (q Quad) around(w, h int, margin float64) image.Rectangle {
	l, r := min(q[0].X, q[1].X, q[2].X, q[3].X), max(q[0].X, q[1].X, q[2].X, q[3].X)
	t, b := min(q[0].Y, q[1].Y, q[2].Y, q[3].Y), max(q[0].Y, q[1].Y, q[2].Y, q[3].Y)
	in := func(v float64, size int) int { return int(math.Max(0, math.Min(v, float64(size)))) }
	return image.Rect(in(l-margin, w), in(t-margin, h), in(r+margin, w), in(b+margin, h))
}

// quartered is r less a few of its last columns and rows, so that it can be halved twice without a rest.
func quartered(r image.Rectangle) image.Rectangle {
	if r.Dx() >= 64 {
		r.Max.X -= r.Dx() & 3
	}
	if r.Dy() >= 64 {
		r.Max.Y -= r.Dy() & 3
	}
	return r
}

// moved is q in a picture that was cropped at p.
func (q Quad) moved(p Point) Quad {
	for i := range q {
		q[i].X -= p.X
		q[i].Y -= p.Y
	}
	return q
}

// halved is q in a picture of w×h that is scaled to w/2×h/2.
func (q Quad) halved(w, h int) Quad {
	sx, sy := float64(w/2)/float64(w), float64(h/2)/float64(h)
	for i := range q {
		q[i].X *= sx
		q[i].Y *= sy
	}
	return q
}

func distance(a, b Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// ray is a row of the target as it runs through the source: its n-th pixel lies at ((x + n·dx) / (d + n·dd), (y + n·dy) / (d + n·dd)),
// pixel centres at whole coordinates.
type ray struct{ x, y, d, dx, dy, dd float64 }

// eachRow calls row for each row of a w×h target that shows q.
func (q Quad) eachRow(w, h int, row func(y int, r ray)) {
	m := q.Projection()
	u, du := .5/float64(w), 1/float64(w)
	for y := range h {
		v := (float64(y) + .5) / float64(h)
		r := ray{
			x: m[0]*u + m[1]*v + m[2], y: m[3]*u + m[4]*v + m[5], d: m[6]*u + m[7]*v + 1,
			dx: m[0] * du, dy: m[3] * du, dd: m[6] * du,
		}
		// Half a pixel less, so that centres lie at whole coordinates.
		r.x, r.dx = r.x-.5*r.d, r.dx-.5*r.dd
		r.y, r.dy = r.y-.5*r.d, r.dy-.5*r.dd
		row(y, r)
	}
}

// cell finds the four samples around (x, y), repeating the edge, and the weights of the right and the lower ones in 1/256.
func cell(x, y float64, w, h int) (x0, y0, x1, y1 int, fx, fy int32) {
	if !(x > 0) { // also what is not a number, from a degenerate quad
		x = 0
	}
	if !(y > 0) {
		y = 0
	}
	x, y = math.Min(x, float64(w-1)), math.Min(y, float64(h-1))
	x0, y0 = int(x), int(y)
	fx, fy = int32((x-float64(x0))*256), int32((y-float64(y0))*256)
	return x0, y0, min(x0+1, w-1), min(y0+1, h-1), fx, fy
}

// sampleRow reads the picture along a ray, bilinear; what lies outside repeats the nearest pixel.
func (p *RGB) sampleRow(out []uint8, r ray) {
	if len(p.Pix) == 0 {
		return
	}
	right, foot, stride := float64(p.W-1), float64(p.H-1), 3*p.W
	for i := 0; i+3 <= len(out); i += 3 {
		scale := 1 / r.d
		x, y := r.x*scale, r.y*scale
		r.x, r.y, r.d = r.x+r.dx, r.y+r.dy, r.d+r.dd
		if x >= 0 && y >= 0 && x < right && y < foot {
			x0, y0 := int(x), int(y)
			fx, fy := int32((x-float64(x0))*256), int32((y-float64(y0))*256)
			at := y0*stride + 3*x0
			a, b := p.Pix[at:at+6:at+6], p.Pix[at+stride:at+stride+6:at+stride+6]
			to := out[i : i+3 : i+3]
			to[0] = lerp2(a[0], a[3], b[0], b[3], fx, fy)
			to[1] = lerp2(a[1], a[4], b[1], b[4], fx, fy)
			to[2] = lerp2(a[2], a[5], b[2], b[5], fx, fy)
			continue
		}
		x0, y0, x1, y1, fx, fy := cell(x, y, p.W, p.H)
		a, b := p.Pix[3*(y0*p.W+x0):], p.Pix[3*(y0*p.W+x1):]
		c, d := p.Pix[3*(y1*p.W+x0):], p.Pix[3*(y1*p.W+x1):]
		for k := range 3 {
			out[i+k] = lerp2(a[k], b[k], c[k], d[k], fx, fy)
		}
	}
}

// sampleRow reads the picture along a ray, bilinear; what lies outside repeats the nearest pixel.
func (g *Gray) sampleRow(out []uint8, r ray) {
	if len(g.Pix) == 0 {
		return
	}
	right, foot := float64(g.W-1), float64(g.H-1)
	for i := range out {
		scale := 1 / r.d
		x, y := r.x*scale, r.y*scale
		r.x, r.y, r.d = r.x+r.dx, r.y+r.dy, r.d+r.dd
		if x >= 0 && y >= 0 && x < right && y < foot {
			x0, y0 := int(x), int(y)
			at := y0*g.W + x0
			a, b := g.Pix[at:at+2:at+2], g.Pix[at+g.W:at+g.W+2:at+g.W+2]
			out[i] = lerp2(a[0], a[1], b[0], b[1], int32((x-float64(x0))*256), int32((y-float64(y0))*256))
			continue
		}
		x0, y0, x1, y1, fx, fy := cell(x, y, g.W, g.H)
		out[i] = lerp2(g.Pix[y0*g.W+x0], g.Pix[y0*g.W+x1], g.Pix[y1*g.W+x0], g.Pix[y1*g.W+x1], fx, fy)
	}
}

// sampleBlack is sample with black around the picture.
func (p *RGB) sampleBlack(x, y float64, out []uint8) {
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	fx, fy := int32((x-float64(x0))*256), int32((y-float64(y0))*256)
	if x0 >= 0 && y0 >= 0 && x0+1 < p.W && y0+1 < p.H {
		a, c := p.Pix[3*(y0*p.W+x0):][:6], p.Pix[3*((y0+1)*p.W+x0):][:6]
		out[0] = lerp2(a[0], a[3], c[0], c[3], fx, fy)
		out[1] = lerp2(a[1], a[4], c[1], c[4], fx, fy)
		out[2] = lerp2(a[2], a[5], c[2], c[5], fx, fy)
		return
	}
	for i := range 3 {
		out[i] = lerp2(p.black(x0, y0, i), p.black(x0+1, y0, i), p.black(x0, y0+1, i), p.black(x0+1, y0+1, i), fx, fy)
	}
}

func (p *RGB) black(x, y, i int) uint8 {
	if x < 0 || y < 0 || x >= p.W || y >= p.H {
		return 0
	}
	return p.Pix[3*(y*p.W+x)+i]
}

func lerp2(a, b, c, d uint8, fx, fy int32) uint8 {
	top := int32(a)<<8 + (int32(b)-int32(a))*fx
	low := int32(c)<<8 + (int32(d)-int32(c))*fx
	return uint8((top<<8 + (low-top)*fy + 1<<15) >> 16)
}
