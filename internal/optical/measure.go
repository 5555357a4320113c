package optical

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/glyph"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How sure a measured character is, and how sure one is at most that could not be measured.
const (
	measured   = 0.99
	unmeasured = 0.5
)

// measure returns lines with what readers of lines guess and the picture shows: how many strokes a Roman numeral has, and which round signs are zeros.
func measure(img *imaging.Photo, lines []line) []line {
	return tellZeros(img, countStrokes(img, lines))
}

// countStrokes returns lines with their months in Roman numerals written with as many strokes as the picture shows.
func countStrokes(img *imaging.Photo, lines []line) []line {
	out := slices.Clone(lines)
	for i, l := range lines {
		months := glyph.Months(l.text)
		if len(months) == 0 {
			continue
		}
		crop := ocr.CropGray(img, l.strip.Grown(.1, .1))
		slices.Reverse(months) // those before stay where they are
		for _, m := range months {
			out[i] = out[i].withMonth(m, m.Read(crop, l.at[m.From-1], l.at[m.To]))
		}
	}
	return out
}

// withMonth is the line with a month as its strokes were counted; with an unsure one if they were not.
func (l line) withMonth(m glyph.Month, word string) line {
	runes, sure := []rune(word), measured
	if word == "" {
		runes, sure = []rune(l.text)[m.From:m.To], unmeasured
	}
	chars, at := make([]float64, len(runes)), make([]float64, len(runes))
	for k := range runes {
		chars[k] = sure
		if word == "" {
			chars[k] = min(sure, l.chars[m.From+k])
		}
		part := (float64(k) + 1) / float64(len(runes)+1)
		at[k] = l.at[m.From-1] + part*(l.at[m.To]-l.at[m.From-1])
	}
	all := printed{
		chars: slices.Concat(l.chars[:m.From], chars, l.chars[m.To:]), at: slices.Concat(l.at[:m.From], at, l.at[m.To:]),
	}.of(slices.Concat([]rune(l.text)[:m.From], runes, []rune(l.text)[m.To:]))
	return l.as(all)
}
