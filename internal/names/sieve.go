package names

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Shape is what of a word rules out most others, in one number: which letters its two forms have, and how many. 0 is not known, and
// Shapeless a word that nothing is ruled out for.
type Shape uint64

// Shapeless is the shape of words that are no plain words of a to z, of particles and of initials.
const Shapeless Shape = 1

const (
	letterBits = 26
	lengthBits = 5
	soundShift = letterBits
	foldLength = 2 * letterBits
	soundLen   = foldLength + lengthBits
	foreignBit = soundLen + lengthBits // the folded form is in other letters than a to z, and the shape is that of the Latin one
	syllaBit   = foreignBit + 1        // it may be a Chinese or Korean name
	letterMask = 1<<letterBits - 1
	lengthMask = 1<<lengthBits - 1
)

// ShapeOf returns the shape of a word by its folded form and its sound. It is never 0.
func ShapeOf(folded, sound string) Shape {
	if isASCII(folded) {
		return shapeOf(folded, sound)
	}
	return KnownToken(folded, sound).shape()
}

func (t Token) shape() Shape {
	switch {
	case t.Sort != Word || t.Bare:
		return Shapeless
	case t.Folded == t.Latin:
		return shapeOf(t.Latin, t.Sound)
	case particles[t.Folded] || strings.ContainsFunc(t.Folded, isPlain) || utf8.RuneCountInString(t.Folded) < 2:
		return Shapeless
	}
	if s := shapeOf(t.Latin, t.Sound); s != Shapeless {
		return s | 1<<foreignBit
	}
	return Shapeless
}

func isPlain(r rune) bool { return r < utf8.RuneSelf }

func shapeOf(latin, sound string) Shape {
	f, okF := lettersOf(latin)
	s, okS := lettersOf(sound)
	if !okF || !okS || len(latin) < 2 || len(sound) == 0 || len(latin) > lengthMask || len(sound) > lengthMask || particles[latin] {
		return Shapeless
	}
	out := Shape(f) | Shape(s)<<soundShift | Shape(len(latin))<<foldLength | Shape(len(sound))<<soundLen
	if isSyllabic(latin) {
		out |= 1 << syllaBit
	}
	return out
}

func (s Shape) folded() (letters uint32, length int) {
	return uint32(s & letterMask), int(s >> foldLength & lengthMask)
}

func (s Shape) sound() (letters uint32, length int) {
	return uint32(s >> soundShift & letterMask), int(s >> soundLen & lengthMask)
}

// Sieve rules out most words that are not like a token, by their shapes, at a small part of what [Alike] costs.
type Sieve struct {
	token Token
	shape Shape
	forms []Shape // of the sounds that are known to be forms of the token
}

// NewSieve returns the sieve of a token. forms are the sounds that a reference knows for it. It rules out nothing where the token is no plain
// word.
func NewSieve(t Token, forms map[string]bool) Sieve {
	t.Role = Any
	s := Sieve{token: t, shape: t.shape()}
	for _, sound := range FamilyOf(t.Sound) {
		s.form(sound)
	}
	for sound := range forms {
		s.form(sound)
	}
	return s
}

func (s *Sieve) form(sound string) {
	letters, ok := lettersOf(sound)
	if !ok || len(sound) > lengthMask {
		s.shape = Shapeless
	}
	s.forms = append(s.forms, Shape(letters)<<soundShift|Shape(len(sound)&lengthMask)<<soundLen)
}

// soundMask is what of a shape is about the sound.
const soundMask Shape = letterMask<<soundShift | lengthMask<<soundLen

// Alike is [Alike] with a word by its shape, its folded form and its sound, without roles.
func (s Sieve) Alike(other Shape, folded, sound string, ref Reference) float64 {
	switch {
	case s.shape != Shapeless && other != Shapeless && s.token.Latin == s.token.Folded:
		if other>>foreignBit&1 == 0 {
			return s.plain(other, folded, sound, 1, ref)
		}
		latin, _ := romanise(folded)
		return s.plain(other, latin, sound, transcribed, ref)
	case s.shape != Shapeless && inAbjad(folded) && !particles[folded] && utf8.RuneCountInString(folded) > 1:
		return readings(Token{Folded: folded}, s.token) // what Alike compares of such words
	}
	like, _ := Alike(s.token, KnownToken(folded, sound), ref)
	return like
}

