package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// How the lines of a page without a machine-readable zone are chosen and read.
const (
	allGap    = 1.6 // boxes of one row are apart by at most this part of their height: a field's number and its value
	allAcross = 7.5 // lines are from the portrait at most so many of its widths to the side
	allAlong  = 4.5 // and of its heights up or down
	allSlant  = 4.0 // degrees between a line and most others: print that lies about on the desk lies otherwise
	allMore   = 4.0 // heights by which a line is lengthened to the left in search of its field's number
)

// readAll reads the lines of a page that has no machine-readable zone, top to bottom: those nearest to the portrait.
func (w *work) readAll(ctx context.Context) error {
	lines := w.pageLines()
	for _, s := range lines {
		if err := w.readLine(ctx, s, nil); err != nil {
			return err
		}
	}
	w.classify()
	if w.page.Kind == idv.DrivingLicence {
		if err := w.readNumbers(ctx, lines); err != nil {
			return err
		}
	}
	w.readLabels()
	return nil
}

// pageLines are the rows that can be the document's, as many as may be read.
func (w *work) pageLines() []strip {
	var lines []strip
	for _, r := range joinRows(w.boxes, allGap) {
		if w.nearPortrait(r.strip) {
			lines = append(lines, r.strip)
		}
	}
	slant := tilt(lines)
	lines = slices.DeleteFunc(lines, func(s strip) bool {
		return s.length >= rowLong*s.height && math.Abs(math.Mod(s.angle()-slant+360+45, 90)-45) > allSlant
	})
	x, y := w.middle()
	slices.SortFunc(lines, func(a, b strip) int {
		return cmpFloat(math.Hypot(a.cx-x, a.cy-y), math.Hypot(b.cx-x, b.cy-y))
	})
	lines = lines[:min(len(lines), 2*w.r.options.Lines)]
	slices.SortFunc(lines, func(a, b strip) int { return cmpFloat(a.cy, b.cy) })
	return lines
}

// middle is where the print of a page is thickest: the middle of the picture's lines, weighted by their length.
func (w *work) middle() (x, y float64) {
	total := 0.0
	for _, s := range w.boxes {
		if w.nearPortrait(s) {
			x, y, total = x+s.length*s.cx, y+s.length*s.cy, total+s.length
		}
	}
	if total == 0 {
		return 0, 0
	}
	return x / total, y / total
}

func (w *work) nearPortrait(s strip) bool {
	if w.page.Portrait == nil {
		return true
	}
	b := w.page.Portrait.Face.Pixel
	return abs(s.cx-b.X-b.W/2) < allAcross*b.W && abs(s.cy-b.Y-b.H/2) < allAlong*b.H
}

// readNumbers reads the lines of a licence that show no field number once more, from further left: a single digit is
// often not seen as text.
func (w *work) readNumbers(ctx context.Context, lines []strip) error {
	for i := range w.page.Lines {
		l := &w.page.Lines[i]
		if name, _ := w.labelIn(l.Text); name != "" || i >= len(lines) || l.Confidence < printedSure {
			continue
		}
		s := w.upright(lines[i])
		m := s.at(-allMore*s.height/2, 0)
		s.cx, s.cy, s.length = m.X, m.Y, s.length+allMore*s.height
		p, err := w.models.print.readText(ctx, w.img, s)
		if err != nil {
			return err
		}
		if name, _ := w.labelIn(p.text); name != "" && p.conf >= printedSure {
			l.Text, l.Confidence = p.text, p.conf
		}
	}
	return nil
}
