package optical

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How large a portrait is beside what is printed. On passporteye-27 portraits are 6.5 to 13.2 pitches of the zone high,
// and the median line of print is at least 0.093 of them; of a head that holds a page into the camera it is 70 pitches
// where both are as far away, and half of that where the page is twice as near.
const (
	tallestPortrait = 20.0
	leastPrint      = 0.035
)

// portraitOf picks the document's portrait: the largest face that is printed on the page; a second one is its ghost
// image. Whoever holds a page beside their own face must not become the person that it was issued to.
func (w *work) portraitOf(found []face.Face) (face.Face, bool) {
	return face.Largest(slices.DeleteFunc(slices.Clone(found), func(f face.Face) bool { return !w.isPrinted(f) }))
}

// isPrinted reports whether a face can be part of the page: where the machine-readable zone was read and its check digits
// pass, it stands above the zone and is no taller than portraits are; else it is in proportion to the lines of print.
func (w *work) isPrinted(f face.Face) bool {
	if w.zone != nil && w.page.MRZ != nil && w.page.MRZ.CheckDigitsOK {
		at := ocr.Strip{X: f.Pixel.X + f.Pixel.W/2, Y: f.Pixel.Y + f.Pixel.H/2}
		return f.Pixel.H <= tallestPortrait*w.zone.pitch && w.onPage(at)
	}
	heights := make([]float64, 0, len(w.boxes))
	for _, s := range w.boxes {
		heights = append(heights, s.Height)
	}
	if len(heights) == 0 {
		return false // a face without a word of print is no document
	}
	slices.Sort(heights)
	return heights[len(heights)/2] >= leastPrint*f.Pixel.H
}

// leastPortrait is how high the face of a portrait is at least, in pitches of the zone.
const leastPortrait = 4.0

// stranger reports whether a portrait is in view that is not on the page whose zone was read: on a document whose own zone is on
// its back, or was not read. The head of whoever holds the page is larger.
func (w *work) stranger() bool {
	if w.zone == nil || w.page.MRZ == nil {
		return false
	}
	own := w.zone.page()
	return slices.ContainsFunc(w.page.Faces, func(f idv.Face) bool {
		high := f.Box.Height * float64(w.img.H) / w.zone.pitch
		x, y := (f.Box.X+f.Box.Width/2)*float64(w.img.W), (f.Box.Y+f.Box.Height/2)*float64(w.img.H)
		return high >= leastPortrait && high <= tallestPortrait && !own(imaging.Point{X: x, Y: y})
	})
}
