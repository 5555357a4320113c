package optical

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Floors of quality. Where the machine-readable zone was proved in spite of a measure, the measure stood in nobody's way.
const (
	leastSide      = 600  // pixels of the page's shorter side (PRODUCT §9)
	leastSharpness = 60.0 // imaging.Sharpness over the page
	mostGlare      = 0.02 // part of the page that is burnt out
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
func (w *work) judge(context.Context) error {
	w.findEdges()
	q := &w.page.Quality
	page := w.pagePart()
	g := page.Gray()
	q.Sharpness = imaging.Sharpness(g)
	q.GlareArea = imaging.GlareArea(page)
	q.Brightness = brightness(g)
	q.ShortSide = w.shortSide()
	if w.zone != nil && w.page.MRZ != nil {
		q.CharHeight = ocrbCap * w.zone.pitch
	}
	q.Reasons = []string{}
	add := func(k problem.Kind, when bool) {
		if when {
			q.Reasons = append(q.Reasons, k.Code)
		}
	}
	proved := w.page.MRZ != nil && w.page.MRZ.CheckDigitsOK && w.page.MRZ.ReadersAgree
	add(problem.CaptureNoDocument, w.page.MRZ == nil && w.page.Portrait == nil && len(w.boxes) < leastLines)
	add(problem.CaptureSeveralDocuments, w.several())
	add(problem.CaptureTooSmall, q.ShortSide < leastSide)
	add(problem.CaptureCutOff, !proved && w.cutOff())
	dark := imaging.Darkness(g)
	add(problem.CaptureDark, !proved && dark > mostDarkness || dark > utterDarkness)
	add(problem.CaptureBlurred, !proved && q.Sharpness < leastSharpness)
	add(problem.CaptureGlare, !proved && q.GlareArea > mostGlare && q.GlareArea < mostPaper)
	return nil
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

// pagePart is the page, rectified where its corners are known, else the part of the picture that holds its print.
func (w *work) pagePart() *imaging.RGB {
	small, scale := w.img.Fit(1600)
	if c := w.page.Corners; len(c) == 8 {
		var quad imaging.Quad
		for i := range quad {
			quad[i] = imaging.Point{X: c[2*i] * float64(small.W), Y: c[2*i+1] * float64(small.H)}
		}
		across, down := math.Hypot(quad[1].X-quad[0].X, quad[1].Y-quad[0].Y), math.Hypot(quad[3].X-quad[0].X, quad[3].Y-quad[0].Y)
		return small.Warp(quad, int(across), int(down))
	}
	b, ok := w.extent()
	if !ok {
		return small
	}
	return small.Crop(rectOf(b, float64(w.img.W)*scale, float64(w.img.H)*scale))
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
		add(s.bounds(w.img.W, w.img.H))
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

// cutOff reports whether a row of the zone runs into the picture's edge, or text does on a page without one.
func (w *work) cutOff() bool {
	rows := w.boxes
	if w.zone != nil {
		rows = nil
		for _, g := range w.zone.rows {
			s := g.strip
			s.length -= 2 * cropMargin * w.zone.pitch
			rows = append(rows, s)
		}
	}
	for _, s := range rows {
		if s.length < rowLong*s.height {
			continue
		}
		b := s.bounds(w.img.W, w.img.H)
		if b.X <= edgeNear || b.X+b.Width >= 1-edgeNear || b.Y <= edgeNear || b.Y+b.Height >= 1-edgeNear {
			return true
		}
	}
	return false
}

// several reports whether a second machine-readable zone is in view.
func (w *work) several() bool { return w.zone != nil && w.zone.others > 0 }
