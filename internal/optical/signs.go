package optical

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// A second face on the page is the portrait's ghost image when it is smaller than the portrait, but not so small that
// there is nothing to compare.
const (
	ghostSmallest = 0.18 // of the portrait's width
	ghostLargest  = 0.85
	ghostLeast    = 48 // pixels of its face
)

// Widths of the document sizes in millimetres (ICAO 9303-4 to -7 §2; ISO/IEC 7810).
const (
	wideID1 = 85.6
	wideTD2 = 105.0
	wideTD3 = 125.0
	wideMRV = 120.0
)

// findSigns looks for what tells a copy from the document, and an exchanged portrait.
func (w *work) findSigns(ctx context.Context, page *levelled, places *forensic.Places) error {
	s, err := w.r.signs(ctx, page, places, w.pageWidth(acrossOf(page.quad)), w.page.Portrait)
	w.page.Signs = &s
	return err
}

// Signs measures a page whose corners and width in millimetres are known, without reading it: for measurements of how
// often the signs err. The portrait is the largest face on it.
func (r *Reader) Signs(ctx context.Context, img *imaging.Photo, quad imaging.Quad, width float64) (idv.Signs, error) {
	small, scale := img.Fit(faceSide)
	found, err := r.faces.Detect(ctx, small)
	if err != nil {
		return idv.Signs{}, err
	}
	box := boundsOf(quad)
	for i, f := range found {
		found[i].Pixel = face.Box{X: f.Pixel.X / scale, Y: f.Pixel.Y / scale, W: f.Pixel.W / scale, H: f.Pixel.H / scale}
	}
	found = slices.DeleteFunc(found, func(f face.Face) bool { return !pixels(f.Pixel).In(box) })
	var portrait *Portrait
	if f, ok := face.Largest(found); ok {
		portrait = &Portrait{Face: f}
	}
	return r.signs(ctx, &levelled{img: img, quad: quad}, forensic.Look(img, quad), width, portrait)
}

// signs measures everything. The portrait may be nil; its template is kept, once made.
func (r *Reader) signs(ctx context.Context, page *levelled, places *forensic.Places, width float64, portrait *Portrait) (idv.Signs, error) {
	grid := places.Grid(width)
	s := idv.Signs{
		PixelsPerMM: acrossOf(page.quad) / width, Places: grid.Places, Grid: grid.Nats, GridPeriod: grid.Period, GridAngle: grid.Angle,
		Colour: forensic.Colour(page.small()), Monochrome: forensic.Monochrome(page.img),
	}
	if portrait == nil {
		return s, nil
	}
	if grain, ok := forensic.Grain(page.img, boundsOf(page.quad), pixels(portrait.Face.Pixel)); ok {
		s.Grain = &grain
	}
	return s, r.compareGhost(ctx, page, portrait, &s)
}

// compareGhost compares the portrait with the largest smaller face on the page.
func (r *Reader) compareGhost(ctx context.Context, page *levelled, portrait *Portrait, s *idv.Signs) error {
	small := page.small()
	found, err := r.faces.Detect(ctx, small)
	if err != nil {
		return err
	}
	across, _ := page.size(rectified)
	scale := float64(small.W) / float64(across)
	for i, f := range found {
		found[i].Pixel = face.Box{X: f.Pixel.X / scale, Y: f.Pixel.Y / scale, W: f.Pixel.W / scale, H: f.Pixel.H / scale}
	}
	ghost, ok := ghostOf(found)
	if !ok {
		return nil
	}
	own, err := r.portraitTemplate(ctx, page.img, portrait)
	if err != nil {
		return err
	}
	other, err := r.faces.TemplateOf(ctx, page.colour(rectified), ghost)
	if err != nil {
		return err
	}
	alike := face.Similarity(own, other)
	s.Ghost, s.GhostWidth = &alike, int(math.Round(ghost.Pixel.W))
	return nil
}

// portraitTemplate makes the portrait's template, once.
func (r *Reader) portraitTemplate(ctx context.Context, img *imaging.Photo, p *Portrait) ([]float32, error) {
	if p.template != nil {
		return p.template, nil
	}
	f := p.Face
	values, err := r.faces.TemplateOf(ctx, around(img, &f), f)
	p.template = values
	return values, err
}

func acrossOf(q imaging.Quad) float64 {
	return (math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y) + math.Hypot(q[2].X-q[3].X, q[2].Y-q[3].Y)) / 2
}

// pageQuad is where the page lies, in pixels of the picture: its corners, else the box round its print.
func (w *work) pageQuad() imaging.Quad {
	width, height := float64(w.img.W), float64(w.img.H)
	var q imaging.Quad
	if c := w.page.Corners; len(c) == 2*len(q) {
		for i := range q {
			q[i] = imaging.Point{X: c[2*i] * width, Y: c[2*i+1] * height}
		}
		return q
	}
	b, ok := w.extent()
	if !ok {
		b = idv.Box{Width: 1, Height: 1}
	}
	x0, y0, x1, y1 := b.X*width, b.Y*height, (b.X+b.Width)*width, (b.Y+b.Height)*height
	return imaging.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// pageWidth is how many millimetres across pixels are: by the pitch of the machine-readable zone, which is the same on
// every document, else by the kind.
func (w *work) pageWidth(across float64) float64 {
	const pitch = 2.54 // millimetres a character
	if w.page.MRZ != nil && w.zone != nil && w.zone.pitch > 0 {
		return math.Max(40, math.Min(250, across/w.zone.pitch*pitch))
	}
	switch w.page.Kind {
	case idv.Passport:
		return wideTD3
	case idv.Visa:
		return wideMRV
	default:
		return wideID1
	}
}

func boundsOf(q imaging.Quad) image.Rectangle {
	x0, y0 := min(q[0].X, q[1].X, q[2].X, q[3].X), min(q[0].Y, q[1].Y, q[2].Y, q[3].Y)
	x1, y1 := max(q[0].X, q[1].X, q[2].X, q[3].X), max(q[0].Y, q[1].Y, q[2].Y, q[3].Y)
	return image.Rect(int(x0), int(y0), int(x1), int(y1))
}

func pixels(b face.Box) image.Rectangle {
	return image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H))
}

// ghostOf is the largest face that is smaller than the largest of all, the portrait, and apart from it.
func ghostOf(faces []face.Face) (face.Face, bool) {
	largest, _ := face.Largest(faces)
	own := largest.Pixel
	var best face.Face
	for _, f := range faces {
		b := f.Pixel
		apart := b.X > own.X+own.W || own.X > b.X+b.W || b.Y > own.Y+own.H || own.Y > b.Y+b.H
		if apart && b.W >= ghostLeast && b.W >= ghostSmallest*own.W && b.W <= ghostLargest*own.W && b.W > best.Pixel.W {
			best = f
		}
	}
	return best, best.Pixel.W > 0
}
