package page

import (
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// LeastSide is the shortest side of a page, in pixels, that can be read.
const LeastSide = 600

// Floors of quality. Where the machine-readable zone was proved in spite of a measure, the measure does not count.
const (
	leastSharpness = 60.0 // imaging.Sharpness over the page, where its line pairs cannot be measured
	mostGlare      = 0.04 // part of the print that is burnt out: below it 19 of 19 zones were read, above it 2 of 5
	mostPaper      = 0.35 // part of the page that is burnt out on a scan on pure white, where it is no reflection
	mostDarkness   = 0.70 // imaging.Darkness over the page
	utterDarkness  = 0.85 // where the portrait shows nobody, though lines may still be read
	leastLines     = 3    // runs of text on anything that is a document
	edgeNear       = 0.004
)

// Shorter sides of the document sizes, in pitches of the machine-readable zone (ICAO 9303-4, -5, -6 §2).
const (
	shortTD1 = 53.98 / zone.PitchMillimetres
	shortTD2 = 74.0 / zone.PitchMillimetres
	shortTD3 = 88.0 / zone.PitchMillimetres
)

// reasons returns the codes of what prevents reading the page, given its measures.
func (v *View) reasons(q idv.Quality) []string {
	out := []string{}
	add := func(k problem.Kind, when bool) {
		if when {
			out = append(out, k.Code)
		}
	}
	z := v.readZone()
	proved := z != nil && z.Document.CheckDigitsOK() && z.Agree
	add(problem.CaptureNoDocument, z == nil && v.Portrait == nil && !v.Barcode && len(v.Boxes) < leastLines)
	add(problem.CaptureSeveralDocuments, v.Several())
	add(problem.CaptureTooSmall, q.ShortSide < LeastSide)
	add(problem.CaptureCutOff, !proved && len(q.CutSides) > 0 || z != nil && !z.InView)
	add(problem.CaptureDark, !proved && q.Darkness > mostDarkness || q.Darkness > utterDarkness)
	add(problem.CaptureBlurred, !proved && tooSoft(q))
	add(problem.CaptureGlare, !proved && q.GlareText > mostGlare && q.GlareArea < mostPaper)
	return out
}

// tooSoft reports whether a page is blurred: by its line pairs, or where it has too few edges to measure those, by its sharpness.
func tooSoft(q idv.Quality) bool {
	if q.LinePairs > 0 {
		return q.LinePairs < idv.LeastLinePairs
	}
	return q.Sharpness < leastSharpness
}

// measure returns the page's measures, without reasons.
func (v *View) measure(page *rectified, places *forensic.Places) idv.Quality {
	quad := page.quad
	g := page.gray(sharpnessSide)
	q := idv.Quality{
		Sharpness:  imaging.Sharpness(g),
		LinePairs:  places.Sharpness() * acrossOf(quad) / v.width(acrossOf(quad)),
		GlareArea:  imaging.GlareArea(page.small()),
		GlareText:  v.glareText(),
		Brightness: brightness(g),
		Darkness:   imaging.Darkness(g),
		ShortSide:  v.shortSide(),
		Skew:       skewOf(quad),
	}
	q.CutSides, q.CutBoxes = v.cuts()
	if v.readZone() != nil {
		q.CharHeight = ocr.CapHeight * v.Zone.Pitch
	}
	if len(v.corners) == 2*len(quad) {
		q.Tilt = tiltOf(quad, v.Img.W, v.Img.H)
	} else if v.Zone != nil {
		q.Skew = v.Zone.First().Angle()
	}
	return q
}

// brightness returns the mean brightness of a picture, 0–1.
func brightness(g *imaging.Gray) float64 {
	var sum uint64
	for _, v := range g.Pix {
		sum += uint64(v)
	}
	return float64(sum) / 255 / math.Max(1, float64(len(g.Pix)))
}

// shortSide returns the page's shorter side in pixels: by the pitch of its machine-readable zone, which is the same on every
// document, else by the part of the picture that it fills.
func (v *View) shortSide() int {
	r := v.readZone()
	if r == nil {
		b, ok := v.extent()
		if !ok {
			return min(v.Img.W, v.Img.H)
		}
		return int(math.Min(b.Width*float64(v.Img.W), b.Height*float64(v.Img.H)))
	}
	side := shortTD3
	switch _, width := r.Document.Format.Shape(); width {
	case 30:
		side = shortTD1
	case 36:
		side = shortTD2
	}
	return int(math.Round(side * v.Zone.Pitch))
}

// cuts returns the sides of the picture that a line of the zone reaches, or print of the page on one without a zone, and that
// print.
func (v *View) cuts() (sides []string, boxes []idv.Box) {
	sides, boxes = []string{}, []idv.Box{}
	rows := v.rows()
	for _, side := range []struct {
		name string
		over func(b idv.Box) bool
	}{
		{"top", func(b idv.Box) bool { return b.Y <= edgeNear }},
		{"right", func(b idv.Box) bool { return b.X+b.Width >= 1-edgeNear }},
		{"bottom", func(b idv.Box) bool { return b.Y+b.Height >= 1-edgeNear }},
		{"left", func(b idv.Box) bool { return b.X <= edgeNear }},
	} {
		found := false
		for _, s := range rows {
			if b := BoxAround(s, v.Img); s.Directed() && side.over(b) {
				found = true
				if !slices.Contains(boxes, b) {
					boxes = append(boxes, b)
				}
			}
		}
		if found {
			sides = append(sides, side.name)
		}
	}
	return sides, boxes
}

// rows returns the lines that show whether the page is cut: those of its zone; else its print. Other paper may be beside it and
// reach over the picture's edge. It is told apart by the direction of its print, and by the page's own edges where all four are in
// view and make a page of its kind, else by how far it is from the portrait.
func (v *View) rows() []ocr.Strip {
	var out []ocr.Strip
	if v.Zone != nil {
		for _, s := range v.Zone.Lines {
			s.Length -= 2 * ocr.CropMargin * v.Zone.Pitch
			out = append(out, s)
		}
		return out
	}
	quad := v.quad()
	whole := len(v.corners) == 2*len(quad) && v.shaped(quad)
	direction := v.direction()
	for _, s := range v.Boxes {
		if along(s, direction) && (whole && reaches(quad, s) || !whole && v.onPage(s)) {
			out = append(out, s)
		}
	}
	return out
}

// shaped reports whether a quad has the proportions of a page of the view's kind. What is found round a page that the picture cuts
// lacks the part that was cut.
func (v *View) shaped(q imaging.Quad) bool {
	shape := pageShapes[0]
	switch v.Kind {
	case idv.Passport:
		shape = pageShapes[2]
	case idv.Visa:
		shape = pageShapes[3]
	}
	down := (math.Hypot(q[3].X-q[0].X, q[3].Y-q[0].Y) + math.Hypot(q[2].X-q[1].X, q[2].Y-q[1].Y)) / 2
	return down > 0 && math.Abs(math.Log(acrossOf(q)/down/(shape[0]/shape[1]))) < edgeLoose
}

// reaches reports whether a row is in a quad, or begins or ends there: where an edge was found too far inside, rows of the page cross it.
func reaches(q imaging.Quad, s ocr.Strip) bool {
	half := s.Length / 2
	return inside(q, s.Centre()) || inside(q, s.At(-half, 0)) || inside(q, s.At(half, 0))
}

// inside reports whether a point is in a quad whose corners are in order, clockwise from the top left.
func inside(q imaging.Quad, p imaging.Point) bool {
	for i, a := range q {
		b := q[(i+1)%len(q)]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}

// glareText returns the part of the print, zone and portrait that is burnt out, 0–1.
func (v *View) glareText() float64 {
	small, scale := v.Img.Halved(glareSide)
	var burnt, all float64
	add := func(b image.Rectangle) {
		p := small.Crop(b)
		n := float64(p.W * p.H)
		burnt, all = burnt+n*burntPart(p), all+n
	}
	scaled := func(b image.Rectangle) image.Rectangle {
		at := func(v int) int { return int(float64(v) * scale) }
		return image.Rect(at(b.Min.X), at(b.Min.Y), at(b.Max.X), at(b.Max.Y))
	}
	for _, s := range v.Boxes {
		if v.onPage(s) {
			add(scaled(boundsOf(s.Quad())))
		}
	}
	if v.Zone != nil {
		for _, s := range v.Zone.Lines {
			add(scaled(boundsOf(s.Quad())))
		}
	}
	if p := v.Portrait; p != nil {
		add(scaled(pixels(p.Face.Pixel)))
	}
	if all == 0 {
		return 0
	}
	return burnt / all
}

// glareSide is the longest side, at least, of the copy on which burnt-out print is counted.
const glareSide = 800

// burntPart returns the part of p in which every channel is at 250 or more, as imaging.GlareArea counts.
func burntPart(p *imaging.RGB) float64 {
	n := 0
	for i := 0; i+2 < len(p.Pix); i += 3 {
		if p.Pix[i] >= 250 && p.Pix[i+1] >= 250 && p.Pix[i+2] >= 250 {
			n++
		}
	}
	return float64(n) / math.Max(1, float64(p.W*p.H))
}

// skewOf returns by how much the page is turned in the picture, in degrees clockwise: the mean of its upper and lower edge.
func skewOf(q imaging.Quad) float64 {
	x, y := q[1].X-q[0].X+q[2].X-q[3].X, q[1].Y-q[0].Y+q[2].Y-q[3].Y
	return math.Atan2(y, x) * 180 / math.Pi
}

// lens is the focal length of a phone's main camera, 26 mm, in parts of the diagonal of 35 mm film.
const lens = 26 / 43.27

// tiltOf returns by how many degrees the page leans out of the picture's plane. It needs no measure of the page: its edges are
// square to each other, whatever their lengths, and a camera of that lens projected them so.
func tiltOf(q imaging.Quad, width, height int) float64 {
	f := lens * math.Hypot(float64(width), float64(height))
	// Where the page's edges run in space: the vanishing points of its two pairs of sides.
	ray := func(p imaging.Point) [3]float64 {
		return [3]float64{p.X - float64(width)/2, p.Y - float64(height)/2, f}
	}
	line := func(a, b imaging.Point) [3]float64 { return cross(ray(a), ray(b)) }
	along := cross(line(q[0], q[1]), line(q[3], q[2]))
	down := cross(line(q[0], q[3]), line(q[1], q[2]))
	n := cross(along, down)
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if !(length > 0) || math.IsInf(length, 0) {
		return 0
	}
	return math.Acos(math.Min(1, math.Abs(n[2])/length)) * 180 / math.Pi
}

// cross returns the cross product.
func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Several reports whether a second document is in view: a zone of its own, or a portrait.
func (v *View) Several() bool { return v.readZone() != nil && v.Zone.Rivals > 0 || v.otherPortrait() }

// Ambiguous reports whether another document in view may be the one that is meant.
func (v *View) Ambiguous() bool { return v.readZone() != nil && v.Zone.Ambiguous || v.otherPortrait() }
