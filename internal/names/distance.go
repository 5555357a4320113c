package names

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Costs of edits, in letters.
const (
	costVowel   = 0.5 // a vowel for another
	costClose   = 0.6 // a consonant for one of its group
	costDouble  = 0.2 // a letter twice or once
	costSwap    = 0.9 // two neighbours exchanged
	costSemi    = 0.5 // j or y beside a vowel, or one for another or for i; u for v
	costGender  = 1.2 // a final a for an o, which most often makes another name
	costDigit   = 1.5 // a digit for another
	costLike    = 0.5 // a digit for the letter of its shape
	costBeyond  = 99.
	letterShape = "0o1l1i5s8b3e4a"
)

// budget is how many edits two words of the shorter one's length may be apart.
func budget(shorter int) float64 {
	switch {
	case shorter <= 2:
		return 0.5
	case shorter <= 4:
		return 1
	case shorter <= 7:
		return 1.5
	default:
		return 2
	}
}

// likeness compares two words letter by letter: 1 equal, 0 too far apart.
func likeness(a, b string) float64 {
	if a == b {
		return 1
	}
	var storeA, storeB [widest]rune
	x, y := runesOf(a, &storeA), runesOf(b, &storeB)
	if len(x) > len(y) {
		x, y = y, x
	}
	most := budget(len(x))
	if len(x) == 0 || tooLong(len(x), len(y)) || leastDistance(a, b) > most {
		return 0
	}
	d := distance(x, y, most)
	if d > most {
		return 0
	}
	return 1 - d/float64(max(len(y), 3))
}

// tooLong reports whether the longer of two words has too many letters more to be the other one.
func tooLong(shorter, longer int) bool { return float64(longer-shorter) > 2*budget(shorter)+1 }

// widest is from how many letters on words are not compared.
const widest = 40

// runesOf returns the letters of a word, those of a short one of ASCII in a place that is given.
func runesOf(s string, store *[widest]rune) []rune {
	if len(s) > len(store) || !isASCII(s) {
		return []rune(s)
	}
	for i := range len(s) {
		store[i] = rune(s[i])
	}
	return store[:len(s)]
}

// leastDistance is what two words are apart at least, by the letters that only one of them has: each is exchanged or left out. It
// rules out most words at a small part of what their distance costs. 0 where a word has other letters than a to z.
func leastDistance(a, b string) float64 {
	x, okX := lettersOf(a)
	y, okY := lettersOf(b)
	if !okX || !okY {
		return 0
	}
	return leastBetween(x, y)
}

// leastBetween is the same for the letters of two words.
func leastBetween(x, y uint32) float64 { return max(leastOf(x&^y, y), leastOf(y&^x, x)) }

// leastOf is the least that it costs to get rid of some letters against those of another word.
func leastOf(set, other uint32) float64 {
	cheap := set & cheapLetters
	set &^= cheap
	near := set & closeTo(other)
	return costVowel*float64(bits.OnesCount32(cheap)) + costClose*float64(bits.OnesCount32(near)) + float64(bits.OnesCount32(set&^near))
}

// groups are the letters of each group of consonants that are taken for each other (see class).
var groups = func() (out [5]uint32) {
	for i, g := range []string{"bp", "vf", "gk", "dt", "szcj"} {
		for _, c := range g {
			out[i] |= 1 << (c - 'a')
		}
	}
	return out
}()

// closeTo are all letters of the groups that some letters are of.
func closeTo(set uint32) (out uint32) {
	for _, g := range groups {
		if set&g != 0 {
			out |= g
		}
	}
	return out
}

// cheapLetters are the vowels, h, j and v; a is the first bit.
const cheapLetters = 1<<('j'-'a') | 1<<('v'-'a') | 1 | 1<<('e'-'a') | 1<<('i'-'a') | 1<<('o'-'a') | 1<<('u'-'a') | 1<<('y'-'a') | 1<<('h'-'a')

func lettersOf(s string) (set uint32, ok bool) {
	for i := range len(s) {
		c := s[i] - 'a'
		if c >= 26 {
			return 0, false
		}
		set |= 1 << c
	}
	return set, true
}

