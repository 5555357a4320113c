package optical

import (
	"context"
	"fmt"
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Recognised is the print of a picture as the recogniser saw it, before anything was understood of it. It is what a reader of
// facts is measured on without pixels.
type Recognised struct {
	Page  reading.Page      // all lines, with what a zone or a barcode says; lines of the document first
	Of    int               // so many of the lines are of the document; the others are elsewhere in the picture
	Alike []text.Candidates // for each line of the page, what the recogniser held possible
	Zone  []idv.Claim       // what the machine-readable zone states; nil where there is none
	CutAt int               // the length of the zone's name field where the name fills it, else 0
}

// Recognise reads a picture as Read does, and also returns all lines of print in it with what the recogniser held possible.
// It takes about one and a half times as long as Read.
func (r *Reader) Recognise(ctx context.Context, img *imaging.Photo) (Page, Recognised, error) {
	w, err := r.begin(img)
	if err != nil {
		return Page{}, Recognised{}, err
	}
	if err := w.run(ctx); err != nil {
		return Page{}, Recognised{}, err
	}
	out, err := printedText{w}.recognised(ctx)
	if err != nil {
		return Page{}, Recognised{}, fmt.Errorf("recognise: %w", err)
	}
	return w.page, out, nil
}

// recognised reads the rows of the document, then all other rows of the picture.
func (w printedText) recognised(ctx context.Context) (Recognised, error) {
	rows, err := w.printedRows(ctx)
	if err != nil {
		return Recognised{}, err
	}
	found, err := w.models.detect.Find(ctx, w.img, ocr.DetectSize, ocr.Unchanged)
	if err != nil {
		return Recognised{}, err
	}
	of := len(rows)
	for _, row := range ocr.JoinOverlapping(ocr.JoinRows(asLines(found, w.slant(found)), 1)) {
		s := row.Strip
		if !covered(s, rows[:of]) && !w.ofZone(s) && len(rows) < of+w.r.options.Lines {
			rows = append(rows, s)
		}
	}
	lines, alike, err := w.readCandidates(ctx, rows)
	if err != nil {
		return Recognised{}, err
	}
	out := Recognised{Page: w.printedPage(lines)}
	if z := w.page.MRZ; z != nil {
		out.Zone, out.CutAt = w.zoneClaims(), max(0, z.Document.NameCutAt)
	}
	for i, l := range lines {
		if l.Text == "" {
			continue
		}
		if i < of {
			out.Of++
		}
		out.Alike = append(out.Alike, alike[i])
	}
	return out, nil
}

// readCandidates reads rows as readLines does, and keeps what the recogniser held possible.
func (w printedText) readCandidates(ctx context.Context, rows []ocr.Strip) ([]text.Line, []text.Candidates, error) {
	lines, alike := make([]text.Line, len(rows)), make([]text.Candidates, len(rows))
	err := text.Each(ctx, len(rows), func(ctx context.Context, i int) (err error) {
		u := w.upright(rows[i])
		lines[i].Strip = u
		lines[i].Reading, alike[i], err = w.models.text.Candidates(ctx, w.img, u)
		return err
	})
	return lines, alike, err
}

// ofZone reports whether a row is of the machine-readable zone.
func (w printedText) ofZone(s ocr.Strip) bool {
	if w.zone == nil {
		return false
	}
	for _, l := range w.zone.Placement().Lines {
		if a, d := l.Locate(s.Centre()); math.Abs(a) < l.Length/2 && math.Abs(d) < l.Height {
			return true
		}
	}
	return false
}

// covered reports whether the middle of a strip is on one of some rows.
func covered(s ocr.Strip, rows []ocr.Strip) bool {
	for _, r := range rows {
		if a, d := r.Locate(s.Centre()); math.Abs(a) < r.Length/2 && math.Abs(d) < r.Height/2 {
			return true
		}
	}
	return false
}
