package glyph

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

// Month is the month of a date, in Roman numerals.
type Month struct {
	From, To int // runes of the line; what parts it from day and year is before and behind them
	word     string
	kind     string // the numeral with one I for several: VI, VII and VIII are VI
}

// Dates with such a month, in which other letters and signs of one stroke may have been read for I.
const (
	parts = `[ .,/-]{1,3}`
	word  = parts + `([IVXl1|JLTi]{1,5})` + parts
)

var (
	dayFirst  = regexp.MustCompile(`\b[0-9Oo]{1,2}` + word + `(?:[0-9]{2}|[0-9]{4})\b`)
	yearFirst = regexp.MustCompile(`\b[0-9]{4}` + word + `[0-9Oo]{1,2}\b`)
)

var (
	strokes = strings.NewReplacer("l", "I", "1", "I", "|", "I", "J", "I", "L", "I", "T", "I", "i", "I")
	one     = regexp.MustCompile(`I+`)
)

// others are the strokes that a kind of numeral has beside those of each I: none, or the two of V or X. A numeral without I has nothing to count.
var others = map[string]int{"I": 0, "VI": 2, "IV": 2, "IX": 2, "XI": 2}

// Months finds the months in Roman numerals of a line's dates, those with an I, in the order of the line. Figures 1 and letters J, L and T alone are none.
func Months(line string) []Month {
	all := slices.Concat(dayFirst.FindAllStringSubmatchIndex(line, -1), yearFirst.FindAllStringSubmatchIndex(line, -1))
	slices.SortFunc(all, func(a, b []int) int { return a[2] - b[2] })
	all = slices.CompactFunc(all, func(a, b []int) bool { return a[2] == b[2] })
	var out []Month
	for _, at := range all {
		m := Month{From: utf8.RuneCountInString(line[:at[2]]), word: line[at[2]:at[3]]}
		m.To = m.From + utf8.RuneCountInString(m.word)
		m.kind = one.ReplaceAllString(strokes.Replace(m.word), "I")
		if _, known := others[m.kind]; known && strings.ContainsAny(m.word, "IVXl|i") {
			out = append(out, m)
		}
	}
	return out
}

// with is the numeral that has so many strokes; what was read if that may as well be figures, and empty if there is none.
func (m Month) with(strokes int) string {
	n := strokes - others[m.kind]
	if n < 1 || n > 3 {
		return ""
	}
	word := one.ReplaceAllString(m.kind, strings.Repeat("I", n))
	switch figures := m.kind == "I" && n < 3 && m.word != "|" && strings.ContainsAny(m.word, "1l|"); {
	case !figures && calendar.IsRoman(word):
		return word
	case figures && n == utf8.RuneCountInString(m.word):
		return m.word
	}
	return ""
}
