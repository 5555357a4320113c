package viz

import (
	"strings"
	"unicode"
)

// britishForm is that of a driver number of Great Britain (DVLA): five letters of the family name, with nines for those that it has
// not, six digits of the day of birth, two initials or a nine, and a digit, before two check characters.
const britishForm = "LLLLLDDDDDDLLD**"

// mostMended is how many signs of a number may be read as others of their shape.
const mostMended = 2

// mendBritish reads the signs of a driver number of Great Britain as what stands in their places: letters and digits of one shape
// are told apart by it, whatever the reader took them for.
func (r *reader) mendBritish(f *found) {
	if len(f.text) != len(britishForm) || len(f.parts) != 1 {
		return
	}
	p := f.parts[0]
	var at []part // of each sign
	for i := p.from; i < p.to; i++ {
		if c := r.runes[p.line][i]; unicode.IsLetter(c) || unicode.IsDigit(c) {
			at = append(at, part{p.line, i, i + 1})
		}
	}
	if len(at) != len(britishForm) {
		return
	}
	var out strings.Builder
	var kept []part
	for i, c := range f.text {
		mended, ok := ofForm(c, britishForm[i])
		if !ok {
			return
		}
		if mended == c {
			kept = append(kept, at[i])
		}
		out.WriteRune(mended)
	}
	if n := len(at) - len(kept); n > 0 && n <= mostMended {
		f.text = out.String()
		f.mean, f.least = r.sureOfParts(kept)
	}
}

// ofForm is a sign as a letter or nine, as a digit, or as it is; not ok where it can be none.
func ofForm(c rune, form byte) (rune, bool) {
	const signs, shapes = "015826", "OISBZG"
	digit := c >= '0' && c <= '9'
	switch {
	case form == 'L' && digit && c != '9':
		m := lookAlike(c, signs, shapes)
		return m, m != c
	case form == 'D' && !digit:
		m := lookAlike(c, shapes, signs)
		return m, m != c
	}
	return c, true
}

// lookAlikes are letters and digits that readers take for each other.
const lookAlikes = "OQDISBZG015826"

// mayBeOther reports whether a sign of a licence's number was read so unsurely that it may be the digit or the letter of its shape:
// one that stands beside a sign of the other kind. Such a number has no check digit that would tell.
func (r *reader) mayBeOther(f found) bool {
	if !r.numbers || f.fact != documentNumber && f.fact != personalNumber || isBritish(f.text) {
		return false
	}
	for _, p := range f.parts {
		for i := p.from; i < p.to; i++ {
			beside := i > p.from && otherKind(r.runes[p.line][i-1], r.runes[p.line][i]) || i+1 < p.to && otherKind(r.runes[p.line][i+1], r.runes[p.line][i])
			if mean, _ := r.sureOf(p.line, i, i+1); beside && mean < lookTwice && strings.ContainsRune(lookAlikes, unicode.ToUpper(r.runes[p.line][i])) {
				return true
			}
		}
	}
	return false
}

// otherKind reports whether one of two signs is a letter and one a digit.
func otherKind(a, b rune) bool {
	return unicode.IsLetter(a) && unicode.IsDigit(b) || unicode.IsDigit(a) && unicode.IsLetter(b)
}

// isBritish reports whether each sign of a number is what stands in its place in those of Great Britain.
func isBritish(text string) bool {
	if len(text) != len(britishForm) {
		return false
	}
	for i, c := range text {
		if mended, ok := ofForm(c, britishForm[i]); !ok || mended != c {
			return false
		}
	}
	return true
}
