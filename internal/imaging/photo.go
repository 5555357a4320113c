package imaging

import (
	"image"
	"math"
)

// Photo is an opened picture, upright, of any size. It keeps the pixels as the file stored them (brightness and colour
// apart, turned as the camera was held) and makes the parts and small copies that are asked for. Small copies share one
// ladder of halved pictures, which is climbed down no further than needed and only once, so that a picture of 12 million
// pixels costs a sixth of what it takes to convert, turn and shrink it as a whole.
//
// A Photo is safe for concurrent use; nothing that its methods return is shared unless they say so.
type Photo struct {
	W, H   int // upright
	stored *store
	view   view
}

// PhotoOf wraps a picture that is already at hand. The picture must not be changed afterwards.
func PhotoOf(p *RGB) *Photo {
	return &Photo{W: p.W, H: p.H, stored: &store{w: p.W, h: p.H, rgb: p}}
}

// photoOf keeps what a decoder answered and shows it turned by EXIF orientation o.
func photoOf(m image.Image, o int) *Photo {
	p := &Photo{stored: storeOf(m), view: viewOf(o)}
	p.W, p.H = p.view.size(p.stored.w, p.stored.h)
	return p
}

// Bounds returns the rectangle (0, 0)–(W, H).
func (p *Photo) Bounds() image.Rectangle { return image.Rect(0, 0, p.W, p.H) }

// Turn returns the picture turned clockwise by the number of quarter turns, which may be negative. It costs nothing: both
// share their pixels.
func (p *Photo) Turn(quarters int) *Photo {
	out := *p
	for range quarters & 3 {
		out.view = out.view.turned()
		out.W, out.H = out.H, out.W
	}
	return &out
}

// Mirrored returns the picture with left and right exchanged. It costs nothing, as Turn.
func (p *Photo) Mirrored() *Photo {
	out := *p
	out.view = out.view.mirrored()
	return &out
}

// RGB returns the whole picture. It may be shared and must not be changed where p came from PhotoOf.
func (p *Photo) RGB() *RGB {
	if whole := p.stored.rgb; whole != nil {
		return p.view.show(whole)
	}
	return p.Crop(p.Bounds())
}

// Gray returns the luma of the whole picture.
func (p *Photo) Gray() *Gray { return p.CropGray(p.Bounds()) }

// Luma is Gray for callers that only read: the result may be shared and must not be changed. It copies nothing if the file was stored upright, in planes
// whose rows are not padded.
func (p *Photo) Luma() *Gray {
	s := p.stored
	if s.rgb != nil || s.ys != s.w {
		return p.Gray()
	}
	return p.view.showGray(&Gray{W: s.w, H: s.h, Pix: s.y[:s.w*s.h]})
}

// Crop returns the part of p inside r. What of r lies outside p is left away; the result may be empty.
func (p *Photo) Crop(r image.Rectangle) *RGB {
	r = r.Intersect(p.Bounds())
	return p.view.show(p.stored.crop(p.view.stored(r, p.stored.w, p.stored.h)))
}

// CropGray returns the luma of the part of p inside r (ITU-R BT.601, as JPEG stores it). What of r lies outside p is left
// away; the result may be empty.
func (p *Photo) CropGray(r image.Rectangle) *Gray {
	r = r.Intersect(p.Bounds())
	return p.view.showGray(p.stored.gray(p.view.stored(r, p.stored.w, p.stored.h)))
}

// crisp is how much larger than the target the halved picture is that it is made from: closer to it the two averages, one
// after the other, blur what one would keep.
const crisp = 1.2

// Resize returns p scaled to w×h pixels (at least 1×1), as RGB.Resize does, out of a halved picture that is large enough.
func (p *Photo) Resize(w, h int) *RGB {
	w, h = p.view.size(max(w, 1), max(h, 1))
	s, k := p.stored, 0
	for k < deepest && float64(s.levelW(k+1)) >= crisp*float64(w) && float64(s.levelH(k+1)) >= crisp*float64(h) {
		k++
	}
	if k == 0 && s.rgb == nil {
		return p.view.show(s.resize(w, h))
	}
	from, unit := s.level(k), float64(int(1)<<k)
	pix := resizePart(from.Pix, from.W, from.H, 3, w, h, float64(s.w)/unit, float64(s.h)/unit)
	return p.view.show(&RGB{W: w, H: h, Pix: pix})
}

// Fit shrinks p until its longer side has at most longest pixels, and returns the scale (at most 1; new = old × scale).
func (p *Photo) Fit(longest int) (*RGB, float64) {
	w, h, s := fit(p.W, p.H, longest)
	return p.Resize(w, h), s
}

// FitGray is the luma of Fit, and cheaper.
func (p *Photo) FitGray(longest int) (*Gray, float64) {
	w, h, scale := fit(p.W, p.H, longest)
	s := p.stored
	if s.rgb != nil {
		return p.Resize(w, h).Gray(), scale
	}
	w, h = p.view.size(w, h)
	return p.view.showGray(&Gray{W: w, H: h, Pix: resizePlane(s.y, s.ys, s.w, s.h, w, h, float64(s.w), float64(s.h))}), scale
}

// Halved returns the smallest of the picture, its half, its quarter and so on whose longer side has at least longest
// pixels, and its scale (1, ½, ¼ …; the last column and row may be of half a pixel). It is the cheapest way to a small
// copy; it may be shared and must not be changed.
func (p *Photo) Halved(longest int) (*RGB, float64) {
	k := p.rung(longest)
	return p.view.show(p.stored.level(k)), 1 / float64(int(1)<<k)
}

