package optical

import (
	"context"
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// closerGain is by how much a second look at the page alone must show it larger than the first at the whole picture:
// labels are half as high as values, and the first look sees them in part or not at all.
const closerGain = 1.2

// lookCloser detects text with faded colours where no machine-readable zone told the page's place: on the page alone, round
// the text near its portrait, where that shows it larger, else on the whole picture. Without a portrait there is no page, and
// what was found before is answered.
func (w printedText) lookCloser(ctx context.Context) ([]ocr.Strip, error) {
	if w.page.Portrait == nil || len(w.boxes) == 0 {
		return w.boxes, nil
	}
	r := w.printArea()
	first := math.Min(ocr.DetectEnlarge, ocr.DetectSize/float64(max(w.img.W, w.img.H)))
	second := math.Min(ocr.DetectEnlarge, ocr.DetectSize/float64(max(r.Dx(), r.Dy(), 1)))
	page := w.img
	if r.Empty() || second < closerGain*first {
		r = image.Rectangle{}
	} else {
		page = imaging.PhotoOf(w.img.Crop(r))
	}
	found, err := w.models.detect.Find(ctx, page, ocr.DetectSize, ocr.Faded)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].X += float64(r.Min.X)
		found[i].Y += float64(r.Min.Y)
	}
	return found, nil
}

// printArea is round the level text near the portrait, with a margin.
func (w printedText) printArea() image.Rectangle {
	b := w.page.Portrait.Face.Pixel
	r := image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H))
	slant := w.slant(w.boxes)
	for _, s := range w.boxes {
		if !page.NearPortrait(w.page.Portrait, s) || !w.level(s, slant) {
			continue
		}
		for _, p := range s.Quad() {
			r = r.Union(image.Rect(int(p.X), int(p.Y), int(p.X)+1, int(p.Y)+1))
		}
	}
	margin := max(r.Dx(), r.Dy()) / 6
	return r.Inset(-margin).Intersect(w.img.Bounds())
}
