package viz

import (
	"math"
	"unicode"
)

// numbersColumn is how many lines of a page begin with field numbers in a column that tells one.
const numbersColumn = 3

// clearPrint takes print of a pattern from the beginning of lines, where it runs into a field's number: letters that were read
// unsurely, left of a number in the column of field numbers (OPT2 PIETER). In their places stand spaces.
func (r *reader) clearPrint() {
	for line := range r.runes {
		at := r.numberInside(line)
		if at <= 0 || r.surelyHas(line, 0, at) {
			continue
		}
		if x0, _ := r.span(line, at, at+1); r.inNumbers(line, x0) {
			for i := range at {
				r.runes[line][i] = ' '
			}
		}
	}
}

// numberInside is where in a line a field number begins that ends its first or second word, with more words behind it; 0 for
// nowhere.
func (r *reader) numberInside(line int) int {
	words := r.words(line)
	for i := range min(2, len(words)-1) {
		w := words[i]
		for n := 2; n > 0; n-- {
			at := w.to - n
			if at > 0 && at >= w.from && fieldNumber(string(r.runes[line][at:w.to])) && (at == w.from || !unicode.IsDigit(r.runes[line][at-1])) {
				return at
			}
		}
	}
	return 0
}

// surelyHas reports whether a letter or digit of a line was read surely.
func (r *reader) surelyHas(line, from, to int) bool {
	for i := from; i < to; i++ {
		if mean, _ := r.sureOf(line, i, i+1); mean >= lookTwice && (unicode.IsLetter(r.runes[line][i]) || unicode.IsDigit(r.runes[line][i])) {
			return true
		}
	}
	return false
}

// inNumbers reports whether lines of the page but one begin with field numbers at x.
func (r *reader) inNumbers(line int, x float64) bool {
	column := 0
	for i := range r.page.Lines {
		if i == line || len(r.runes[i]) < 2 || !unicode.IsDigit(r.runes[i][0]) {
			continue
		}
		words := r.words(i)
		_, _, h := r.level(i)
		if fieldNumber(words[0].text) && math.Abs(words[0].x0-x) < columnOff*h {
			column++
		}
	}
	return column >= numbersColumn
}
