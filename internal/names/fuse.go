package names

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fuse joins neighbouring tokens that the other name writes as one word.
func fuse(tokens, other []Token) []Token {
	out := slices.Clone(tokens)
	for i := 0; i+1 < len(out); i++ {
		if joined, n, ok := joinAt(out, i, other); ok {
			out = slices.Replace(out, i, i+n, joined)
		}
	}
	return out
}

// joinAt returns the tokens from i on as one, where the other name has nearly that word. The words may change places.
func joinAt(tokens []Token, i int, other []Token) (Token, int, bool) {
	for n := min(3, len(tokens)-i); n >= 2; n-- {
		span := tokens[i : i+n]
		if !mayJoin(span, other) {
			continue
		}
		for _, t := range joinedSpan(span) {
			for _, o := range other {
				if len(o.Latin) < 4 || utf8.RuneCountInString(o.Folded) == 1 || t.Bare == o.Bare && abs(len(o.Latin)-len(t.Latin)) > 2 {
					continue
				}
				if joins(t, o) && !standsAlone(span, o) {
					return t, n, true
				}
			}
		}
	}
	return Token{}, 0, false
}

// MayFuse reports whether words of one name may be one of the other's, as [Compare] takes them.
func MayFuse(a, b []Token) bool { return mayFuse(a, b) || mayFuse(b, a) }

func mayFuse(tokens, other []Token) bool {
	for i := range tokens {
		for n := min(3, len(tokens)-i); n >= 2; n-- {
			if mayJoin(tokens[i:i+n], other) {
				return true
			}
		}
	}
	return false
}

// mostApart is how far apart the letters of joined words and of another word may be at most, by what only one of both has: what the joined word
// may be, and what its seams change where two words sound otherwise together.
func mostApart(letters, seams int) float64 { return budget(letters) + atSeam*float64(seams) }

// atSeam is what one seam may change: a digraph such as sh, which is another letter than those of the words.
const atSeam = 1

// mayJoin reports whether words of a name may be one of the other's, by their lengths and letters alone.
func mayJoin(span, other []Token) bool {
	letters, abjad := 0, true
	var set, sounds uint32
	plain := true
	for _, t := range span {
		letters += len(t.Latin)
		abjad = abjad && inAbjad(t.Folded)
		l, ok := lettersOf(t.Latin)
		s, also := lettersOf(t.Sound)
		set, sounds, plain = set|l, sounds|s, plain && ok && also
	}
	return abjad || slices.ContainsFunc(other, func(o Token) bool {
		switch {
		case len(o.Latin) < 4:
			return false
		case o.Bare != span[0].Bare:
			return true
		case abs(len(o.Latin)-letters) > 2:
			return false
		}
		l, ok := lettersOf(o.Latin)
		s, also := lettersOf(o.Sound)
		return !plain || !ok || !also || leastBetween(sounds, s) <= mostApart(max(letters, len(o.Latin)), len(span)-1) ||
			mayBeSyllables(set, l, letters, len(o.Latin)) && mayBeEdges(span[0].Latin, span[len(span)-1].Latin, o.Latin)
	})
}

// mayBeEdges reports whether a romanisation of two words in either order may begin and end as another word does.
func mayBeEdges(first, last, other string) bool {
	return mayBeEdge(first, last, other) || mayBeEdge(last, first, other)
}

func mayBeEdge(first, last, other string) bool {
	if first == "" || last == "" {
		return false
	}
	a, b, x, y := first[0], last[len(last)-1], other[0], other[len(other)-1]
	return (class[a] == class[x] || strings.IndexByte(gilesBegins[a], x) >= 0 || strings.IndexByte(gilesBegins[x], a) >= 0) &&
		(koreanEnds[b] == koreanEnds[y] || strings.IndexByte(gilesEnds[b], y) >= 0 || strings.IndexByte(gilesEnds[y], b) >= 0)
}

// joinedSpan returns two or three words as one.
func joinedSpan(span []Token) []Token {
	var out []Token
	for k, t := range Joined(span[0], span[1]) {
		if len(span) == 2 {
			out = append(out, t)
			continue
		}
		if more := Joined(t, span[2]); len(more) > 0 {
			out = append(out, more[min(k, len(more)-1)])
		}
	}
	return out
}

// leastJoined is how alike a joined word in an abjad and a Latin one have to be: every consonant is there.
const leastJoined = 0.88

// joins reports whether a joined word is nearly the other: nearer than two words may be.
func joins(t, o Token) bool {
	if t.Bare != o.Bare {
		if !inAbjad(t.Folded) && !inAbjad(o.Folded) {
			k := skeleton(t.Sound)
			return len(k) >= 3 && slices.Contains(o.Keys(), k)
		}
		return consonants(t.Folded)+consonants(o.Folded) >= 3 && bones(t, o) >= leastJoined
	}
	return t.Latin == o.Latin || t.Sound == o.Sound || likeness(t.Sound, o.Sound) >= 0.85 || oneRomanisation(t.Latin, o.Latin) ||
		!isHan(t.Folded) && !isHan(o.Folded) && koreanName(t.Latin, o.Latin)
}

// standsAlone reports whether a word of the span is already as good as the other.
func standsAlone(span []Token, o Token) bool {
	return slices.ContainsFunc(span, func(t Token) bool {
		if t.Bare != o.Bare {
			return t.Sort == Word && bones(t, o) >= 0.9
		}
		return t.Sound == o.Sound || t.Sort == Word && likeness(t.Sound, o.Sound) >= 0.85
	})
}
