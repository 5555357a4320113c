package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// edgeSide is the longest side of the copy that is searched for edges.
const edgeSide = 480

// findEdges looks for the four edges of the page round the print, and sets the page's corners. Where they do not stand
// out, as on a scan that is cropped to the page, there are none.
func (w *work) findEdges() {
	frame, ok := w.printFrame()
	if !ok {
		return
	}
	small, scale := w.img.Fit(edgeSide)
	e := newEdgeFinder(small, frame.Scaled(scale))
	e.shapes, e.told, e.knows = w.expectedEdges(frame, scale)
	quad, ok := e.find()
	if !ok {
		return
	}
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

// The sizes of pages in millimetres, and how far the zone's last line is from the lower edge (ICAO 9303-4, -5, -6, -7 §2).
var (
	pageSizes = [][2]float64{{85.6, 53.98}, {105, 74}, {125, 88}, {120, 80}}
	zonePages = map[mrz.Format][3]float64{
		mrz.TD1: {85.6, 53.98, 5.5}, mrz.TD2: {105, 74, 9.4}, mrz.TD3: {125, 88, 9.4},
		mrz.MRVA: {120, 80, 9.4}, mrz.MRVB: {105, 74, 9.4}, mrz.IDFRA: {105, 74, 9.4},
	}
)

// expectedEdges are the shapes that the page can have, width by height, and where a zone says that its edges lie beyond
// the print, in pixels of the copy.
func (w *work) expectedEdges(frame ocr.Strip, scale float64) (shapes []float64, told [4]float64, knows bool) {
	if w.zone != nil && w.page.MRZ != nil {
		if size, ok := zonePages[w.page.MRZ.Document.Format]; ok {
			row := w.zone.rows[len(w.zone.rows)-1].strip
			unit := w.zone.pitch / 2.54
			a, d := frame.Locate(imaging.Point{X: row.X, Y: row.Y})
			foot, half := d+size[2]*unit, size[0]/2*unit
			told = [4]float64{
				-(foot - size[1]*unit) - frame.Height/2, a + half - frame.Length/2,
				foot - frame.Height/2, -(a - half) - frame.Length/2,
			}
			for i := range told {
				told[i] *= scale
			}
			return []float64{size[0] / size[1]}, told, true
		}
	}
	for _, s := range pageSizes {
		shapes = append(shapes, s[0]/s[1], s[1]/s[0])
	}
	return shapes, told, false
}

// printFrame is the rectangle round the print and the portrait, along the lines' direction.
func (w *work) printFrame() (ocr.Strip, bool) {
	base := ocr.Strip{UX: 1}
	switch {
	case w.zone != nil:
		base = w.zone.rows[0].strip
	default:
		sin, cos := math.Sincos(ocr.Skew(w.besidePortrait()) * math.Pi / 180)
		base.UX, base.UY = cos, sin
	}
	base.X, base.Y = 0, 0
	var pts []imaging.Point
	for _, s := range w.boxes {
		if w.onPage(s) && (w.zone != nil || along(s, base)) {
			q := s.Quad()
			pts = append(pts, q[:]...)
		}
	}
	if p := w.page.Portrait; p != nil {
		b := p.Face.Pixel
		pts = append(pts, imaging.Point{X: b.X, Y: b.Y}, imaging.Point{X: b.X + b.W, Y: b.Y + b.H})
	}
	if len(pts) < 2*len(imaging.Quad{}) {
		return ocr.Strip{}, false
	}
	lo, hi, top, foot := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range pts {
		a, d := base.Locate(p)
		lo, hi, top, foot = math.Min(lo, a), math.Max(hi, a), math.Min(top, d), math.Max(foot, d)
	}
	m := base.At((lo+hi)/2, (top+foot)/2)
	base.X, base.Y, base.Length, base.Height = m.X, m.Y, hi-lo, foot-top
	return base, true
}

// askew is the most by which a line of a page may be turned against the others, in degrees. What lies about has lines too.
const askew = 6.0

// along reports whether a run of text runs as the page's lines do; a short one may be anything's.
func along(s, base ocr.Strip) bool {
	if !s.Directed() {
		return false
	}
	away := math.Mod(s.Angle()-base.Angle()+360+45, 90) - 45
	return math.Abs(away) <= askew
}

// besidePortrait are the runs of text that are nearest to the portrait, which are the page's; all where there is none.
func (w *work) besidePortrait() []ocr.Strip {
	p := w.page.Portrait
	if p == nil {
		return w.boxes
	}
	b := p.Face.Pixel
	var out []ocr.Strip
	for _, s := range w.boxes {
		if math.Hypot(s.X-b.X-b.W/2, s.Y-b.Y-b.H/2) < 3.5*b.H {
			out = append(out, s)
		}
	}
	if len(out) < leastLines {
		return w.boxes
	}
	return out
}

// onPage reports whether print can be the document's: beside a machine-readable zone, as wide as that, and above it; on
// other pages, near the portrait.
func (w *work) onPage(s ocr.Strip) bool {
	if w.zone == nil {
		return w.nearPortrait(s)
	}
	z := w.zone.rows[len(w.zone.rows)-1].strip
	a, d := z.Locate(s.Centre())
	return math.Abs(a) < 0.56*z.Length && d < z.Height && d > -0.85*z.Length
}
