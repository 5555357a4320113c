package text

import "unicode"

// On 1 800 documents of unknown layouts, 22 of 23 first characters below strayUnsure were not part of the value behind them, and neither were all 31 between
// that and straySurer that were strayFurther from the next, in distances of the characters behind it. The limits were set on these documents.
const (
	strayLeast   = 4 // characters of a line, at least
	strayUnsure  = .4
	straySurer   = .75
	strayFurther = 1.2
)

// withoutStray drops a first character that does not belong to the line. A number that runs up or down the page gets into the boxes of lines next to it,
// and the reader is unsure of it.
func (l Line) withoutStray() Line {
	runes, next := []rune(l.Text), 1
	if len(runes) < strayLeast || len(l.Chars) != len(runes) || len(l.At) != len(runes) || l.Other || l.toned || l.Chars[0] >= straySurer {
		return l
	}
	for next < len(runes) && unicode.IsSpace(runes[next]) {
		next++
	}
	if len(runes)-next < strayLeast-1 || l.Chars[0] >= strayUnsure && !l.apart(runes, next) {
		return l
	}
	return l.stretch(stretch{next, len(runes), l.small})
}

// apart reports whether the first character is too far from the next one, compared with the characters behind that.
func (l Line) apart(runes []rune, next int) bool {
	end := next
	for end < len(runes) && !unicode.IsSpace(runes[end]) {
		end++
	}
	usual := l.sizeOf(runes, [2]int{next, end}, sizeShort, usualWidth)
	return usual > 0 && l.At[next]-l.At[0] > strayFurther*usual*(usualWidth(runes[0])+usualWidth(runes[next]))/2
}
