package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
)

// edgeSide is the longest side of the copy that is searched for edges.
const edgeSide = 480

// findEdges returns the page's corners by its four edges round the print. Where they are not visible, as on a scan that is cropped
// to the page, there are none.
func (v *View) findEdges() []float64 {
	frame, ok := v.printFrame()
	if !ok {
		return nil
	}
	small, scale := v.Img.Fit(edgeSide)
	e := newEdgeFinder(small, frame.Scaled(scale))
	e.shapes, e.predicted, e.known = v.expectedEdges(frame, scale)
	quad, ok := e.find()
	if !ok {
		return nil
	}
	out := make([]float64, 0, 8)
	for _, p := range quad {
		x, y := p.X/float64(small.W), p.Y/float64(small.H)
		if x < -edgeNear || y < -edgeNear || x > 1+edgeNear || y > 1+edgeNear {
			return nil
		}
		out = append(out, math.Max(0, math.Min(1, x)), math.Max(0, math.Min(1, y)))
	}
	return out
}

// pageShapes are the sizes of document pages in millimetres (ICAO 9303-4, -5, -6, -7 §2).
var pageShapes = [][2]float64{{85.6, 53.98}, {105, 74}, {125, 88}, {120, 80}}

// expectedEdges returns the shapes that the page can have, width by height, and the distances of its edges beyond the print, in
// pixels of the copy, where the zone predicts them.
func (v *View) expectedEdges(frame ocr.Strip, scale float64) (shapes []float64, predicted [4]float64, known bool) {
	if r := v.readZone(); r != nil {
		if size, ok := zone.PageOf(r.Document.Format); ok {
			row := v.Zone.Last()
			unit := v.Zone.Pitch / zone.PitchMillimetres
			a, d := frame.Locate(row.Centre())
			foot, half := d+size.Foot*unit, size.Width/2*unit
			predicted = [4]float64{
				-(foot - size.Height*unit) - frame.Height/2, a + half - frame.Length/2,
				foot - frame.Height/2, -(a - half) - frame.Length/2,
			}
			for i := range predicted {
				predicted[i] *= scale
			}
			return []float64{size.Width / size.Height}, predicted, true
		}
	}
	for _, s := range pageShapes {
		shapes = append(shapes, s[0]/s[1], s[1]/s[0])
	}
	return shapes, predicted, false
}

// printFrame returns the rectangle round the print and the portrait, along the lines' direction. It is false where there is too
// little of both.
func (v *View) printFrame() (ocr.Strip, bool) {
	base := v.direction()
	var pts []imaging.Point
	for _, s := range v.Boxes {
		if v.onPage(s) && (v.Zone != nil || along(s, base)) {
			q := s.Quad()
			pts = append(pts, q[:]...)
		}
	}
	if p := v.Portrait; p != nil {
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

// direction returns a strip at the origin that runs as the page's lines do: those of its zone, else those beside its portrait.
func (v *View) direction() ocr.Strip {
	base := ocr.Strip{UX: 1}
	if v.Zone != nil {
		base = v.Zone.First()
	} else {
		base.UY, base.UX = math.Sincos(ocr.Skew(v.besidePortrait()) * math.Pi / 180)
	}
	base.X, base.Y = 0, 0
	return base
}

// askew is the most degrees by which a line of a page may be turned against the others. What is round the page has lines too.
const askew = 6.0

// along reports whether a run of text is long and runs as the page's lines do.
func along(s, base ocr.Strip) bool {
	if !s.Directed() {
		return false
	}
	away := math.Mod(s.Angle()-base.Angle()+360+45, 90) - 45
	return math.Abs(away) <= askew
}

// besidePortrait returns the runs of text that are nearest to the portrait, which are on the page: what the page lies on has print
// too, but farther away. All where the portrait is not known or few are near.
func (v *View) besidePortrait() []ocr.Strip {
	p := v.Portrait
	if p == nil {
		return v.Boxes
	}
	b := p.Face.Pixel
	centre := imaging.Point{X: b.X + b.W/2, Y: b.Y + b.H/2}
	out := slices.DeleteFunc(slices.Clone(v.Boxes), func(s ocr.Strip) bool { return distance(s, centre) >= 3.5*b.H })
	if len(out) < leastLines {
		return v.Boxes
	}
	slices.SortStableFunc(out, func(a, b ocr.Strip) int { return cmp.Compare(distance(a, centre), distance(b, centre)) })
	return out[:min(len(out), besideLines)]
}

// besideLines is how many runs of text beside the portrait show the direction of the page's lines.
const besideLines = 10

// distance returns how far a point is from the nearest one of a strip's centre line.
func distance(s ocr.Strip, p imaging.Point) float64 {
	a, d := s.Locate(p)
	return math.Hypot(math.Max(0, math.Abs(a)-s.Length/2), d)
}
