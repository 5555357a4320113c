package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// lookAgain reads where the layout of the page says that there is print which was not found, and takes the facts out anew. What
// it read counts where it adds to the facts and changes none.
func (w *work) lookAgain(ctx context.Context, lines []line, read viz.Reading) ([]line, viz.Reading, error) {
	if len(read.Missing) == 0 {
		return lines, read, nil
	}
	strips := make([]strip, len(read.Missing))
	for i, m := range read.Missing {
		sin, cos := math.Sincos(m.Tilt)
		strips[i] = strip{cx: m.X, cy: m.Y, ux: cos, uy: sin, length: m.Length, height: m.Height, score: 1}
	}
	found, err := w.readLines(ctx, strips)
	if err != nil {
		return nil, viz.Reading{}, err
	}
	more := slices.Clone(lines)
	for _, l := range found {
		if viz.Labelled(l.text) || read.Numbered && l.conf >= againNumber && viz.Numbered(l.text+" X") || l.conf >= againLeast && len([]rune(l.text)) <= againShort {
			more = withLine(more, l)
		}
	}
	again := viz.Read(w.printedPage(more))
	if len(again.Claims) > len(read.Claims) && keepsAll(again, read) {
		return more, again, nil
	}
	return lines, read, nil
}

// What is no label counts where it was surely read and is as short as what detection misses: a letter, a code.
const (
	againLeast  = 0.9
	againShort  = 3
	againNumber = 0.7 // of a line that begins with a field's number
)

// withLine puts a line among others, in place of what was read of it before.
func withLine(lines []line, l line) []line {
	out := slices.DeleteFunc(slices.Clone(lines), func(o line) bool {
		a, d := l.strip.locate(centre(o.strip))
		return abs(d) < l.strip.height/2 && abs(a)+o.strip.length/2 < l.strip.length/2+o.strip.length/3
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
