package page

import (
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Part is a region of the page that somebody may want to change.
type Part struct {
	Region string // idv.PortraitRegion, idv.ZoneRegion for one line of it, or the name of the fact that is printed there
	Box    idv.Box
}

// EditsLeast is the resolution in pixels a millimetre from which pages are looked at for editing. Coarser ones have too few squares.
const EditsLeast = 10.0

// Edits compares parts with the rest of the page, whose resolution is in pixels a millimetre. Of a part that a sign says nothing
// about there is no comparison by that sign.
func Edits(img *imaging.Photo, quad imaging.Quad, parts []Part, perMM float64) []idv.Edit {
	squares, ok := img.Squares()
	if !ok || perMM < EditsLeast {
		return nil
	}
	rects := make([]image.Rectangle, len(parts))
	for i, p := range parts {
		rects[i] = rectOf(p.Box, img)
	}
	var out []idv.Edit
	for i, h := range forensic.Histories(squares, boundsOf(quad), rects) {
		v, ok := h.Value()
		if !ok {
			continue
		}
		sign := forensic.PrintHistorySign
		if parts[i].Region == idv.PortraitRegion {
			sign = forensic.PortraitHistorySign
		}
		fires := forensic.Edits().Signs[sign].Fires(v)
		out = append(out, idv.Edit{Sign: sign, Region: parts[i].Region, Value: v, Suspect: fires, Box: parts[i].Box})
	}
	return out
}

// rectOf returns a box in whole pixels of the picture.
func rectOf(b idv.Box, img *imaging.Photo) image.Rectangle {
	w, h := float64(img.W), float64(img.H)
	return image.Rect(int(b.X*w), int(b.Y*h), int(math.Ceil((b.X+b.Width)*w)), int(math.Ceil((b.Y+b.Height)*h))).Intersect(img.Bounds())
}
