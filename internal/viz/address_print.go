package viz

import (
	"math"
	"unicode"
)

// overhang is how many heights left of a column's end the middle of its first letter never is.
const overhang = 0.1

// pastPrint is the rune at which a line begins whose first letters were read unsurely and stand left of the column at x: print of a
// pattern that touches the line.
func (r *reader) pastPrint(s segment, x float64) int {
	begin := s.words[0].from
	for i := begin; i < s.words[0].to; i++ {
		x0, x1 := r.span(s.line, i, i+1)
		if (x0+x1)/2 > x-overhang*s.h {
			return i
		}
		if mean, _ := r.sureOf(s.line, i, i+1); mean >= lookTwice {
			break
		}
	}
	return r.pastSmallPrint(s, x)
}

// Small print before a line: how many times the line's pitch its letters are apart at most, how many there are at most, and how many
// heights left of the column it begins at least.
const (
	smallPitch = 0.6
	smallMost  = 6
	smallLeft  = 0.4
)

// pastSmallPrint is the rune at which a line begins whose first letters are much closer to each other than the rest and begin left of
// the column at x: small print of a pattern, of which not every letter was read surely.
func (r *reader) pastSmallPrint(s segment, x float64) int {
	begin, end := s.words[0].from, s.words[len(s.words)-1].to
	if x-s.x0 < smallLeft*s.h {
		return begin
	}
	step := func(i int) float64 {
		return math.Abs(r.at(s.line, i+1)-r.at(s.line, i)) * r.page.Lines[s.line].Strip.Length
	}
	usual := r.pitch(s.line)
	last := begin
	for last+1 < end && step(last) < smallPitch*usual {
		last++
	}
	from := last + 1
	for from < end && unicode.IsSpace(r.runes[s.line][from]) {
		from++
	}
	if n := last + 1 - begin; n < 2 || n > smallMost || from == end {
		return begin
	}
	if _, least := r.sureOf(s.line, begin, last+1); least >= lookTwice {
		return begin
	}
	return from
}

// joinedSize is how many times as tall as the other the taller line of an address is at most, where its label stands before it: a
// pattern's print that touches a line makes its box taller.
const joinedSize = 1.6

// setAlike reports whether two lines are about as tall as those of one address are.
func (*reader) setAlike(first, second segment, byLabel bool) bool {
	most := nextSize
	if byLabel {
		most = joinedSize
	}
	return math.Max(first.h, second.h) <= most*math.Min(first.h, second.h)
}
