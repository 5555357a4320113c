package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How the page's edges are found: as the strongest straight steps in colour beyond what is printed on it.
const (
	edgeSide     = 480  // longest side of the copy that is searched
	edgeReach    = 0.45 // of the print's extent, how far beyond it an edge may lie
	edgeSlope    = 0.12 // most by which an edge may slant against the print, as rise over run
	edgeSlopes   = 13   // slants that are tried
	edgeSamples  = 48   // points along an edge
	edgeStep     = 9.0  // grey levels of a step that counts
	edgeCoverage = 0.62 // part of an edge that must show the step
)

// edgeLine is a line in the frame of the print: at + slope·(position along it).
type edgeLine struct{ at, slope float64 }

// findEdges looks for the four edges of the page round the print, and sets the page's corners. Where any of them does
// not stand out, as on a scan that is cropped to the page, there are none.
func (w *work) findEdges() {
	frame, ok := w.printFrame()
	if !ok {
		return
	}
	small, scale := w.img.Fit(edgeSide)
	e := edgeFinder{planes: colourPlanes(small), w: small.W, h: small.H, frame: frame.scaled(scale)}
	var lines [4]edgeLine
	for side := range lines {
		l, ok := e.search(side)
		if !ok {
			return
		}
		lines[side] = l
	}
	quad := e.corners(lines)
	out := make([]float64, 0, 8)
	for _, p := range quad {
		x, y := p.X/float64(small.W), p.Y/float64(small.H)
		if x < -edgeNear || y < -edgeNear || x > 1+edgeNear || y > 1+edgeNear {
			return
		}
		out = append(out, math.Max(0, math.Min(1, x)), math.Max(0, math.Min(1, y)))
	}
	w.page.Corners = out
}

// printFrame is the rectangle round the print and the portrait, along the lines' direction.
func (w *work) printFrame() (strip, bool) {
	base := strip{ux: 1}
	switch {
	case w.zone != nil:
		base = w.zone.rows[0].strip
	default:
		sin, cos := math.Sincos(tilt(w.boxes) * math.Pi / 180)
		base.ux, base.uy = cos, sin
	}
	base.cx, base.cy = 0, 0
	var pts []imaging.Point
	for _, s := range w.boxes {
		if w.onPage(s) {
			q := s.quad()
			pts = append(pts, q[:]...)
		}
	}
	if p := w.page.Portrait; p != nil {
		b := p.Face.Pixel
		pts = append(pts, imaging.Point{X: b.X, Y: b.Y}, imaging.Point{X: b.X + b.W, Y: b.Y + b.H})
	}
	if len(pts) < 2*len(imaging.Quad{}) {
		return strip{}, false
	}
	lo, hi, top, foot := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range pts {
		a, d := base.locate(p)
		lo, hi, top, foot = math.Min(lo, a), math.Max(hi, a), math.Min(top, d), math.Max(foot, d)
	}
	m := base.at((lo+hi)/2, (top+foot)/2)
	base.cx, base.cy, base.length, base.height = m.X, m.Y, hi-lo, foot-top
	return base, true
}

// onPage reports whether print can be the document's: beside a machine-readable zone, as wide as that, and above it; on
// other pages, near the portrait.
func (w *work) onPage(s strip) bool {
	if w.zone == nil {
		return w.nearPortrait(s)
	}
	z := w.zone.rows[len(w.zone.rows)-1].strip
	a, d := z.locate(centre(s))
	return math.Abs(a) < 0.56*z.length && d < z.height && d > -0.85*z.length
}

// colourPlanes are brightness and two differences of colour: a page may differ from its desk in either alone.
func colourPlanes(p *imaging.RGB) [3][]float32 {
	var out [3][]float32
	for k := range out {
		out[k] = make([]float32, p.W*p.H)
	}
	for i := range p.W * p.H {
		r, g, b := float32(p.Pix[3*i]), float32(p.Pix[3*i+1]), float32(p.Pix[3*i+2])
		out[0][i] = 0.299*r + 0.587*g + 0.114*b
		out[1][i] = r - g
		out[2][i] = 0.5*(r+g) - b
	}
	return out
}

