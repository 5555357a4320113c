package names

import (
	"slices"
	"strings"
)

// Arabic names of two words with an article between them, "light of the faith" or "gift of God", are written as two words or as one, and
// the article in as many ways as there are languages: Nur al-Din, Noureddine, Nuruddin. They are brought into one form.

// compoundEnds are the second words of such names: their spellings as a word, as the end of a longer one, and the form.
var compoundEnds = []struct {
	words, ends []string
	form        string
}{
	{
		[]string{"din", "deen", "dine", "dyn", "ddin", "eddin", "eddine", "uddin", "udin", "aldin", "eldin", "aldeen", "eldeen", "uddeen"},
		append(endings("u e a i o", "ddin ddine ddeen ldin ldeen"), "udin", "udeen", "udine"), "udin",
	},
	{[]string{"allah", "ullah", "ollah", "ulla"}, []string{"ullah", "ollah", "allah", "ellah", "ulla"}, "ulah"},
}

// leastBefore is how many letters come before such an ending.
const leastBefore = 3

// endings are all endings that begin with one of the vowels, the longest first.
func endings(vowels, rest string) []string {
	var out []string
	for v := range strings.FieldsSeq(vowels) {
		for r := range strings.FieldsSeq(rest) {
			out = append(out, v+r)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return len(b) - len(a) })
	return out
}

// joinCompounds writes such names as one token.
func joinCompounds(in []Token) []Token {
	var out []Token
	for _, t := range in {
		if whole, from, ok := compoundOf(out, t); ok {
			out = append(out[:from], whole)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// compoundOf returns the token, with the one before it if it takes part, in its one form; from is where that begins.
func compoundOf(before []Token, t Token) (whole Token, from int, ok bool) {
	if t.Bare || t.Latin != t.Folded {
		return Token{}, 0, false
	}
	if strings.HasPrefix(t.Latin, "abd") { // has a form of its own
		return Token{}, 0, false
	}
	for _, c := range compoundEnds {
		if slices.Contains(c.words, t.Folded) {
			from = len(before)
			for from > 0 && (slices.Contains(article, before[from-1].Folded) || before[from-1].Folded == "ed") {
				from--
			}
			if from == 0 || before[from-1].Sort != Word || before[from-1].Bare || before[from-1].Role != t.Role || len(before[from-1].Latin) < leastBefore-1 {
				return Token{}, 0, false
			}
			first := before[from-1]
			return withRole(NewToken(strings.TrimRight(first.Latin, "u")+c.form), t.Role), from - 1, true
		}
		for _, e := range c.ends {
			if rest, ok := strings.CutSuffix(t.Folded, e); ok && len(rest) >= leastBefore {
				return withRole(NewToken(strings.TrimRight(rest, "u")+c.form), t.Role), len(before), true
			}
		}
	}
	return Token{}, 0, false
}
