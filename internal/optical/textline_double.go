package optical

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading"
)

// doubled is the part of the usual distance of a line's characters below which two of one shape are one character that was
// answered twice: first without its diacritic, which the frames see later, or as a digit and as the letter like it.
const doubled = 0.62

// undouble leaves the surer of two answers to one character: AÅ for Å, O0 for 0, SȘ for Ș.
func (p *printed) undouble(runes []rune) []rune {
	pitch := p.pitch()
	for i := 1; i < len(runes); i++ {
		if p.at[i]-p.at[i-1] >= doubled*pitch || !oneShape(runes[i-1], runes[i]) {
			continue
		}
		drop := i
		if p.chars[i] > p.chars[i-1] {
			drop = i - 1
		}
		runes = slices.Delete(runes, drop, drop+1)
		p.chars, p.at = slices.Delete(p.chars, drop, drop+1), slices.Delete(p.at, drop, drop+1)
		i--
	}
	return runes
}

// pitch is the median distance of neighbouring characters, as a part of the line.
func (p *printed) pitch() float64 {
	if len(p.at) < 3 {
		return 0
	}
	var gaps []float64
	for i := 1; i < len(p.at); i++ {
		gaps = append(gaps, math.Abs(p.at[i]-p.at[i-1]))
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// ofOneShape are characters that are taken for each other though they are no forms of one letter.
var ofOneShape = []string{
	"O0QD", "I1Ll|", "S5", "B8ß", "Z2", "G6", "ÆE", "ÆA", "ŒO", "ŒE", "ÞP", "ÐD", "ĐD", "ŁL", "łl", "ØO", "øo", "Ø0", "æa", "æe", "œo", "ıi", "ħh",
}

// oneShape reports whether two characters differ by no more than a diacritic or by what readers cannot see. Equal ones are two.
func oneShape(a, b rune) bool {
	if a == b {
		return false
	}
	if isTwin(a, b) || unicode.ToUpper(a) == unicode.ToUpper(b) {
		return true
	}
	if unicode.Is(unicode.Latin, a) && unicode.Is(unicode.Latin, b) && reading.Fold(string(a)) == reading.Fold(string(b)) {
		return true
	}
	return slices.ContainsFunc(ofOneShape, func(s string) bool { return strings.ContainsRune(s, a) && strings.ContainsRune(s, b) })
}
