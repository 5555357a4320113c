package optical

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// otherEnds is the paper at both ends of what is looked at a second time, as a part of its height.
const otherEnds = 0.2

// lookTwice reads the values of facts that were not read surely from crops of their own: without the label, which is often set
// in another size, and with other paper.
func (w printedText) lookTwice(ctx context.Context, lines []line, read reading.Reading) ([]line, reading.Reading, error) {
	if len(read.Again) == 0 {
		return lines, read, nil
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.text == "" }) // numbered as the page's
	parts := slices.Clone(read.Again)
	slices.SortFunc(parts, func(a, b reading.Part) int { return b.From - a.From }) // the last of a line first: those before it stay where they are
	best := make([]printed, len(parts))
	own := w.models.text.marksOf(read.Issuer, w.stateOfNames(read), lines)
	err := each(ctx, len(parts), func(ctx context.Context, k int) error {
		p := parts[k]
		s := stripOf(p.Strip)
		s.Length += 2 * otherEnds * s.Height
		var err error
		l := lines[p.Line]
		known := own
		if l.other || l.toned {
			known = marks{}
		}
		best[k], err = w.lookOtherwise(ctx, w.readerOf(l), s, l.part(p.From, p.To), p.Doubted, known)
		return err
	})
	if err != nil {
		return nil, reading.Reading{}, err
	}
	for k, p := range parts {
		lines[p.Line] = lines[p.Line].with(p, best[k])
	}
	if slices.ContainsFunc(lines, func(l line) bool { return l.other }) {
		writeInScriptOfPage(lines)
	}
	lines = measure(w.img, lines)
	return lines, reading.Read(w.printedPage(lines)), nil
}

// asInZone are the readings that are a name of the machine-readable zone by its transliterations, if any is: an Å that the zone
// writes AA was no A; or surely its number: a coloured line across a 3 makes an 8 of it, until the colours are taken away. Where
// none is, or there is no zone, all are.
func (w printedText) asInZone(seen []printed) []printed {
	if w.page.MRZ == nil {
		return seen
	}
	d := w.page.MRZ.Document
	var out []printed
	for _, p := range seen {
		number := p.least >= otherSure && sameNumber(p.text, d.Number)
		if number || icao.SameName(p.text, d.Surname, 0) || icao.SameName(p.text, d.GivenNames, 0) {
			out = append(out, p)
		}
	}
	if out == nil {
		return seen
	}
	return out
}

// sameNumber reports whether print is a number of a zone, however it is grouped.
func sameNumber(print, zone string) bool {
	return zone != "" && strings.ReplaceAll(print, " ", "") == strings.ReplaceAll(zone, " ", "")
}

// part is what was read of some characters of the line.
func (l line) part(from, to int) printed {
	return printed{chars: slices.Clone(l.chars[from:to]), at: slices.Clone(l.at[from:to])}.of([]rune(l.text)[from:to])
}

// with is the line with another reading of a part of it.
func (l line) with(p reading.Part, r printed) line {
	a, _ := l.strip.Locate(stripOf(p.Strip).Centre())
	long := p.Strip.Length + 2*otherEnds*p.Strip.Height
	at := make([]float64, len(r.at))
	for i, v := range r.at {
		at[i] = math.Max(0, math.Min(1, (a+(v-.5)*long)/l.strip.Length+.5))
	}
	if r.text == string([]rune(l.text)[p.From:p.To]) {
		at = l.at[p.From:p.To]
	}
	runes := slices.Concat([]rune(l.text)[:p.From], []rune(r.text), []rune(l.text)[p.To:])
	all := printed{chars: slices.Concat(l.chars[:p.From], r.chars, l.chars[p.To:]), at: slices.Concat(l.at[:p.From], at, l.at[p.To:])}.of(runes)
	return l.as(all)
}

// stripOf is a place of print on the upright picture.
func stripOf(s reading.Strip) ocr.Strip {
	sin, cos := math.Sincos(s.Tilt)
	return ocr.Strip{X: s.X, Y: s.Y, UX: cos, UY: sin, Length: s.Length, Height: s.Height, Score: 1}
}

// withLine puts a line among others, in place of what was read of it before.
func withLine(lines []line, l line) []line {
	out := slices.DeleteFunc(slices.Clone(lines), func(o line) bool {
		a, d := l.strip.Locate(o.strip.Centre())
		return math.Abs(d) < l.strip.Height/2 && math.Abs(a)+o.strip.Length/2 < l.strip.Length/2+o.strip.Length/3
	})
	return append(out, l)
}
