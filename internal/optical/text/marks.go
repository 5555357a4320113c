package text

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ownMarks are the letters beyond A–Z that are printed on the driving licences and cards of a state: none in the USA, those of
// French in Canada. Any other mark that is read there is dirt, a pattern, or a letter of the line above.
var ownMarks = map[string]string{"USA": "", "CAN": "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜŸàâæçèéêëîïôœùûüÿ"}

// dottedIn are the states whose languages have both İ and I.
var dottedIn = []string{"TUR", "AZE"}

const (
	dotted      = "ığĞİ" // letters that hardly any other language has
	dottedLines = 2      // least number of lines with one of them that show such a language
	accented    = "ÍÌÎ"  // readers confuse İ with these
)

// otherMarks are parts of the USA that do print marks, as their cards say.
var otherMarks = []string{"HAWAI", "PUERTO RICO", "GUAM"}

// Marks are what is known of the letters of a page before they are read. The zero Marks say nothing.
type Marks struct {
	stands []int // maps each class to the class it counts as; nil: to itself
	rare   []int // classes of letters with a mark that the languages of the names do not have, where they have another on that letter
}

// rareMark is how much log likelihood a rare mark loses (ADR 108). Set by hand: what is read surely stays, also in names from elsewhere.
const rareMark = 3

// marksOf is what the issuer of a page, and the state in whose languages its names are, say of its letters.
func (r reader) marksOf(issuer, ofNames string, lines []Line) Marks {
	m := Marks{stands: r.printedBy(issuer, lines)}
	own, marked := lettersOf(ofNames), map[rune]bool{}
	for _, c := range own {
		marked[baseOf(c)] = true
	}
	for i, c := range r.Dictionary {
		c = unicode.ToUpper(c)
		if base := baseOf(c); base != c && marked[base] && !strings.ContainsRune(own, c) {
			m.rare = append(m.rare, i)
		}
	}
	return m
}

// heed lets the marks count in a line's scores.
func (m Marks) heed(scores []float32, classes int) {
	unmarked(scores, m.stands)
	for from := 0; classes > 0 && from+classes <= len(scores); from += classes {
		for _, i := range m.rare {
			scores[from+i] -= rareMark
		}
	}
}

// printed reports whether a class stands for itself.
func (m Marks) printed(class int) bool { return m.stands == nil || m.stands[class] == class }

// printedBy says for each class which one a letter with a mark stands for that the page's issuer does not print, itself where it does;
// nil where nothing is known of the issuer's.
func (r reader) printedBy(issuer string, lines []Line) []int {
	own, listed := ownMarks[issuer]
	if slices.Contains(dottedIn, issuer) || !listed && mayHaveDots(issuer) && haveDots(lines) {
		return r.standing(func(c rune) rune {
			if strings.ContainsRune(accented, c) {
				return 'İ'
			}
			return c
		})
	}
	if !listed {
		return nil
	}
	for _, l := range lines {
		for _, name := range otherMarks {
			if strings.Contains(strings.ToUpper(l.Text), name) {
				return nil
			}
		}
	}
	return r.standing(func(c rune) rune {
		if unicode.IsLetter(c) && !strings.ContainsRune(own, c) {
			return baseOf(c)
		}
		return c
	})
}

// mayHaveDots reports whether a language of a state has İ, or none has an accent on a capital I.
func mayHaveDots(state string) bool {
	letters := lettersOf(state)
	return strings.ContainsRune(letters, 'İ') || !strings.ContainsAny(letters, accented)
}

// haveDots reports whether enough lines have a letter of a language with İ, each read with high confidence.
func haveDots(lines []Line) bool {
	n := 0
	for _, l := range lines {
		for i, c := range []rune(l.Text) {
			if strings.ContainsRune(dotted, c) && i < len(l.Chars) && l.Chars[i] > otherSure {
				n++
				break
			}
		}
	}
	return n >= dottedLines
}

// standing maps each class to the class of another character, or to itself if the reader has no class for that character.
func (r reader) standing(of func(rune) rune) []int {
	class := map[rune]int{}
	for i, c := range r.Dictionary {
		class[c] = i
	}
	out := make([]int, len(r.Dictionary))
	for i, c := range r.Dictionary {
		out[i] = i
		if to, ok := class[of(c)]; ok {
			out[i] = to
		}
	}
	return out
}

// baseOf is a letter without its mark.
func baseOf(c rune) rune { return []rune(norm.NFD.String(string(c)))[0] }

// unmarked gives what speaks for letters with marks to those that they stand for.
func unmarked(scores []float32, to []int) {
	const never = -1e9
	for from := 0; len(to) > 0 && from+len(to) <= len(scores); from += len(to) {
		row := scores[from : from+len(to)]
		for i, k := range to {
			if k != i {
				a, b := float64(max(row[i], row[k])), float64(min(row[i], row[k]))
				row[k], row[i] = float32(a+math.Log1p(math.Exp(b-a))), never
			}
		}
	}
}
