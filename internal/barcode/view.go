package barcode

import (
	"context"
	"iter"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// view is one way to show the picture to the decoder, and the way back.
type view struct {
	pic  *imaging.Gray
	back func(imaging.Point) imaging.Point // from pixels of pic to pixels of the picture
}

// Sizes of the longest side at which a whole picture is offered. A code on a
// card fills a third to nine tenths of the picture, and the decoder wants two
// to four pixels a module.
var wholeSizes = []int{1600, 1000, 2400}

// views yields the ways to look, cheap and likely ones first.
func views(g *imaging.Gray) iter.Seq[view] {
	return func(yield func(view) bool) {
		for _, v := range wholes(g) {
			if !yield(v) {
				return
			}
		}
		for _, r := range regions(g) {
			for _, v := range r.views(g) {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// wholes offers the picture at its own size and grown when it is small, shrunk
// when it is large.
func wholes(g *imaging.Gray) []view {
	longest := max(g.W, g.H)
	var out []view
	if longest <= wholeSizes[0] {
		out = append(out, scaled(g, 1))
		for _, s := range []float64{2, 3} {
			if float64(longest)*s <= 1700 {
				out = append(out, scaled(g, s))
			}
		}
	}
	for _, size := range wholeSizes {
		if longest > size {
			out = append(out, scaled(g, float64(size)/float64(longest)))
		}
	}
	return out
}

func scaled(g *imaging.Gray, s float64) view {
	w, h := max(int(float64(g.W)*s+.5), 1), max(int(float64(g.H)*s+.5), 1)
	pic := g
	if w != g.W || h != g.H {
		pic = g.Resize(w, h)
	}
	sx, sy := float64(g.W)/float64(w), float64(g.H)/float64(h)
	return view{pic, func(p imaging.Point) imaging.Point { return imaging.Point{X: p.X * sx, Y: p.Y * sy} }}
}

// rectified shows what lies under the quad, upright, in w×h pixels.
func rectified(g *imaging.Gray, q imaging.Quad, w, h int) view {
	return view{g.Warp(q, w, h), projection(q, float64(w), float64(h))}
}

// through composes two ways back.
func (v view) through(outer func(imaging.Point) imaging.Point) view {
	inner := v.back
	v.back = func(p imaging.Point) imaging.Point { return outer(inner(p)) }
	return v
}

// projection maps the rectangle w×h onto the quad.
func projection(q imaging.Quad, w, h float64) func(imaging.Point) imaging.Point {
	dx1, dy1 := q[1].X-q[2].X, q[1].Y-q[2].Y
	dx2, dy2 := q[3].X-q[2].X, q[3].Y-q[2].Y
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	det := dx1*dy2 - dx2*dy1
	var a, b float64
	if det != 0 {
		a, b = (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	}
	return func(p imaging.Point) imaging.Point {
		u, v := p.X/w, p.Y/h
		d := a*u + b*v + 1
		x := (q[1].X-q[0].X+a*q[1].X)*u + (q[3].X-q[0].X+b*q[3].X)*v + q[0].X
		y := (q[1].Y-q[0].Y+a*q[1].Y)*u + (q[3].Y-q[0].Y+b*q[3].Y)*v + q[0].Y
		return imaging.Point{X: x / d, Y: y / d}
	}
}

// read offers the view to the decoders with both binarizers; where a code's
// outline was found but did not decode, what lies under the outline is
// rectified and offered again.
func (v view) read(ctx context.Context) (Code, bool) {
	var outlines []imaging.Quad
	for _, bin := range binarizers {
		if ctx.Err() != nil {
			return Code{}, false
		}
		c, seen, ok := readPDF417(v.pic, bin)
		if !ok {
			c, ok = readQR(v.pic, bin)
		}
		if ok {
			return v.home(c), true
		}
		outlines = append(outlines, seen...)
	}
	for _, q := range outlines {
		for _, r := range straightened(v.pic, q) {
			if ctx.Err() != nil {
				return Code{}, false
			}
			for _, bin := range binarizers {
				if c, _, ok := readPDF417(r.pic, bin); ok {
					return r.through(v.back).home(c), true
				}
			}
		}
	}
	return Code{}, false
}

// home brings the outline back to the picture.
func (v view) home(c Code) Code {
	for i, p := range c.Quad {
		c.Quad[i] = v.back(p)
	}
	return c
}

// straightened rectifies an outline with a quiet zone around it.
func straightened(g *imaging.Gray, q imaging.Quad) []view {
	w, h := (side(q[0], q[1])+side(q[3], q[2]))/2, (side(q[0], q[3])+side(q[1], q[2]))/2
	if w < minSide || h < 8 || w > 4000 || h > 4000 {
		return nil
	}
	q = grow(q, .04, .08)
	var out []view
	for _, s := range []float64{1.5, 2.5} {
		if w*s <= 3000 {
			out = append(out, rectified(g, q, int(w*1.08*s), int(h*1.16*s)))
		}
	}
	return out
}
