package icao

import (
	"slices"
	"strings"
	"unicode"
)

// maxForms bounds the answer of Transliterations.
const maxForms = 64

// Transliterations returns the forms in which a machine readable zone may
// write the text: words of A–Z joined by single spaces, the recommended form
// first, at most 64 of them. Hyphens become spaces; apostrophes and full stops
// vanish (ICAO 9303-3 §4.6). It is empty when the text has a letter that no
// table lists (a Chinese name), or no letter at all.
func Transliterations(s string) []string {
	words := split(s)
	if len(words) == 0 {
		return nil
	}
	out := []string{""}
	for i, w := range words {
		if i > 0 {
			out = appendEach(out, []string{" "})
		}
		for _, r := range w {
			forms := formsOf(r)
			if forms == nil {
				return nil
			}
			out = appendEach(out, forms)
		}
	}
	return distinct(out)
}

// appendEach extends every prefix by every form, keeping at most maxForms: the
// prefixes come in order of preference, so what is dropped is the least likely.
func appendEach(prefixes, forms []string) []string {
	if len(forms) == 1 {
		for i := range prefixes {
			prefixes[i] += forms[0]
		}
		return prefixes
	}
	out := make([]string, 0, min(maxForms, len(prefixes)*len(forms)))
	for _, f := range forms {
		for _, p := range prefixes {
			if len(out) < maxForms {
				out = append(out, p+f)
			}
		}
	}
	return out
}

