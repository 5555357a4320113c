package page

import (
	"context"
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
)

// View is an upright picture of a document with what was found on it. All places are in pixels of the picture.
type View struct {
	Img      *imaging.Photo
	Boxes    []ocr.Strip // runs of text
	Zone     *Zone       // nil where none was found
	Faces    []idv.Face
	Portrait *Portrait // nil where none was found
	Barcode  bool      // one was read
	Kind     idv.DocumentKind
	Parts    []Part // are compared with the rest of the page

	// OtherSide is where the other side of the zone's card is in view, whose print agrees with the zone; nil: nowhere.
	OtherSide *image.Rectangle

	corners []float64
}

// Zone is the machine-readable zone of a page.
type Zone struct {
	zone.Placement
	Reading   *zone.Reading // nil where it was not read
	Rivals    int           // zones of other documents in view
	Ambiguous bool          // one of them may be that of the document that is meant
}

// readZone returns the reading of the page's zone; nil where there is none, or it was not read.
func (v *View) readZone() *zone.Reading {
	if v.Zone == nil {
		return nil
	}
	return v.Zone.Reading
}

// Inspection is what a page's picture is worth as evidence.
type Inspection struct {
	Corners []float64 // x and y of each, from top-left clockwise, as parts of the picture; nil where they were not found
	Quality idv.Quality
	Signs   idv.Signs
}

// Inspect finds the corners of the page, measures it, and names what prevents reading it. faces finds a second portrait; nil
// where none is to be found.
func (v *View) Inspect(ctx context.Context, faces *face.Engine) (Inspection, error) {
	v.corners = v.findEdges()
	quad := v.quad()
	places := forensic.Look(v.Img, quad)
	page := &rectified{img: v.Img, quad: quad}
	q := v.measure(page, places)
	q.Reasons = v.reasons(q)
	signs, err := signsOf(ctx, faces, page, places, v.width(acrossOf(quad)), v.Portrait)
	signs.Edits = Edits(v.Img, quad, v.Parts, signs.PixelsPerMM)
	return Inspection{Corners: v.corners, Quality: q, Signs: signs}, err
}

// extent returns the box round everything that was found. It is false where nothing was.
func (v *View) extent() (idv.Box, bool) {
	var b idv.Box
	found := false
	add := func(o idv.Box) {
		if !found {
			b, found = o, true
			return
		}
		b = Union(b, o)
	}
	for _, s := range v.Boxes {
		add(BoxAround(s, v.Img))
	}
	for _, f := range v.Faces {
		add(f.Box)
	}
	return b, found
}

// quad returns where the page is, in pixels of the picture: between its corners, else in the box round its print.
func (v *View) quad() imaging.Quad {
	width, height := float64(v.Img.W), float64(v.Img.H)
	var q imaging.Quad
	if c := v.corners; len(c) == 2*len(q) {
		for i := range q {
			q[i] = imaging.Point{X: c[2*i] * width, Y: c[2*i+1] * height}
		}
		return q
	}
	b, ok := v.extent()
	if !ok {
		b = idv.Box{Width: 1, Height: 1}
	}
	x0, y0, x1, y1 := b.X*width, b.Y*height, (b.X+b.Width)*width, (b.Y+b.Height)*height
	return imaging.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// Widths of the document sizes in millimetres (ICAO 9303-4 to -7 §2; ISO/IEC 7810).
const (
	widthID1 = 85.6
	widthTD3 = 125.0
	widthMRV = 120.0
)

// width returns how many millimetres so many pixels across are: by the pitch of the machine-readable zone, which is the same on
// every document, else by the kind.
func (v *View) width(across float64) float64 {
	if v.readZone() != nil && v.Zone.Pitch > 0 {
		return math.Max(40, math.Min(250, across/v.Zone.Pitch*zone.PitchMillimetres))
	}
	switch v.Kind {
	case idv.Passport:
		return widthTD3
	case idv.Visa:
		return widthMRV
	default:
		return widthID1
	}
}

// Print is near the portrait within so many of its widths to the side, and of its heights up or down.
const (
	nearAcross = 7.5
	nearAlong  = 4.5
)

// NearPortrait reports whether a run of text is so near to the page's portrait that it can be on the page. All are where there is
// none.
func NearPortrait(p *Portrait, s ocr.Strip) bool {
	if p == nil {
		return true
	}
	b := p.Face.Pixel
	return math.Abs(s.X-b.X-b.W/2) < nearAcross*b.W && math.Abs(s.Y-b.Y-b.H/2) < nearAlong*b.H
}

// onPage reports whether print can be on the page: beside and above a machine-readable zone as far as that is wide; on other pages,
// near the portrait.
func (v *View) onPage(s ocr.Strip) bool {
	if v.Zone == nil {
		return NearPortrait(v.Portrait, s)
	}
	last := v.Zone.Last()
	a, d := last.Locate(s.Centre())
	return math.Abs(a) < 0.56*last.Length && d < last.Height && d > -0.85*last.Length
}

// acrossOf returns the mean length of the upper and the lower edge.
func acrossOf(q imaging.Quad) float64 {
	return (math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y) + math.Hypot(q[2].X-q[3].X, q[2].Y-q[3].Y)) / 2
}
