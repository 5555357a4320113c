package viz

import (
	"math"
	"strings"
)

// How a line of an address is lengthened whose end was cut off.
const (
	postalLeast = 4   // figures of a postal code at least
	cutLong     = 8.0 // heights by which the line may go on
)

// endsCut reports whether an address ends in a town of which the last word is one letter: 5785 Utopia C. Text detection cut off the
// rest of it.
func endsCut(f found) bool {
	if f.fact != address {
		return false
	}
	words := strings.Fields(f.text[strings.LastIndex(f.text, ",")+1:])
	n := len(words)
	return n > 2 && len(words[0]) >= postalLeast && number(words[0]) >= 0 && len([]rune(words[n-1])) == 1 && letters(words[n-1]) != ""
}

// restOfAddress adds the line whose end was cut off, lengthened.
func (r *reader) restOfAddress(out []Strip) []Strip {
	f, ok := r.found[address]
	if !ok || !endsCut(f) {
		return out
	}
	last := f.parts[len(f.parts)-1]
	s := r.page.Lines[last.line].Strip
	if last.to < len(r.runes[last.line]) {
		return out
	}
	more := cutLong * s.Height
	sin, cos := math.Sincos(s.Tilt)
	s.X, s.Y, s.Length = s.X+more/2*cos, s.Y+more/2*sin, s.Length+more
	return append(out, s)
}
