package optical

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// lookAgain reads where the layout of the page says that there is print which was not found, and takes the facts out anew. What
// it read counts where it adds to the facts and changes none.
func (w printedText) lookAgain(ctx context.Context, lines []line, read viz.Reading) ([]line, viz.Reading, error) {
	if len(read.Missing) == 0 {
		return lines, read, nil
	}
	strips := make([]ocr.Strip, len(read.Missing))
	for i, m := range read.Missing {
		strips[i] = stripOf(m)
	}
	found, err := w.readLines(ctx, strips)
	if err != nil {
		return nil, viz.Reading{}, err
	}
	more, added := slices.Clone(lines), 0
	for _, l := range found {
		if countsAgain(l, read) {
			more = withLine(more, l)
			added++
		}
	}
	again := w.r.options.Facts(w.printedPage(more))
	if len(again.Claims) <= len(read.Claims) || !keepsAll(again, read) {
		return lines, read, nil
	}
	more, twice, err := w.lookTwice(ctx, more, ofLast(again, more, added))
	if err != nil || !keepsAll(twice, read) {
		return lines, read, err
	}
	return more, twice, nil
}

// countsAgain reports whether a line that was read where one was missing may state something.
func countsAgain(l line, read viz.Reading) bool {
	if l.conf >= againLeast {
		return viz.Labelled(l.text) || figures(l.text) >= againFigures || len([]rune(l.text)) <= againShort || viz.Nation(l.text) ||
			read.Numbered && viz.Numbered(l.text+" X")
	}
	return viz.Labelled(l.text) || read.Numbered && l.conf >= againNumber && viz.Numbered(l.text+" X")
}

// ofLast is a reading of which only what the last lines state is worth a second look: the others had theirs.
func ofLast(read viz.Reading, lines []line, last int) viz.Reading {
	page := 0
	for _, l := range lines {
		if l.text != "" {
			page++
		}
	}
	read.Again = slices.DeleteFunc(slices.Clone(read.Again), func(p viz.Part) bool { return p.Line < page-last })
	return read
}

// otherEnds is the paper at both ends of what is looked at a second time, as a part of its height.
const otherEnds = 0.2

// lookTwice reads the values of facts that were not read surely from crops of their own: without the label, which is often set
// in another size, and with other paper.
func (w printedText) lookTwice(ctx context.Context, lines []line, read viz.Reading) ([]line, viz.Reading, error) {
	if len(read.Again) == 0 {
		return lines, read, nil
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.text == "" }) // numbered as the page's
	parts := slices.Clone(read.Again)
	slices.SortFunc(parts, func(a, b viz.Part) int { return b.From - a.From }) // the last of a line first: those before it stay where they are
	best := make([]printed, len(parts))
	marks := w.models.text.marksOf(read.Issuer, lines)
	err := each(ctx, len(parts), func(ctx context.Context, k int) error {
		p := parts[k]
		s := stripOf(p.Strip)
		s.Length += 2 * otherEnds * s.Height
		var err error
		best[k], err = w.lookOtherwise(ctx, s, lines[p.Line].part(p.From, p.To), p.Against, marks)
		return err
	})
	if err != nil {
		return nil, viz.Reading{}, err
	}
	for k, p := range parts {
		lines[p.Line] = lines[p.Line].with(p, best[k])
	}
	return lines, w.r.options.Facts(w.printedPage(lines)), nil
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
		number := p.least >= otherSure && d.Number != "" && strings.ReplaceAll(p.text, " ", "") == strings.ReplaceAll(d.Number, " ", "")
		if number || icao.SameName(p.text, d.Surname, 0) || icao.SameName(p.text, d.GivenNames, 0) {
			out = append(out, p)
		}
	}
	if out == nil {
		return seen
	}
	return out
}

// part is what was read of some characters of the line.
func (l line) part(from, to int) printed {
	return printed{chars: slices.Clone(l.chars[from:to]), at: slices.Clone(l.at[from:to])}.of([]rune(l.text)[from:to])
}

// with is the line with another reading of a part of it.
func (l line) with(p viz.Part, r printed) line {
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
	l.text, l.conf, l.least, l.chars, l.at = all.text, all.conf, all.least, all.chars, all.at
	return l
}

// stripOf is a place of print on the upright picture.
func stripOf(s viz.Strip) ocr.Strip {
	sin, cos := math.Sincos(s.Tilt)
	return ocr.Strip{X: s.X, Y: s.Y, UX: cos, UY: sin, Length: s.Length, Height: s.Height, Score: 1}
}

// What is no label counts where it was surely read and is as short as what detection misses: a letter, a code.
const (
	againLeast   = 0.9
	againShort   = 3
	againFigures = 4   // of a day or a number
	againNumber  = 0.7 // of a line that begins with a field's number
)

func figures(text string) int {
	n := 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// withLine puts a line among others, in place of what was read of it before.
func withLine(lines []line, l line) []line {
	out := slices.DeleteFunc(slices.Clone(lines), func(o line) bool {
		a, d := l.strip.Locate(o.strip.Centre())
		return math.Abs(d) < l.strip.Height/2 && math.Abs(a)+o.strip.Length/2 < l.strip.Length/2+o.strip.Length/3
	})
	return append(out, l)
}

// keepsAll reports whether a reading states all that another did.
func keepsAll(again, before viz.Reading) bool {
	for _, b := range before.Claims {
		if !slices.ContainsFunc(again.Claims, func(c idv.Claim) bool { return c.Name == b.Name && c.Value == b.Value }) {
			return false
		}
	}
	return true
}
