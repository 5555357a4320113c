package optical

import (
	"context"
	"errors"
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// portraitSide is the longest side of the portrait that is kept for people to look at: as much as a screen shows.
const portraitSide = 560

// crop is the face with its surroundings, at most portraitSide pixels long.
func crop(img *imaging.Photo, b face.Box, margin float64) *imaging.RGB {
	dx, dy := b.W*margin, b.H*margin
	r := image.Rect(int(b.X-dx), int(b.Y-dy), int(math.Ceil(b.X+b.W+dx)), int(math.Ceil(b.Y+b.H+dy))).Intersect(img.Bounds())
	f := portraitSide / math.Max(1, float64(max(r.Dx(), r.Dy())))
	if f >= 1 {
		return img.Crop(r)
	}
	x0, y0, x1, y1 := float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y)
	q := imaging.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	return img.Warp(q, int(float64(r.Dx())*f), int(float64(r.Dy())*f))
}

// secondMargin is the paper at both ends of the lines that are cut for the second reader, in pitches: less than for the
// first.
const secondMargin = 0.5

// readZone reads the zone with both readers under the format that explains the first one's frames best.
func (w *work) readZone(ctx context.Context) error {
	if w.zone == nil {
		return nil
	}
	first, ok := w.zone.read()
	if !ok || first.score < zoneLeast {
		return nil
	}
	first, lines, err := w.zone.tighten(ctx, w.models.zone.first, w.img, first)
	if err != nil {
		return err
	}
	var second []frames
	for _, s := range lines {
		s.Length += 2 * secondMargin * w.zone.pitch
		f, err := w.models.zone.second.read(ctx, ocr.CropGray(w.img, s))
		if err != nil {
			return err
		}
		second = append(second, f)
	}
	other, _ := holdTo(first.format, second)
	d, err := mrz.Parse(first.lines)
	if errors.Is(err, mrz.ErrNotMRZ) {
		return nil // after all: nothing was found, which is no failure
	}
	if err != nil {
		return err
	}
	if isTitle(first, d) {
		w.zone = nil
		if w.sheet { // that the title seemed to tell
			w.boxes, err = w.models.detect.Find(ctx, w.img, ocr.DetectSize, ocr.Unchanged)
		}
		return err
	}
	w.page.MRZ = w.assemble(first, other, d, lines)
	w.page.MRZ.ReadersAgree = agree(first, other, second, w.unprovenUnder(first, lines)) && first.evenly(w.zone.rows)
	whole, err := w.wholly(ctx, first, lines)
	if err != nil {
		return err
	}
	w.page.MRZ.CutOff = !whole
	w.page.Issuer = d.Issuer
	if k := d.Kind(); k != "" {
		w.page.Kind = idv.DocumentKind(k)
	}
	return nil
}

// titleConfidence is where a reading whose check digits fail is of other print: 0.49 and 0.53 on the titles of generated
// cards, at least 0.99 on every zone of passporteye-27.
const titleConfidence = 0.75

// strangeConfidence is the same where no state has the issuer's code either: the rows of a North American card, read as a zone's.
const strangeConfidence = 0.95

// isTitle reports whether the rows are no zone after all, but large print that is set like one (IDENTITY CARD, PERMIS DE
// CONDUIRE). Taken for a zone it would say what kind of document it is, and speak against the true zone on the back.
func isTitle(r reading, d mrz.Document) bool {
	sure := r.confidence()
	return !d.CheckDigitsOK() && (sure < titleConfidence || sure < strangeConfidence && !icao.MayIssue(d.Issuer))
}

// assemble puts the facts about the zone together. The printed zone has its say later.
func (w *work) assemble(first, other reading, d mrz.Document, lines []ocr.Strip) *Zone {
	z := &Zone{Document: d, Characters: first.conf}
	z.MRZ = idv.MRZ{
		Format: string(first.format), Lines: first.lines, RawLines: first.raw, SecondLines: other.lines,
		CheckDigitsOK: d.CheckDigitsOK(), PrintedZone: idv.PrintedNotOnPage, Confidence: first.confidence(), FailedChecks: []string{},
	}
	for _, c := range d.Checks {
		if !c.OK {
			z.FailedChecks = append(z.FailedChecks, c.Field)
		}
	}
	for i, g := range w.zone.rows {
		z.Boxes = append(z.Boxes, boxAround(lines[i], w.img.W, w.img.H))
		z.boxes = append(z.boxes, w.charBoxes(g, first.glyphs[i]))
	}
	return z
}

// charBoxes are the places of a line's characters.
func (w *work) charBoxes(g glance, glyphs []glyph) []idv.Box {
	out := make([]idv.Box, len(glyphs))
	for i, c := range glyphs {
		m := g.strip.At(g.place(c), 0)
		s := g.strip
		s.X, s.Y, s.Length, s.Height = m.X, m.Y, w.zone.pitch, w.zone.pitch*ocr.CapHeight*1.2
		out[i] = boxAround(s, w.img.W, w.img.H)
	}
	return out
}

// zoneLeast is where a reading is no reading: nothing is reported rather than noise.
const zoneLeast = -0.8
