package names

import (
	"strings"
	"sync"
)

// Korean syllables are romanised by the revised system (Seong, Cheol), by McCune and Reischauer's without its marks (Song, Chol), and
// as their bearers think that English spells them (Sung, Chul). One Latin vowel may be several Korean ones.

// koreanVowels are what a vowel in Latin letters may be, one sign for each Korean vowel.
var koreanVowels = map[string]string{
	"a": "a", "ah": "a", "ya": "Ya", "o": "oO", "oh": "o", "eo": "O", "u": "uOU", "oo": "u", "eu": "U", "ou": "O", "i": "i", "ee": "i", "e": "eE", "ae": "E",
	"ai": "E", "yo": "yY", "yu": "vY", "yoo": "v", "yeo": "Y", "you": "Yv", "yeu": "Y",
	"wa": "w", "wo": "W", "weo": "W", "woo": "u", "wu": "u", "wi": "q", "ui": "xq",
	"eui": "x", "uy": "x", "oe": "z", "oi": "z", "ye": "Z", "yae": "Z", "wae": "z", "we": "z", "yi": "ix",
}

// koreanInitials are the consonants that begin a syllable, as what sounds alike.
var koreanInitials = map[string]string{
	"": "", "k": "k", "g": "k", "kk": "k", "t": "t", "d": "t", "p": "p", "b": "p", "ch": "c", "j": "c", "s": "s", "sh": "s", "n": "n", "m": "m",
	"r": "r", "l": "r", "rh": "r", "h": "h",
}

// koreanFinals are the consonants that end a syllable.
var koreanFinals = map[string]string{"": "", "n": "n", "m": "m", "ng": "g", "k": "k", "g": "k", "l": "l", "p": "p", "b": "p", "t": "t", "d": "t"}

// koreanSyllable is a syllable by what it may be.
type koreanSyllable struct {
	initial, final string
	vowels         string
}

// koreanSyllables are all syllables by how they may be spelled.
var koreanSyllables = sync.OnceValue(makeKoreanSyllables)

// makeKoreanSyllables makes the table, the same each time: a vowel of the table that ends in h goes before one that an h makes longer.
func makeKoreanSyllables() map[string]koreanSyllable {
	out := map[string]koreanSyllable{}
	for _, long := range []string{"", "h"} {
		for i, initial := range koreanInitials {
			for v, vowels := range koreanVowels {
				for f, final := range koreanFinals {
					w := i + v + long + f
					if _, taken := out[w]; !taken && len(w) > 1 && len(w) <= longestSyllable+1 {
						out[w] = koreanSyllable{initial, final, vowels}
					}
				}
			}
		}
	}
	return out
}

// koreanEnds are the letters that end a syllable, as what sounds alike; a letter that ends none is 0.
var koreanEnds = func() (out [256]byte) {
	for _, c := range "aeiouh" {
		out[c] = 'a'
	}
	for f, is := range koreanFinals {
		if f != "" && out[f[len(f)-1]] == 0 {
			out[f[len(f)-1]] = is[0]
		}
	}
	out['g'], out['k'] = 'k', 'k' // ng ends so, too
	return out
}()

// oneKorean reports whether two words may be one Korean syllable in two romanisations.
func oneKorean(a, b string) bool {
	if len(a) < 2 || len(b) < 2 || len(a) > longestSyllable+1 || len(b) > longestSyllable+1 {
		return false
	}
	if x, y := koreanEnds[a[len(a)-1]], koreanEnds[b[len(b)-1]]; x != y || x == 0 { // rules out most pairs at once
		return false
	}
	x, ok := koreanSyllables()[a]
	if !ok {
		return false
	}
	y, ok := koreanSyllables()[b]
	return ok && x.initial == y.initial && x.final == y.final && strings.ContainsAny(x.vowels, y.vowels)
}

// longestKorean is the longest Korean given name, in letters.
const longestKorean = 14

// koreanName reports whether two words may be Korean names of the same syllables.
func koreanName(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	if len(a) > longestKorean || len(b) > longestKorean {
		return false
	}
	for i := min(len(a), longestSyllable+1); i > 1; i-- {
		for j := min(len(b), longestSyllable+1); j > 1; j-- {
			if oneKorean(a[:i], b[:j]) && koreanName(a[i:], b[j:]) {
				return true
			}
		}
	}
	return false
}
