package optical

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
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
		at := strip{cx: f.Pixel.X + f.Pixel.W/2, cy: f.Pixel.Y + f.Pixel.H/2}
		return f.Pixel.H <= tallestPortrait*w.zone.pitch && w.onPage(at)
	}
	heights := make([]float64, 0, len(w.boxes))
	for _, s := range w.boxes {
		heights = append(heights, s.height)
	}
	if len(heights) == 0 {
		return false // a face without a word of print is no document
	}
	slices.Sort(heights)
	return heights[len(heights)/2] >= leastPrint*f.Pixel.H
}
