package viz

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// cutShort reports whether more print stands right behind a name, set alike and explained by nothing: a part of it, which was
// read as a line of its own.
func (r *reader) cutShort(f found) bool {
	s := f.segment
	return slices.ContainsFunc(r.texts, func(t segment) bool {
		return !t.used && t.sequence < 0 && t.line != s.line && math.Abs(t.y-s.y) < 0.3*math.Max(t.h, s.h) && t.x0 > s.x0+s.h && t.x0 < s.x1+s.h &&
			math.Max(t.h, s.h) < nextSize*math.Min(t.h, s.h) && !r.labelled(t, s)
	})
}

// alikeCost is the difference of costs below which two values fit equally well.
const alikeCost = 0.1

// note keeps a value as the fact that it states: of two labels of one fact the one whose value stands better. Where another,
// as surely read, fits just as well, neither counts.
func (r *reader) note(v value, s segment, p pairing) {
	if isDate(v.fact) && r.beginsLate(s) {
		return
	}
	f := found{value: v, segment: s, cost: p.cost}
	words := s.words[v.from:v.to]
	f.parts = []part{{s.line, words[0].from, words[len(words)-1].to}}
	if isName(v.fact) {
		f.parts[0] = r.within(f.parts[0], v.text)
	}
	if v.runes != [2]int{} {
		f.parts[0] = part{s.line, v.runes[0], v.runes[1]}
	}
	r.joinCut(&f)
	if isName(v.fact) || v.fact == address {
		r.goOn(&f)
	}
	if isName(v.fact) && r.cutShort(f) {
		return
	}
	r.weigh(&f)
	old, seen := r.found[v.fact]
	switch {
	case !seen || f.cost < old.cost-alikeCost || f.cost < old.cost+alikeCost && r.sure(f) && !r.sure(old):
		r.found[v.fact] = f
	case r.sure(f) && r.sure(old) && math.Abs(f.cost-old.cost) <= alikeCost && Alphanumerics(f.text) != Alphanumerics(old.text):
		r.torn[v.fact] = true
	}
}

// weigh says how surely a value was read, once what has a form is read by it.
func (r *reader) weigh(f *found) {
	f.mean, f.least = r.sureOfParts(f.parts)
	switch {
	case isDate(f.fact):
		f.mean, f.least = r.sureOfDigits(f.parts)
	case isName(f.fact) && strings.ContainsAny(f.text, romanianOnly):
		f.least = math.Max(f.least, r.leastOfRomanian(f.parts))
	case f.fact == address:
		f.text = mendAddress(f.text)
		f.mean, f.least = r.sureOfWords(f.parts)
	case f.fact == documentNumber && r.numbers && !r.american:
		r.mendBritish(f)
	case f.fact == documentNumber && r.american && lostSign(r.textOfParts(f.parts)):
		f.least = 0
	}
}

// within is the part of a line that is the text, or all of it: what stands beside a name is no part of it.
func (r *reader) within(p part, text string) part {
	all, name := string(r.runes[p.line][p.from:p.to]), text
	at := strings.Index(all, name)
	if at < 0 {
		return p
	}
	from := p.from + len([]rune(all[:at]))
	return part{p.line, from, from + len([]rune(name))}
}

// beginsLate reports whether a line that begins with one digit alone may have lost the digit before it: a signature that runs
// through it, a stamp. It begins further in than the label right above it, by about as much as a digit is wide.
func (r *reader) beginsLate(s segment) bool {
	text := r.runes[s.line]
	if len(text) < 2 || !unicode.IsDigit(text[0]) || unicode.IsDigit(text[1]) || s.words[0].from != 0 {
		return false
	}
	return slices.ContainsFunc(r.labels, func(l segment) bool {
		below := s.y - l.y
		return below > 0 && below < 2*math.Max(l.h, s.h) && l.x1 > s.x0 && s.x0-l.x0 > 0.25*s.h && s.x0-l.x0 < 1.5*s.h
	})
}

func isName(f fact) bool { return f == surname || f == givenNames }

func isDate(f fact) bool { return f == dateOfBirth || f == dateOfExpiry || f == dateOfIssue }

// sureOfDigits is sureOfParts of a date: its month was one of a dozen words or none.
func (r *reader) sureOfDigits(parts []part) (mean, least float64) {
	sum, n := 0.0, 0
	least = 1
	for _, p := range parts {
		for i := p.from; i < p.to; i++ {
			if c := r.runes[p.line][i]; c >= '0' && c <= '9' && (i == p.from || !unicode.IsLetter(r.runes[p.line][i-1])) && (i+1 == p.to || !unicode.IsLetter(r.runes[p.line][i+1])) {
				m, _ := r.sureOf(p.line, i, i+1)
				sum, n, least = sum+m, n+1, math.Min(least, m)
			}
		}
	}
	if n == 0 {
		return r.sureOfParts(parts)
	}
	return sum / float64(n), least
}

// leastOfRomanian is the least confidence in a name that is Romanian, but for that in its letters with a comma below, of which more was
// for them than against: readers doubt whether it is a comma or a cedilla, which the name's other letters tell.
func (r *reader) leastOfRomanian(parts []part) float64 {
	least := 1.0
	for _, p := range parts {
		for i := p.from; i < p.to; i++ {
			if _, l := r.sureOf(p.line, i, i+1); !unicode.IsSpace(r.runes[p.line][i]) && (l < unsure || !strings.ContainsRune(commasBelow, r.runes[p.line][i])) {
				least = math.Min(least, l)
			}
		}
	}
	return least
}

func (r *reader) sureOfParts(parts []part) (mean, least float64) {
	sum, n := 0.0, 0
	least = 1
	for _, p := range parts {
		m, l := r.sureOf(p.line, p.from, p.to)
		sum, n, least = sum+m*float64(p.to-p.from), n+p.to-p.from, math.Min(least, l)
	}
	return sum / math.Max(1, float64(n)), least
}

// sure reports whether a value was read so surely that it is a claim.
func (r *reader) sure(f found) bool {
	return r.page.Limits.of(f.value).holds(f.mean, f.least) && !r.mayBeOther(f)
}