func distinct(in []string) []string {
	seen := make(map[string]bool, len(in))
	out := in[:0]
	for _, s := range in {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// split cuts a printed name into words of upper-case letters.
func split(s string) [][]rune {
	var words [][]rune
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, word)
			word = nil
		}
	}
	for _, r := range upper(s) {
		switch {
		case r == '\'' || r == '’' || r == 'ʼ' || r == '`' || r == '´' || r == '.':
			if r == '.' {
				flush()
			}
		case unicode.IsLetter(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return words
}

// SameName reports whether mrzName, as a machine readable zone writes it
// (fillers or spaces between words), is an allowed form of the printed name.
// Allowed are: every transliteration of every letter; words in another order;
// hyphens and apostrophes as a filler or as nothing; particles joined to the
// word that follows; titles and birth-name clauses that only one of both
// carries. truncatedAt is the number of characters at which the zone may have
// cut the name (its field's length when the name fills it), 0 when it did not:
// then words may be shortened and missing at the end (ICAO 9303-3 §4.6).
func SameName(printed, mrzName string, truncatedAt int) bool {
	return sameName(printed, mrzName, truncatedAt, formsOf)
}

// SameNameBare is SameName for a printed name whose reader loses diacritics:
// a bare A, O or U may stand for Ä, Å, Ö, Ø or Ü, so AE, AA, OE and UE in the
// zone are accepted for it. It proves less than SameName.
func SameNameBare(printed, mrzName string, truncatedAt int) bool {
	return sameName(printed, mrzName, truncatedAt, bareForms)
}

func bareForms(r rune) []string {
	switch r {
	case 'A':
		return []string{"A", "AE", "AA"}
	case 'O':
		return []string{"O", "OE"}
	case 'U':
		return []string{"U", "UE", "UXX"}
	case 'N':
		return []string{"N", "NXX"}
	}
	return formsOf(r)
}

func sameName(printed, mrzName string, truncatedAt int, forms func(rune) []string) bool {
	target := mrzWords(mrzName)
	words := split(printed)
	if len(target) == 0 || len(words) == 0 || len(words) > maxWords {
		return false
	}
	for _, variant := range variants(words) {
		m := matcher{words: variant, forms: forms, target: strings.Join(target, "")}
		if m.fits() && m.all(0, 0) {
			return true
		}
		if truncatedAt > 0 && m.cut(target) {
			return true
		}
	}
	return false
}

// maxWords bounds the search over word orders; no passport page prints more. maxSteps bounds what a page of words that
// are all alike can cost: names of people take a few dozen steps, and where the search is given up nothing was proved.
const (
	maxWords = 12
	maxSteps = 256
)

func mrzWords(s string) []string {
	return strings.FieldsFunc(strings.ToUpper(s), func(r rune) bool { return r < 'A' || r > 'Z' })
}

// titles never reach the zone, or reach it at the issuer's whim (ICAO 9303-3
// §4.6: titles and honorifics should not be included).
var titles = map[string]bool{
	"DR": true, "PROF": true, "MR": true, "MRS": true, "MS": true, "MISS": true,
	"SIR": true, "DAME": true, "ING": true, "MAG": true, "DI": true, "DIPL": true,
}

// birthNameMarks begin a clause ("GEB. GABLER") that the page prints beside
// the name and the zone leaves out.
var birthNameMarks = map[string]bool{
	"GEB": true, "NÉE": true, "NEE": true, "NÉ": true, "ÉP": true, "EP": true, "EPOUSE": true, "ÉPOUSE": true, "BORN": true,
}

// variants returns the words as they are, without titles, and without the
// birth-name clause, each only when it differs.
func variants(words [][]rune) [][][]rune {
	out := [][][]rune{words}
	var plain [][]rune
	for _, w := range words {
		if !titles[string(w)] {
			plain = append(plain, w)
		}
	}
	if len(plain) > 0 && len(plain) < len(words) {
		out = append(out, plain)
	}
	for i, w := range plain {
		if i > 0 && birthNameMarks[string(w)] {
			return append(out, plain[:i])
		}
	}
	return out
}

// matcher searches for an order of the printed words that spells the target.
type matcher struct {
	words  [][]rune
	forms  func(rune) []string
	target string
	dead   map[[2]int]bool // (used words, position) from which no way leads to the end
	steps  int             // taken in search of an order
}

// fits reports whether the words can be spelled in as many letters as the target has.
func (m *matcher) fits() bool {
	least, most := 0, 0
	for _, w := range m.words {
		for _, r := range w {
			forms := m.forms(r)
			if len(forms) == 0 {
				return false
			}
			shortest, longest := len(forms[0]), 0
			for _, f := range forms {
				shortest, longest = min(shortest, len(f)), max(longest, len(f))
			}
			least, most = least+shortest, most+longest
		}
	}
	return least <= len(m.target) && len(m.target) <= most
}

// all reports whether the unused words, in some order, spell target[at:].
func (m *matcher) all(used, at int) bool {
	if used == 1<<len(m.words)-1 {
		return at == len(m.target)
	}
	key := [2]int{used, at}
	if m.dead[key] || m.steps >= maxSteps {
		return false
	}
	m.steps++
	for i, w := range m.words {
		if used&(1<<i) != 0 {
			continue
		}
		for _, end := range m.ends(w, at) {
			if m.all(used|1<<i, end) {
				return true
			}
		}
	}
	if m.dead == nil {
		m.dead = make(map[[2]int]bool)
	}
	m.dead[key] = true
	return false
}

// ends returns where in the target a spelling of the word that begins at `at`
// may end.
func (m *matcher) ends(word []rune, at int) []int {
	places := []int{at}
	for _, r := range word {
		var next []int
		for _, p := range places {
			for _, f := range m.forms(r) {
				if strings.HasPrefix(m.target[p:], f) {
					next = addPlace(next, p+len(f))
				}
			}
		}
		if len(next) == 0 {
			return nil
		}
		places = next
	}
	return places
}

func addPlace(places []int, p int) []int {
	for _, q := range places {
		if q == p {
			return places
		}
	}
	return append(places, p)
}

// cut reports whether each word of a truncated zone begins an own printed
// word, in printed order or rotated so that the surname leads; the first must
// keep at least two letters. Words left over were cut off.
func (m *matcher) cut(target []string) bool {
	if len(target[0]) < 2 || len(target) > len(m.words) {
		return false
	}
	tried := make(map[int]bool) // sets of used words; a set's size says which word of the zone comes next
	var place func(k, used int) bool
	place = func(k, used int) bool {
		if k == len(target) {
			return true
		}
		if tried[used] || len(tried) >= maxSteps {
			return false
		}
		tried[used] = true
		m.steps++
		for i, w := range m.words {
			if used&(1<<i) == 0 && m.begins(w, target[k]) && place(k+1, used|1<<i) {
				return true
			}
		}
		return false
	}
	return place(0, 0)
}

// begins reports whether some form of the word starts with the prefix.
func (m *matcher) begins(word []rune, prefix string) bool {
	rest := []string{prefix}
	for _, r := range word {
		var next []string
		for _, left := range rest {
			for _, f := range m.forms(r) {
				if strings.HasPrefix(f, left) {
					return true
				}
				if rest, ok := strings.CutPrefix(left, f); ok && !slices.Contains(next, rest) {
					next = append(next, rest)
				}
			}
		}
		if len(next) == 0 {
			return false
		}
		rest = next
	}
	return false
}