type edgeFinder struct {
	planes [3][]float32
	w, h   int
	frame  strip
}

// point is a place in the frame of one side: along the side, and out from the print's edge. Sides go round: top, right,
// foot, left.
func (e *edgeFinder) point(side int, along, out float64) imaging.Point {
	half, rise := e.frame.length/2, e.frame.height/2
	switch side {
	case 0:
		return e.frame.at(along*half, -rise-out)
	case 1:
		return e.frame.at(half+out, along*rise)
	case 2:
		return e.frame.at(along*half, rise+out)
	default:
		return e.frame.at(-half-out, along*rise)
	}
}

// search finds the line beyond the print, nearest to it, that shows the strongest step along most of its length.
func (e *edgeFinder) search(side int) (edgeLine, bool) {
	span, reach := e.frame.length/2, edgeReach*e.frame.length
	if side%2 == 1 {
		span = e.frame.height / 2
	}
	var best edgeLine
	strongest := 0.0
	for out := -1.0; out < reach; out++ {
		for k := range edgeSlopes {
			slope := edgeSlope * (2*float64(k)/(edgeSlopes-1) - 1) * span
			covered, strength := e.step(side, out, slope)
			// Of two edges the nearer is the page's, the farther that of what it lies on.
			strength *= 1 - 0.5*out/math.Max(1, reach)
			if covered >= edgeCoverage && strength > strongest {
				best, strongest = edgeLine{out, slope}, strength
			}
		}
	}
	return best, strongest > 0
}

// step samples a line: the part of it where colour changes across it, and how much on average.
func (e *edgeFinder) step(side int, out, slope float64) (covered, strength float64) {
	n := 0
	for i := range edgeSamples {
		t := 2*(float64(i)+.5)/edgeSamples - 1
		at := out + slope*t
		inside, ok := e.sample(e.point(side, t, at-1.5))
		outside, ok2 := e.sample(e.point(side, t, at+1.5))
		if !ok || !ok2 {
			continue
		}
		change := 0.0
		for k := range inside {
			change = math.Max(change, math.Abs(float64(inside[k]-outside[k])))
		}
		if change >= edgeStep {
			n++
			strength += math.Min(change, 60)
		}
	}
	return float64(n) / edgeSamples, strength / edgeSamples
}

func (e *edgeFinder) sample(p imaging.Point) (v [3]float32, ok bool) {
	x, y := int(p.X), int(p.Y)
	if x < 0 || y < 0 || x >= e.w || y >= e.h {
		return v, false
	}
	for k := range v {
		v[k] = e.planes[k][y*e.w+x]
	}
	return v, true
}

// corners are where neighbouring edges meet, from top-left clockwise.
func (e *edgeFinder) corners(lines [4]edgeLine) imaging.Quad {
	var q imaging.Quad
	for i, side := range [4][2]int{{3, 0}, {0, 1}, {1, 2}, {2, 3}} {
		a, b := lines[side[0]], lines[side[1]]
		q[i] = meet(
			e.point(side[0], -1, a.at-a.slope), e.point(side[0], 1, a.at+a.slope),
			e.point(side[1], -1, b.at-b.slope), e.point(side[1], 1, b.at+b.slope))
	}
	return q
}

// meet is where the lines through a, b and through c, d cross; a itself where they are parallel.
func meet(a, b, c, d imaging.Point) imaging.Point {
	den := (a.X-b.X)*(c.Y-d.Y) - (a.Y-b.Y)*(c.X-d.X)
	if math.Abs(den) < 1e-9 {
		return a
	}
	p, q := a.X*b.Y-a.Y*b.X, c.X*d.Y-c.Y*d.X
	return imaging.Point{X: (p*(c.X-d.X) - (a.X-b.X)*q) / den, Y: (p*(c.Y-d.Y) - (a.Y-b.Y)*q) / den}
}
