package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
)

// A scan often shows both sides of a card, of which one has the machine-readable zone and the other one the portrait. How the other side is
// searched for print: as large as a card is, to each side of its portrait, because that is near either end.
const (
	sideAcross, sideAlong = 1216, 768 // pixels of the copy, about seven a millimetre
	sideFacts             = 3         // facts that the side of another document states at least: less is what lies about
)

// readOtherSide reads the side of the zone's card that is beside or above it in the same picture, if it is there, and holds its print against
// the zone as that of the zone's own side. The portrait of a side that agrees is the document's.
func (w printedText) readOtherSide(ctx context.Context, c agreement) (agreement, []line, error) {
	portrait, ok := w.portraitElsewhere()
	if !ok {
		return c, nil, nil
	}
	rows, err := w.rowsRound(ctx, portrait)
	if err != nil || len(rows) == 0 {
		return c, nil, err
	}
	lines, err := w.readLines(ctx, rows)
	if err != nil {
		return c, nil, err
	}
	lines, read, err := w.understand(ctx, lines)
	if err != nil {
		return c, nil, err
	}
	other := w.compare(lines, read)
	if other.found < printedLeast && len(read.Claims) < sideFacts {
		return c, nil, nil
	}
	if other.found >= printedLeast && len(other.against) == 0 {
		w.bothSides = true
		if w.page.Portrait == nil {
			w.page.Portrait = w.view().PortraitOf(portrait)
		}
	}
	return c.or(other), lines, nil
}

// portraitElsewhere is the largest face that is not on the zone's page and as large as portraits on its other side are.
func (w printedText) portraitElsewhere() (face.Face, bool) {
	if !w.page.MRZ.CheckDigitsOK {
		return face.Face{}, false
	}
	place := w.zone.Placement()
	onPage := place.OnPage()
	return face.Largest(slices.DeleteFunc(slices.Clone(w.faces), func(f face.Face) bool {
		return onPage(middleOf(f.Pixel)) || !page.PortraitSized(f.Pixel.H, place.Pitch)
	}))
}

func middleOf(b face.Box) imaging.Point { return imaging.Point{X: b.X + b.W/2, Y: b.Y + b.H/2} }

// rowsRound are the rows of print round a portrait that are not on the zone's page.
func (w printedText) rowsRound(ctx context.Context, portrait face.Face) ([]ocr.Strip, error) {
	place := w.zone.Placement()
	size, ok := zone.PageOf(place.Format)
	if !ok {
		return nil, nil
	}
	middle := middleOf(portrait.Pixel)
	area := ocr.Area{Strip: ocr.Strip{X: middle.X, Y: middle.Y, UX: 1, Score: 1}, W: sideAcross, H: sideAlong}
	area.Length = 2 * size.Width * place.Pitch / zone.PitchMillimetres
	area.Height = area.Length * sideAlong / sideAcross
	boxes, err := w.models.detect.FindIn(ctx, w.img, area, ocr.Unchanged)
	if err != nil {
		return nil, err
	}
	onPage := place.OnPage()
	boxes = slices.DeleteFunc(boxes, func(s ocr.Strip) bool { return onPage(s.Centre()) })
	slant := ocr.Skew(boxes)
	rows := ocr.JoinOverlapping(ocr.JoinRows(asLines(boxes, slant), 1))
	var out []ocr.Strip
	for _, r := range rows {
		if r.Length >= shortestRow*r.Height && w.level(r.Strip, slant) && math.Abs(r.Y-middle.Y) < size.Height*place.Pitch/zone.PitchMillimetres {
			out = append(out, r.Strip)
		}
	}
	return nearestTo(out, middle, w.r.options.Lines), nil
}
