package optical

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

// otherMarks are parts of the USA that do print marks, as their cards say.
var otherMarks = []string{"HAWAI", "PUERTO RICO", "GUAM"}

// marksOf says for each class which one a letter with a mark stands for that the page's issuer does not print, itself where it does;
// nil where nothing is known of the issuer's.
func (r textReader) marksOf(issuer string, lines []line) []int {
	own, listed := ownMarks[issuer]
	if !listed {
		return nil
	}
	for _, l := range lines {
		for _, name := range otherMarks {
			if strings.Contains(strings.ToUpper(l.text), name) {
				return nil
			}
		}
	}
	class := map[rune]int{}
	for i, c := range r.dict {
		class[c] = i
	}
	out := make([]int, len(r.dict))
	for i, c := range r.dict {
		out[i] = i
		base := baseOf(c)
		if to, ok := class[base]; ok && base != c && unicode.IsLetter(c) && !strings.ContainsRune(own, c) {
			out[i] = to
		}
	}
	return out
}

// A crop that is too low cuts the marks off letters, surely so, and none puts a mark on a letter without one: what is read above or
// below a letter in some crops counts before nothing in more of them.
const (
	markSure = 0.65 // how surely a letter must have been read with a mark, whichever mark it is,
	markSeen = 2    // in so many crops
)

// marked is a reading with the marks that other readings of the same letters have where it has none.
func (p printed) marked(seen []printed) printed {
	type votes struct {
		count int
		sum   map[rune]float64
	}
	runes := []rune(p.text)
	with := make([]votes, len(runes))
	for _, o := range seen {
		others := []rune(o.text)
		if len(others) != len(runes) || len(o.chars) != len(runes) || unmarkedText(o.text) != unmarkedText(p.text) {
			continue
		}
		for i, c := range others {
			if c == runes[i] || baseOf(runes[i]) != runes[i] || o.chars[i] < markSure {
				continue
			}
			if with[i].sum == nil {
				with[i].sum = map[rune]float64{}
			}
			with[i].count++
			with[i].sum[c] += o.chars[i]
		}
	}
	out, chars := slices.Clone(runes), slices.Clone(p.chars)
	for i, v := range with {
		if v.count < markSeen {
			continue
		}
		most := 0.0
		for c, sum := range v.sum {
			if sum > most || sum == most && c < out[i] {
				out[i], most = c, sum
			}
		}
		chars[i] = most / float64(v.count)
	}
	return printed{chars: chars, at: p.at}.of(out)
}

// baseOf is a letter without its mark.
func baseOf(c rune) rune { return []rune(norm.NFD.String(string(c)))[0] }

func unmarkedText(s string) string {
	return strings.Map(baseOf, s)
}

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
