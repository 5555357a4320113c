package optical

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Floors of quality. Where the machine-readable zone was proved in spite of a measure, the measure stood in nobody's way.
const (
	leastSide      = 600  // pixels of the page's shorter side (PRODUCT §9)
	leastSharpness = 60.0 // imaging.Sharpness over the page, where its line pairs cannot be told
	mostGlare      = 0.04 // part of what is printed that is burnt out: below it 19 of 19 zones were read, above it 2 of 5
	mostDarkness   = 0.70 // imaging.Darkness over the page
	utterDarkness  = 0.85 // where the portrait shows nobody, though lines may still be read
	leastLines     = 3    // runs of text on anything that is a document
	edgeNear       = 0.004
)

// Shorter sides of the document sizes, in pitches of the machine-readable zone (ICAO 9303-4, -5, -6 §2).
const (
	shortTD1 = 53.98 / 2.54
	shortTD2 = 74.0 / 2.54
	shortTD3 = 88.0 / 2.54
)

// judge measures the page and names what stands in the way of reading it.
func (w *work) judge(ctx context.Context) error {
	w.findEdges()
	quad := w.pageQuad()
	places := forensic.Look(w.img, quad)
	page := &levelled{img: w.img, quad: quad}
	w.measure(page, places)
	q := &w.page.Quality
	q.Reasons = []string{}
	add := func(k problem.Kind, when bool) {
		if when {
			q.Reasons = append(q.Reasons, k.Code)
		}
	}
	z := w.page.MRZ
	proved := z != nil && z.CheckDigitsOK && z.ReadersAgree
	add(problem.CaptureNoDocument, w.page.MRZ == nil && w.page.Portrait == nil && w.page.Barcode == nil && len(w.boxes) < leastLines)
	add(problem.CaptureSeveralDocuments, w.several())
	add(problem.CaptureTooSmall, q.ShortSide < leastSide)
	add(problem.CaptureCutOff, !proved && len(q.CutSides) > 0 || z != nil && z.CutOff)
	add(problem.CaptureDark, !proved && q.Darkness > mostDarkness || q.Darkness > utterDarkness)
	add(problem.CaptureBlurred, !proved && tooSoft(*q))
	add(problem.CaptureGlare, !proved && q.GlareText > mostGlare && q.GlareArea < mostPaper)
	return w.findSigns(ctx, page, places)
}

// tooSoft judges by the line pairs of the page; where it has too few edges to tell those, by the picture's own sharpness.
func tooSoft(q idv.Quality) bool {
	if q.LinePairs > 0 {
		return q.LinePairs < idv.LeastLinePairs
	}
	return q.Sharpness < leastSharpness
}

// measure takes the page's measures.
func (w *work) measure(page *levelled, places *forensic.Places) {
	q, quad := &w.page.Quality, page.quad
	g := page.gray(measured)
	q.Sharpness = imaging.Sharpness(g)
	q.LinePairs = places.Sharpness() * acrossOf(quad) / w.pageWidth(acrossOf(quad))
	q.GlareArea = imaging.GlareArea(page.small())
	q.GlareText = w.glareText()
	q.Brightness = brightness(g)
	q.Darkness = imaging.Darkness(g)
	q.ShortSide = w.shortSide()
	if w.zone != nil && w.page.MRZ != nil {
		q.CharHeight = ocr.CapHeight * w.zone.pitch
	}
	q.Skew = skewOf(quad)
	if len(w.page.Corners) == 2*len(quad) {
		q.Tilt = tiltOf(quad, w.img.W, w.img.H)
	} else if w.zone != nil {
		q.Skew = w.zone.rows[0].strip.Angle()
	}
	q.CutSides = w.cutSides()
}

// mostPaper is where burnt-out area is no reflection but a scan on pure white.
const mostPaper = 0.35

func brightness(g *imaging.Gray) float64 {
	var sum uint64
	for _, v := range g.Pix {
		sum += uint64(v)
	}
	return float64(sum) / 255 / math.Max(1, float64(len(g.Pix)))
}