// rung is how many times a picture is halved at most for a copy whose longer side has at least longest pixels.
func (p *Photo) rung(longest int) int {
	k := 0
	for k < deepest && max(p.stored.levelW(k+1), p.stored.levelH(k+1)) >= longest {
		k++
	}
	return k
}

// Warp rectifies the part of p under q to w×h pixels, as RGB.Warp does.
func (p *Photo) Warp(q Quad, w, h int) *RGB {
	q, r, k := p.under(q, w, h)
	if r.Empty() {
		return NewRGB(max(w, 1), max(h, 1))
	}
	s := p.stored
	switch {
	case k == 0:
		return p.view.show(s.crop(p.view.stored(r, s.w, s.h))).Warp(q, w, h)
	case p.view == view{}:
		return s.level(k).Warp(q.moved(Point{-float64(r.Min.X), -float64(r.Min.Y)}), w, h)
	}
	return p.view.show(s.level(k).Crop(p.view.stored(r, s.levelW(k), s.levelH(k)))).Warp(q, w, h)
}

// WarpGray is the luma of Warp, and cheaper.
func (p *Photo) WarpGray(q Quad, w, h int) *Gray {
	q, r, k := p.under(q, w, h)
	if r.Empty() {
		return NewGray(max(w, 1), max(h, 1))
	}
	s := p.stored
	return p.view.showGray(s.grayOf(p.view.stored(r, s.levelW(k), s.levelH(k)), k)).Warp(q, w, h)
}

// under is the part of the picture that a warp needs: on which rung of the ladder, which rectangle of it, upright, and the
// quad within that rectangle.
func (p *Photo) under(q Quad, w, h int) (Quad, image.Rectangle, int) {
	if !q.finite() {
		return q, image.Rectangle{}, 0
	}
	k := 0
	for k < deepest && q.shrinks(max(w, 1), max(h, 1)) {
		q = q.times(.5)
		k++
	}
	sw, sh := p.stored.levelW(k), p.stored.levelH(k)
	q = q.moved(p.view.overhang(sw<<k-p.stored.w, sh<<k-p.stored.h, 1/float64(int(1)<<k)))
	lw, lh := p.view.size(sw, sh)
	r := q.around(lw, lh, 4)
	return q.moved(Point{float64(r.Min.X), float64(r.Min.Y)}), r, k
}

// view is how a picture is shown: the upright pixel (x, y) is the stored one at (y, x) where swap is set, else at (x, y),
// counted from the right where fx is set, from the foot where fy is set.
type view struct{ swap, fx, fy bool }

// views are the EXIF orientations (CIPA DC-008 §4.6.4 tag 274).
var views = [9]view{
	1: {}, 2: {fx: true}, 3: {fx: true, fy: true}, 4: {fy: true},
	5: {swap: true}, 6: {swap: true, fy: true}, 7: {swap: true, fx: true, fy: true}, 8: {swap: true, fx: true},
}

func viewOf(orientation int) view {
	if orientation < 1 || orientation > 8 {
		return view{}
	}
	return views[orientation]
}

func (v view) orientation() int {
	for o := 1; o <= 8; o++ {
		if views[o] == v {
			return o
		}
	}
	return 1
}

// turned is the view turned clockwise by a quarter.
func (v view) turned() view {
	if v.swap {
		return view{fx: !v.fx, fy: v.fy}
	}
	return view{swap: true, fx: v.fx, fy: !v.fy}
}

// mirrored is the view with left and right exchanged.
func (v view) mirrored() view {
	if v.swap {
		v.fy = !v.fy
	} else {
		v.fx = !v.fx
	}
	return v
}

// size swaps the sides where the view does: stored to upright and back.
func (v view) size(w, h int) (int, int) {
	if v.swap {
		return h, w
	}
	return w, h
}

// stored is where an upright rectangle lies in the stored picture of w×h.
func (v view) stored(r image.Rectangle, w, h int) image.Rectangle {
	if v.swap {
		r = image.Rect(r.Min.Y, r.Min.X, r.Max.Y, r.Max.X)
	}
	if v.fx {
		r.Min.X, r.Max.X = w-r.Max.X, w-r.Min.X
	}
	if v.fy {
		r.Min.Y, r.Max.Y = h-r.Max.Y, h-r.Min.Y
	}
	return r
}

// overhang is where an upright picture begins on a halved copy whose last stored column and row reach x and y pixels
// beyond the picture: counted from the far side, they come first.
func (v view) overhang(x, y int, scale float64) Point {
	if !v.fx {
		x = 0
	}
	if !v.fy {
		y = 0
	}
	if v.swap {
		x, y = y, x
	}
	return Point{-float64(x) * scale, -float64(y) * scale}
}

func (v view) show(p *RGB) *RGB {
	if v == (view{}) {
		return p
	}
	w, h, pix := orient(p.Pix, p.W, p.H, 3, v.orientation())
	return &RGB{W: w, H: h, Pix: pix}
}

func (v view) showGray(g *Gray) *Gray {
	if v == (view{}) {
		return g
	}
	w, h, pix := orient(g.Pix, g.W, g.H, 1, v.orientation())
	return &Gray{W: w, H: h, Pix: pix}
}

// times is q in a picture scaled by f.
func (q Quad) times(f float64) Quad {
	for i := range q {
		q[i] = Point{q[i].X * f, q[i].Y * f}
	}
	return q
}

// finite reports whether every corner is a place.
func (q Quad) finite() bool {
	for _, p := range q {
		if math.IsNaN(p.X+p.Y) || math.IsInf(p.X+p.Y, 0) {
			return false
		}
	}
	return true
}