// plain is Alike of two plain words in the letters a to z, where one may be transcribed: same is how like it then is at best. It leaves
// out what their shapes rule out.
func (s Sieve) plain(other Shape, latin, sound string, same float64, ref Reference) float64 {
	t := s.token
	switch {
	case latin == t.Latin:
		return same
	case sound == t.Sound:
		return 0.96
	case slices.Contains(s.forms, other&soundMask) && (ref.Equivalent(t.Sound, sound) || inFamily(t.Sound, sound)):
		return 0.92
	}
	a, n := s.shape.folded()
	b, m := other.folded()
	x, k := s.shape.sound()
	y, l := other.sound()
	if s.mayBeKnown(other) {
		if like, _ := knownPlain(t.Latin, latin, t.Sound, sound); like > 0 {
			return like
		}
	}
	like := 0.
	if mayBe(a, b, n, m) {
		like = same * likeness(t.Latin, latin)
	}
	if mayBe(x, y, k, l) {
		like = max(like, 0.96*likeness(t.Sound, sound))
	}
	if like < leastLikeness || anotherSyllable(t.Latin, latin) {
		return 0
	}
	return like
}

// mayBeKnown reports whether the shapes allow one of the relations of words that knownPlain looks for.
func (s Sieve) mayBeKnown(other Shape) bool {
	a, n := s.shape.folded()
	b, m := other.folded()
	if (s.shape&other)>>syllaBit&1 == 1 && mayBeSyllables(a, b, n, m) || mayServe(a, b, n, m) || mayBeArticled(a, b, n, m) || mayBeGendered(a, b, n, m) {
		return true
	}
	a, n = s.shape.sound()
	b, m = other.sound()
	return mayBeArticled(a, b, n, m)
}

// Apart reports that a word of a shape is surely not like the token: [Alike] answers 0 for the two. Where it says false they may be alike or
// not.
func (s Sieve) Apart(other Shape) bool {
	if s.shape == Shapeless || other == Shapeless || (s.shape&other)>>foreignBit&1 == 1 { // two words in other letters are compared in those, too
		return false
	}
	if s.mayBeKnown(other) || slices.Contains(s.forms, other&soundMask) {
		return false
	}
	a, n := s.shape.folded()
	b, m := other.folded()
	if mayBe(a, b, n, m) {
		return false
	}
	a, n = s.shape.sound()
	b, m = other.sound()
	return !mayBe(a, b, n, m)
}

// mayBe reports whether two words may be alike by likeness: whether what rules out most at once does not.
func mayBe(a, b uint32, n, m int) bool {
	shorter, longer := min(n, m), max(n, m)
	return !tooLong(shorter, longer) && leastBetween(a, b) <= budget(shorter)
}

// mayServe reports whether one word may be the other with the word for servant before it.
func mayServe(a, b uint32, n, m int) bool {
	const servant = 1 | 1<<('b'-'a') | 1<<('d'-'a') // the letters a, b, d
	return abs(n-m) == 3 && (a|servant == b || b|servant == a)
}

// mayBeSyllables reports whether two words may be one Chinese or Korean name: no romanisation writes m, n or f otherwise.
func mayBeSyllables(a, b uint32, n, m int) bool {
	const kept = 1<<('m'-'a') | 1<<('n'-'a') | 1<<('f'-'a')
	return (a^b)&kept == 0 && abs(n-m) <= max(n, m)/2+1
}

// mayBeArticled reports whether one word may be the other with an article.
func mayBeArticled(a, b uint32, n, m int) bool {
	if n > m {
		a, b = b, a
	}
	return abs(n-m) == 2 && a&^b == 0 && bits.OnesCount32(b&^a) <= 2
}

// mayBeGendered reports whether two words may be forms of one surname: one has the letters of the other but for i and y, and an ending.
func mayBeGendered(a, b uint32, n, m int) bool {
	const dropped = 1<<('i'-'a') | 1<<('y'-'a')
	const endings = dropped | 1 | 1<<('o'-'a') | 1<<('v'-'a') | 1<<('s'-'a') | 1<<('u'-'a')
	if n > m {
		a, b = b, a
	}
	more := max(n, m) - min(n, m)
	return more <= 3 && a&^b&^uint32(dropped) == 0 && b&^a&^uint32(endings) == 0
}