// distance is the cheapest way from one word to the other (Wagner and Fischer, with neighbours exchanged), or more than most.
func distance(x, y []rune, most float64) float64 {
	var store [3][widest]float64
	var alone [widest]float64 // what each letter of y costs that only y has
	if len(y) >= widest {
		return costBeyond
	}
	before, last, row := store[0][:], store[1][:], store[2][:]
	for j := 1; j <= len(y); j++ {
		alone[j] = single(y, j-1)
		last[j] = last[j-1] + alone[j]
	}
	for i := 1; i <= len(x); i++ {
		only := single(x, i-1)
		row[0] = last[0] + only
		least := row[0]
		for j := 1; j <= len(y); j++ {
			v := last[j-1] + exchange(x[i-1], y[j-1])
			if i == len(x) && j == len(y) && gender(x[i-1], y[j-1]) {
				v = last[j-1] + costGender
			}
			v = min(v, last[j]+only, row[j-1]+alone[j])
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] && x[i-1] != x[i-2] {
				v = min(v, before[j-2]+costSwap)
			}
			row[j] = v
			least = min(least, v)
		}
		if least > most {
			return costBeyond
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// single is the cost of a letter that only one word has.
func single(w []rune, i int) float64 {
	switch {
	case i > 0 && w[i] == w[i-1]:
		return costDouble
	case (w[i] == 'y' || w[i] == 'j') && (i > 0 && isVowel(w[i-1]) || i+1 < len(w) && isVowel(w[i+1])):
		return costSemi
	case w[i] >= 'a' && w[i] <= 'z' && w[i] != 'h' && w[i] != 'e':
		return 1
	case unicode.IsDigit(w[i]):
		return costDigit
	case i > 0 && (w[i] == 'h' || w[i] == 'e' && strings.ContainsRune("aou", w[i-1])):
		return costVowel
	}
	return 1
}

// exchanges are the costs of small letters for each other.
var exchanges = func() (out [26][26]float64) {
	for a := range out {
		for b := range out[a] {
			out[a][b] = exchangeOf(rune('a'+a), rune('a'+b))
		}
	}
	return out
}()

func exchange(a, b rune) float64 {
	if i, j := a-'a', b-'a'; i >= 0 && i < 26 && j >= 0 && j < 26 {
		return exchanges[i][j]
	}
	return exchangeOf(a, b)
}

// semivowels are pairs of letters that languages write for one sound, each pair in order.
const semivowels = "ij jy uv"

func exchangeOf(a, b rune) float64 {
	if a == b {
		return 0
	}
	da, db := unicode.IsDigit(a), unicode.IsDigit(b)
	if da || db {
		for i := 0; i < len(letterShape); i += 2 {
			d, l := rune(letterShape[i]), rune(letterShape[i+1])
			if a == d && b == l || a == l && b == d {
				return costLike
			}
		}
		return costDigit
	}
	if isVowel(a) && isVowel(b) {
		return costVowel
	}
	if strings.Contains(semivowels, string([]rune{min(a, b), max(a, b)})) {
		return costSemi
	}
	if a < 128 && b < 128 && class[a] != 0 && class[a] == class[b] {
		return costClose
	}
	return 1
}

// gender reports whether two final letters make names of a man and of a woman: Mario and Maria.
func gender(a, b rune) bool { return a == 'a' && b == 'o' || a == 'o' && b == 'a' }

func isVowel(r rune) bool {
	switch r {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

// bones compares a word whose consonants alone are sure with another: its letters have to be there in order, and vowels
// that it does not write cost next to nothing. Scripts without vowels have one letter for p and f or for b and v, Korean and
// Japanese one for l and r.
func bones(a, b Token) float64 {
	if b.Bare {
		a, b = b, a
	}
	if inAbjad(a.Folded) {
		return readings(a, b)
	}
	x, y := []byte(a.Sound), []byte(b.Sound)
	if len(x) == 0 || len(y) == 0 || len(y) > 30 || len(x) > 30 {
		return 0
	}
	most := 0.35
	if n := len(skeleton(a.Sound)); n >= 5 {
		most = 1
	} else if n >= 3 {
		most = 0.7
	}
	first, _ := utf8.DecodeRuneInString(a.Folded)
	oneLiquid := unicode.In(first, unicode.Hangul, unicode.Katakana)
	var store [2][32]float64
	last, row := &store[0], &store[1]
	for j := range y {
		last[j+1] = last[j] + unwritten(y[j])
	}
	for i := range x {
		row[0] = last[0] + written(x[i])
		for j := range y {
			row[j+1] = min(last[j]+heard(x[i], y[j], oneLiquid), row[j]+unwritten(y[j]), last[j+1]+written(x[i]))
		}
		last, row = row, last
	}
	if d := last[len(y)]; d <= most {
		return 0.95 - 0.3*d
	}
	return 0
}

// readings compares a word in an abjad with a Latin one.
func readings(a, b Token) float64 {
	if b.Latin == "" {
		return 0
	}
	most := 0.35
	if n := consonants(a.Folded); n >= 5 {
		most = 0.8
	} else if n >= 3 {
		most = 0.6
	}
	if d := read([]rune(a.Folded), b.Latin, most); d <= most {
		return 0.95 - 0.3*d
	}
	return 0
}

// unwritten is the cost of a letter that the script need not write.
func unwritten(c byte) float64 {
	switch {
	case strings.IndexByte("aeiou", c) >= 0:
		return 0.04
	case c == 'h' || c == 'v':
		return 0.2
	}
	return 1
}

// written is the cost of a letter that is written and not there.
func written(c byte) float64 {
	switch {
	case c == 'a':
		return 0.1
	case c == 'h':
		return 0.15
	case c == 'i' || c == 'u':
		return 0.35
	}
	return 1
}

// heard is the cost of a written letter for another; oneLiquid says that the script has one letter for l and r.
func heard(a, b byte, oneLiquid bool) float64 {
	switch {
	case a == b:
		return 0
	case a == 'i' && b == 'e', a == 'a' && isVowel(rune(b)):
		return 0.04
	case a == 'u' && (b == 'o' || b == 'v'):
		return 0.04
	case a == 'f' && (b == 'p' || b == 'v'), a == 'b' && (b == 'p' || b == 'v' || b == 'f'), oneLiquid && (a == 'r' && b == 'l' || a == 'l' && b == 'r'):
		return 0.2
	case class[a] != 0 && class[a] == class[b]:
		return 0.3
	}
	return 1
}

// initials reports whether one token is the first letter of the other.
func initials(a, b Token) bool {
	if a.Sort != Initial && b.Sort != Initial || a.Sort == Particle || b.Sort == Particle || a.Latin == "" || b.Latin == "" {
		return false
	}
	return a.Latin[0] == b.Latin[0] || a.Sound != "" && b.Sound != "" && a.Sound[0] == b.Sound[0]
}

var patronymic = []string{"ovich", "evich", "ovna", "evna", "ovic", "evic", "ovych", "ivna"}

// isPatronymic reports whether a word is a father's name with the ending of East Slavic languages.
func isPatronymic(latin string) bool {
	return len(latin) > 6 && slices.ContainsFunc(patronymic, func(p string) bool { return strings.HasSuffix(latin, p) })
}

// gendered reports whether two words are forms of one surname: for a man and a woman (Kuznetsov, Kuznetsova; Dvorak,
// Dvorakova), or with the ending of Lithuanian.
func gendered(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || isPatronymic(b) {
		return false
	}
	stem := strings.HasSuffix(a, "v") || strings.HasSuffix(a, "f") || strings.HasSuffix(a, "in") || strings.HasSuffix(a, "yn")
	ending, longer := strings.CutPrefix(b, a)
	switch {
	case longer && (ending == "a" && stem || ending == "ova" || ending == "as" || ending == "is" || ending == "us"):
		return true
	case strings.HasSuffix(a, "i") || strings.HasSuffix(a, "y"):
		ending, ok := strings.CutPrefix(b, strings.TrimRight(a, "iy"))
		return ok && (ending == "aia" || ending == "aya" || ending == "a" && len(a) > 5)
	}
	return false
}
