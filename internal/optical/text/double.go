package text

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// answeredTwice are the parts of the usual distance of a line's characters below which two are one character that was answered twice,
// as long as the two are not surer together than that.
var answeredTwice = []struct {
	apart, sure float64
	likely      func(a, b rune) bool
}{
	{.62, 2, oneShape}, // first without its diacritic, which the frames see later, or as a digit and as the letter like it
	{.5, 1.6, figures}, // figures are as wide as each other
	{.3, 1.75, printing},
}

func figures(a, b rune) bool { return unicode.IsDigit(a) && unicode.IsDigit(b) }

func printing(a, b rune) bool { return !unicode.IsSpace(a) && !unicode.IsSpace(b) }

// undouble leaves the surer of two answers to one character: AÅ for Å, O0 for 0, SȘ for Ș, 31 for 311.
func (p *Reading) undouble(runes []rune) []rune {
	pitch := p.pitch()
	for i := 1; i < len(runes); i++ {
		twice := false
		for _, w := range answeredTwice {
			twice = twice || p.At[i]-p.At[i-1] < w.apart*pitch && p.Chars[i]+p.Chars[i-1] <= w.sure && w.likely(runes[i-1], runes[i])
		}
		if !twice {
			continue
		}
		drop, stays := i, i-1
		if p.Chars[i] > p.Chars[i-1] {
			drop, stays = i-1, i
		}
		if !oneShape(runes[i-1], runes[i]) && runes[i] != runes[i-1] {
			p.Chars[stays] /= p.Chars[i] + p.Chars[i-1] // it may be either
		}
		runes = slices.Delete(runes, drop, drop+1)
		p.Chars, p.At = slices.Delete(p.Chars, drop, drop+1), slices.Delete(p.At, drop, drop+1)
		i--
	}
	return runes
}

// pitch is the median distance of neighbouring characters, as a part of the line.
func (p *Reading) pitch() float64 {
	if len(p.At) < 3 {
		return 0
	}
	var gaps []float64
	for i := 1; i < len(p.At); i++ {
		gaps = append(gaps, math.Abs(p.At[i]-p.At[i-1]))
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// ofOneShape are characters that are taken for each other though they are no forms of one letter.
var ofOneShape = []string{
	"O0QD", "I1Ll|", "S5", "B8ß", "Z2", "G6", "ÆE", "ÆA", "ŒO", "ŒE", "ÞP", "ÐD", "ĐD", "ŁL", "łl", "fß", "ØO", "øo", "Ø0", "æa", "æe", "œo", "ıi", "ħh",
}

// oneShape reports whether two characters differ by no more than a diacritic or by what readers cannot see. Equal ones are two.
func oneShape(a, b rune) bool {
	if a == b {
		return false
	}
	if isTwin(a, b) || unicode.ToUpper(a) == unicode.ToUpper(b) {
		return true
	}
	if unicode.Is(unicode.Latin, a) && unicode.Is(unicode.Latin, b) && lexicon.Fold(string(a)) == lexicon.Fold(string(b)) {
		return true
	}
	return slices.ContainsFunc(ofOneShape, func(s string) bool { return strings.ContainsRune(s, a) && strings.ContainsRune(s, b) })
}
