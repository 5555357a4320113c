package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// lookFaded detects text on the zone's page once more, with its colours faded, where facts of the zone were not found in print.
// What this look says counts where the first, in all colours, said nothing: it never takes back what that said.
func (w printedText) lookFaded(ctx context.Context, first agreement, read reading.Reading) (agreement, error) {
	if !w.page.MRZ.CheckDigitsOK || !w.wanting(first, read) {
		return first, nil
	}
	boxes, err := w.models.detect.FindIn(ctx, w.img, w.zone.Placement().PrintArea(), ocr.Faded)
	if err != nil {
		return first, err
	}
	lines, err := w.readLines(ctx, w.rowsOf(boxes))
	if err != nil {
		return first, err
	}
	if lines, read, err = w.understand(ctx, lines); err != nil {
		return first, err
	}
	return w.lookAlong(ctx, first.or(w.compare(lines, read)), lines)
}

// lookAlong detects text once more along the row of the date of birth, in a larger copy, where the letter of the sex was not found:
// it stands in that row or the next (ICAO 9303-4 §4.1.1), and is the smallest of values. It adds as lookFaded does.
func (w printedText) lookAlong(ctx context.Context, c agreement, lines []text.Line) (agreement, error) {
	at := slices.IndexFunc(c.answers, func(a reading.Answer) bool { return a.Fact == idv.DateOfBirth && a.Claim.Box != nil })
	if at < 0 || w.page.MRZ.value(w.now(), idv.Sex) == "" || slices.ContainsFunc(c.claims, isSex) {
		return c, nil
	}
	b := c.answers[at].Claim.Box
	row := imaging.Point{X: (b.X + b.Width/2) * float64(w.img.W), Y: (b.Y + b.Height/2) * float64(w.img.H)}
	boxes, err := w.models.detect.FindIn(ctx, w.img, w.zone.Placement().PrintArea().AlongRow(row), ocr.Faded)
	if err != nil {
		return c, err
	}
	fresh := slices.DeleteFunc(w.rowsOf(boxes), func(s ocr.Strip) bool {
		return slices.ContainsFunc(lines, func(l text.Line) bool { return isOf(l, s) })
	})
	if len(fresh) == 0 {
		return c, nil
	}
	found, err := w.readLines(ctx, fresh)
	if err != nil {
		return c, err
	}
	for _, l := range found {
		lines = text.WithLine(lines, l)
	}
	lines, read, err := w.understand(ctx, lines)
	if err != nil {
		return c, err
	}
	return c.or(w.compare(lines, read)), nil
}

func isSex(c idv.Claim) bool { return c.Name == idv.Sex }

// lookBack reads, on a page without a zone, the print as the first look found it in its own colours, which the look with faded ones
// did not see so: its lines, and claims about facts of which that look said nothing.
func (w printedText) lookBack(ctx context.Context, lines []text.Line, read reading.Reading) ([]text.Line, []idv.Claim, error) {
	var seen []text.Line
	var fresh []ocr.Strip
	for _, s := range w.pageLines(asLines(w.boxes, w.slant(w.boxes))) {
		if at := slices.IndexFunc(lines, func(l text.Line) bool { return isOf(l, s) }); at >= 0 {
			seen = append(seen, lines[at])
		} else {
			fresh = append(fresh, s)
		}
	}
	if len(fresh) == 0 {
		return nil, nil, nil
	}
	found, err := w.readLines(ctx, fresh)
	if err != nil {
		return nil, nil, err
	}
	more, again, err := w.understand(ctx, slices.Concat(seen, found))
	return slices.Concat(found, more), missingFrom(read.Claims, again.Claims), err
}

// missingFrom are the claims about facts of which others say nothing. One print is one day: what is the day of issue for them is not
// that of expiry, too, where its label was read otherwise.
func missingFrom(others, claims []idv.Claim) []idv.Claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c idv.Claim) bool {
		return slices.ContainsFunc(others, func(o idv.Claim) bool {
			return o.Name == c.Name || isDay(o) && isDay(c) && o.Value == c.Value && overlap(o.Box, c.Box)
		})
	})
}

func isDay(c idv.Claim) bool {
	return c.Name == idv.DateOfBirth || c.Name == idv.DateOfIssue || c.Name == idv.DateOfExpiry
}

// overlap reports whether two boxes have a part of the picture in common.
func overlap(a, b *idv.Box) bool {
	return a != nil && b != nil && a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height
}

// isOf reports whether a line was read of about this strip.
func isOf(l text.Line, s ocr.Strip) bool {
	a, d := l.Strip.Locate(s.Centre())
	more := math.Abs(l.Strip.Length - s.Length - 2*printedMargin*s.Height)
	return l.Text != "" && math.Abs(d) < sameRow*s.Height && math.Abs(a) < sameRow*s.Height && more < 2*sameRow*s.Height
}

// sameRow is by how much of its height a row may be off a line that was read, for that to be the same row.
const sameRow = 0.35

// or is the agreement with another's answers where it has none, or one that agrees but was not read surely enough to spell it.
func (c agreement) or(o agreement) agreement {
	for i, a := range c.answers {
		if b := o.answers[i]; a.Verdict == reading.Silent || a.Filled && b.Verdict == reading.Agrees && !b.Filled {
			c.answers[i] = b
		}
	}
	c.claims = append(c.claims, missingFrom(c.claims, o.claims)...)
	return c.counted()
}

// wanting reports whether the print said nothing, or nothing surely, of a fact that the zone states and pages print.
func (w printedText) wanting(c agreement, read reading.Reading) bool {
	if slices.ContainsFunc(c.answers, func(a reading.Answer) bool { return a.Verdict == reading.Silent || a.Filled }) {
		return true
	}
	for _, name := range []idv.ClaimName{idv.Sex, idv.Nationality} {
		if w.page.MRZ.value(w.now(), name) != "" && !slices.ContainsFunc(read.Claims, func(c idv.Claim) bool { return c.Name == name }) {
			return true
		}
	}
	return false
}
