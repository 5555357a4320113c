package text

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

// Measure returns lines with what readers of lines guess and the picture shows: how many strokes a Roman numeral has, and which round signs are zeros.
func Measure(img *imaging.Photo, lines []Line) []Line {
	return tellZeros(img, countStrokes(img, lines))
}

// countStrokes returns lines with their months in Roman numerals written with as many strokes as the picture shows.
func countStrokes(img *imaging.Photo, lines []Line) []Line {
	out := slices.Clone(lines)
	for i, l := range lines {
		months := glyph.Months(l.Text)
		if len(months) == 0 {
			continue
		}
		crop := ocr.CropGray(img, l.Strip.Grown(.1, .1))
		slices.Reverse(months) // those before stay where they are
		for _, m := range months {
			out[i] = out[i].withMonth(m, m.Read(crop, l.At[m.From-1], l.At[m.To]))
		}
	}
	return out
}

// withMonth is the line with a month as its strokes were counted; with an unsure one if they were not.
func (l Line) withMonth(m glyph.Month, word string) Line {
	runes, sure := []rune(word), measured
	if word == "" {
		runes, sure = []rune(l.Text)[m.From:m.To], unmeasured
	}
	chars, at := make([]float64, len(runes)), make([]float64, len(runes))
	for k := range runes {
		chars[k] = sure
		if word == "" {
			chars[k] = min(sure, l.Chars[m.From+k])
		}
		part := (float64(k) + 1) / float64(len(runes)+1)
		at[k] = l.At[m.From-1] + part*(l.At[m.To]-l.At[m.From-1])
	}
	all := Reading{
		Chars: slices.Concat(l.Chars[:m.From], chars, l.Chars[m.To:]), At: slices.Concat(l.At[:m.From], at, l.At[m.To:]),
	}.of(slices.Concat([]rune(l.Text)[:m.From], runes, []rune(l.Text)[m.To:]))
	return l.as(all)
}