// extent is the box round everything that was found.
func (w *work) extent() (idv.Box, bool) {
	var b idv.Box
	found := false
	add := func(o idv.Box) {
		if !found {
			b, found = o, true
			return
		}
		b = union(b, o)
	}
	for _, s := range w.boxes {
		add(boxAround(s, w.img.W, w.img.H))
	}
	for _, f := range w.page.Faces {
		add(f.Box)
	}
	return b, found
}

// shortSide is the page's shorter side in pixels: from the pitch of its machine-readable zone, which is the same on
// every document, else from the part of the picture that it fills.
func (w *work) shortSide() int {
	if w.page.MRZ == nil || w.zone == nil {
		b, ok := w.extent()
		if !ok {
			return min(w.img.W, w.img.H)
		}
		return int(math.Min(b.Width*float64(w.img.W), b.Height*float64(w.img.H)))
	}
	side := shortTD3
	switch _, width := w.page.MRZ.Document.Format.Shape(); width {
	case 30:
		side = shortTD1
	case 36:
		side = shortTD2
	}
	return int(math.Round(side * w.zone.pitch))
}

// cutSides are the sides of the picture that a row of the zone runs into, or text does on a page without one.
func (w *work) cutSides() []string {
	rows := w.boxes
	if w.zone != nil {
		rows = nil
		for _, g := range w.zone.rows {
			s := g.strip
			s.Length -= 2 * ocr.CropMargin * w.zone.pitch
			rows = append(rows, s)
		}
	}
	out := []string{}
	for _, side := range []struct {
		name string
		over func(b idv.Box) bool
	}{
		{"top", func(b idv.Box) bool { return b.Y <= edgeNear }},
		{"right", func(b idv.Box) bool { return b.X+b.Width >= 1-edgeNear }},
		{"bottom", func(b idv.Box) bool { return b.Y+b.Height >= 1-edgeNear }},
		{"left", func(b idv.Box) bool { return b.X <= edgeNear }},
	} {
		if slices.ContainsFunc(rows, func(s ocr.Strip) bool {
			return s.Directed() && side.over(boxAround(s, w.img.W, w.img.H))
		}) {
			out = append(out, side.name)
		}
	}
	return out
}

// glareText is the part of what is printed, lines, zone and portrait, that is burnt out.
func (w *work) glareText() float64 {
	small, scale := w.img.Halved(glareSide)
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
	for _, s := range w.boxes {
		if w.onPage(s) {
			add(scaled(boundsOf(s.Quad())))
		}
	}
	if w.zone != nil {
		for _, g := range w.zone.rows {
			add(scaled(boundsOf(g.strip.Quad())))
		}
	}
	if p := w.page.Portrait; p != nil {
		add(scaled(pixels(p.Face.Pixel)))
	}
	if all == 0 {
		return 0
	}
	return burnt / all
}

// glareSide is the longest side, at least, of the copy on which burnt-out print is counted.
const glareSide = 800

// burntPart is the part of p in which every channel is at 250 or more, as imaging.GlareArea counts.
func burntPart(p *imaging.RGB) float64 {
	n := 0
	for i := 0; i+2 < len(p.Pix); i += 3 {
		if p.Pix[i] >= 250 && p.Pix[i+1] >= 250 && p.Pix[i+2] >= 250 {
			n++
		}
	}
	return float64(n) / math.Max(1, float64(p.W*p.H))
}

// skewOf is by how much the page is turned in the picture, in degrees clockwise: the mean of its upper and lower edge.
func skewOf(q imaging.Quad) float64 {
	x, y := q[1].X-q[0].X+q[2].X-q[3].X, q[1].Y-q[0].Y+q[2].Y-q[3].Y
	return math.Atan2(y, x) * 180 / math.Pi
}

// lens is a phone's main camera: its focal length of 26 mm in parts of the diagonal of the film that it is said for.
const lens = 26 / 43.27

// tiltOf is by how many degrees the page leans out of the picture's plane. It needs no measure of the page: its edges are
// square to each other, whatever their lengths, and a camera of that lens saw them so.
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

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// several reports whether a second document is in view: a zone of its own, or a portrait.
func (w *work) several() bool {
	return w.page.MRZ != nil && w.zone != nil && w.zone.others > 0 || w.stranger()
}

// doubtful reports whether another document in view may be the one that is meant.
func (w *work) doubtful() bool { return w.zone.doubtful() || w.stranger() }
