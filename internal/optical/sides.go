package optical

import (
	"context"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// A scan often shows both sides of a card: one has the machine-readable zone, the other the portrait. How the other side is searched for print:
// as large as a card is, to each side of its portrait, because that is near either end.
const (
	sideAcross, sideAlong = 1216, 768 // pixels of the copy, about seven a millimetre
	sideFacts             = 3         // facts that the side of another document states at least: fewer are stray print
)

// sides reads that side of a card which is not the one with its zone.
type sides struct{ printedText }

// readOther reads the side of the zone's card that is beside or above it in the same picture, if it is there, and holds its print against
// the zone as that of the zone's own side. The portrait of a side that agrees is the document's. Of a side that does not, only what
// contradicts the zone counts: it may be somebody else's.
func (w sides) readOther(ctx context.Context, c agreement) (agreement, []text.Line, error) {
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
	switch {
	case other.found >= printedLeast && len(other.against) == 0 && !otherNumber(other, read):
		w.otherSide = w.sideRound(portrait)
		w.page.Portrait = w.view().PortraitOf(portrait)
		return c.or(other), lines, nil
	case other.found < printedLeast && len(read.Claims) < sideFacts:
		return c, nil, nil
	}
	return c.or(other.againstAlone()), nil, nil
}

// otherNumber reports whether a page states the number of a document, and nowhere the zone's: it is of another document of the same person.
func otherNumber(c agreement, read reading.Reading) bool {
	stated := slices.ContainsFunc(read.Claims, func(claim idv.Claim) bool { return claim.Name == idv.DocumentNumber })
	agrees := slices.ContainsFunc(c.answers, func(a reading.Answer) bool { return a.Fact == idv.DocumentNumber && a.Verdict == reading.Agrees })
	return stated && !agrees
}

// againstAlone is what of an agreement contradicts the zone.
func (c agreement) againstAlone() agreement {
	out := agreement{answers: slices.Clone(c.answers)}
	for i, a := range out.answers {
		if a.Verdict != reading.Disagrees {
			out.answers[i] = reading.Answer{Fact: a.Fact}
		}
	}
	return out.counted()
}

// sideRound is the upright box, in pixels, in which a card is that has a portrait there: as far as the card is large to each side of it.
func (w sides) sideRound(portrait face.Face) *image.Rectangle {
	place := w.zone.Placement()
	size, _ := zone.PageOf(place.Format)
	mm := place.Pitch / zone.PitchMillimetres
	m := middleOf(portrait.Pixel)
	r := image.Rect(int(m.X-size.Width*mm), int(m.Y-size.Height*mm), int(m.X+size.Width*mm), int(m.Y+size.Height*mm))
	return &r
}

// portraitElsewhere is the largest face that is not on the page of a card's zone and as large as portraits on its other side are. Where the
// zone's side has a portrait, the other one has none.
func (w sides) portraitElsewhere() (face.Face, bool) {
	place := w.zone.Placement()
	if !w.page.MRZ.CheckDigitsOK || w.page.Portrait != nil || place.Format != mrz.TD1 && place.Format != mrz.TD2 {
		return face.Face{}, false
	}
	onPage := place.OnPage()
	return face.Largest(slices.DeleteFunc(slices.Clone(w.faces), func(f face.Face) bool {
		return onPage(middleOf(f.Pixel)) || !page.PortraitSized(f.Pixel.H, place.Pitch)
	}))
}

func middleOf(b face.Box) imaging.Point { return imaging.Point{X: b.X + b.W/2, Y: b.Y + b.H/2} }

// rowsRound are the rows of print round a portrait that are not on the zone's page.
func (w sides) rowsRound(ctx context.Context, portrait face.Face) ([]ocr.Strip, error) {
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
