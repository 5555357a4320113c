package page

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How large a portrait is beside what is printed. On passporteye-27 portraits are 6.5 to 13.2 pitches of the zone high, and the
// median line of print is at least 0.093 of them. The head of a person who holds a page into the camera is 70 pitches high where
// both are as far away, and half of that where the page is twice as near.
const (
	tallestPortrait = 20.0  // pitches of the zone
	leastPortrait   = 4.0   // …
	leastPrint      = 0.035 // height of the median line of print, in heights of the portrait
)

// Portrait is the face that the page was issued for.
type Portrait struct {
	Face face.Face    // on the upright picture
	Crop *imaging.RGB // the face with its surroundings, for people to look at

	template []float32 // nil until it is made
}

// portraitMargin is how much of the face's size is shown round it on each side, and portraitSide the longest side of what is shown
// in pixels, as much as a screen shows.
const (
	portraitMargin = 0.6
	portraitSide   = 560
)

// FindPortrait returns the document's portrait among the faces in view; nil where there is none.
func (v *View) FindPortrait(found []face.Face) *Portrait {
	f, ok := v.portraitOf(found)
	if !ok {
		return nil
	}
	return v.PortraitOf(f)
}

// PortraitOf returns a face in view as the document's portrait.
func (v *View) PortraitOf(f face.Face) *Portrait {
	return &Portrait{Face: f, Crop: crop(v.Img, f.Pixel)}
}

// crop returns the face with its surroundings, at most portraitSide pixels long.
func crop(img *imaging.Photo, b face.Box) *imaging.RGB {
	dx, dy := b.W*portraitMargin, b.H*portraitMargin
	r := image.Rect(int(b.X-dx), int(b.Y-dy), int(math.Ceil(b.X+b.W+dx)), int(math.Ceil(b.Y+b.H+dy))).Intersect(img.Bounds())
	f := portraitSide / math.Max(1, float64(max(r.Dx(), r.Dy())))
	if f >= 1 {
		return img.Crop(r)
	}
	x0, y0, x1, y1 := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	q := imaging.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	return img.Warp(q, int(float64(r.Dx())*f), int(float64(r.Dy())*f))
}

// portraitOf returns the largest face that is printed on the page; a second one is its ghost image. A person who holds the page
// beside their own face must not become the person that it was issued to.
func (v *View) portraitOf(found []face.Face) (face.Face, bool) {
	return face.Largest(slices.DeleteFunc(slices.Clone(found), func(f face.Face) bool { return !v.isPrinted(f) }))
}

// isPrinted reports whether a face can be part of the page: where the machine-readable zone was read and its check digits pass, it
// is above the zone and no taller than portraits are; else it is in proportion to the lines of print.
func (v *View) isPrinted(f face.Face) bool {
	if r := v.readZone(); r != nil && r.Document.CheckDigitsOK() {
		at := ocr.Strip{X: f.Pixel.X + f.Pixel.W/2, Y: f.Pixel.Y + f.Pixel.H/2}
		return f.Pixel.H <= tallestPortrait*v.Zone.Pitch && v.onPage(at)
	}
	heights := make([]float64, 0, len(v.Boxes))
	for _, s := range v.Boxes {
		heights = append(heights, s.Height)
	}
	if len(heights) == 0 {
		return false // a face without a word of print is no document
	}
	slices.Sort(heights)
	return heights[len(heights)/2] >= leastPrint*f.Pixel.H
}

// otherPortrait reports whether a portrait is in view off the page whose zone was read: on a document whose own zone is on its back,
// or was not read; the other side of the zone's own card does not count. The head of a person who holds the page is larger.
func (v *View) otherPortrait() bool {
	if v.readZone() == nil {
		return false
	}
	onPage := v.Zone.OnPage()
	return slices.ContainsFunc(v.Faces, func(f idv.Face) bool {
		high := f.Box.Height * float64(v.Img.H)
		x, y := (f.Box.X+f.Box.Width/2)*float64(v.Img.W), (f.Box.Y+f.Box.Height/2)*float64(v.Img.H)
		onOther := v.OtherSide != nil && image.Pt(int(x), int(y)).In(*v.OtherSide)
		return PortraitSized(high, v.Zone.Pitch) && !onOther && !onPage(imaging.Point{X: x, Y: y})
	})
}

// PortraitSized reports whether a face is as high as portraits are beside a zone of that pitch; both in pixels.
func PortraitSized(high, pitch float64) bool {
	return high >= leastPortrait*pitch && high <= tallestPortrait*pitch
}

// templateMargin is how much of the face's size is cut out round it on each side before its template is made. The aligned face that
// the model sees is within half of it.
const templateMargin = 1.0

// templateFace is the least width in pixels of a face on the copy that its template is made from: half as much again as an aligned
// face shows of it.
const templateFace = 160

// Template returns the template of the portrait on the upright picture. It is made once.
func (p *Portrait) Template(ctx context.Context, faces *face.Engine, upright *imaging.Photo) ([]float32, error) {
	if p.template != nil {
		return p.template, nil
	}
	f := p.Face
	values, err := faces.TemplateOf(ctx, around(upright, &f), f)
	p.template = values
	return values, err
}

// around cuts the face with its surroundings out of the picture, or out of its half or quarter where the face is large enough
// there, and moves the face along.
func around(p *imaging.Photo, f *face.Face) *imaging.RGB {
	b, cut := &f.Pixel, p.Crop
	if b.W >= 2*templateFace {
		small, scale := p.Halved(int(math.Ceil(templateFace / b.W * float64(max(p.W, p.H)))))
		*b = face.Box{X: b.X * scale, Y: b.Y * scale, W: b.W * scale, H: b.H * scale}
		cut = small.Crop
	}
	r := image.Rect(
		int(b.X-b.W*templateMargin), int(b.Y-b.H*templateMargin),
		int(math.Ceil(b.X+b.W*(1+templateMargin))), int(math.Ceil(b.Y+b.H*(1+templateMargin))))
	b.X, b.Y = b.X-math.Max(0, float64(r.Min.X)), b.Y-math.Max(0, float64(r.Min.Y))
	return cut(r)
}
