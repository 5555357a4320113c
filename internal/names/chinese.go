package names

import (
	"slices"
	"strings"
	"sync"
)

// Chinese names are written in syllables, and each romanisation spells them in its own way: what is Xu Zhiming in pinyin is Hsü
// Chih-ming in Wade and Giles's, most often without its apostrophes and dots. One syllable that is another makes another name,
// however many letters both words have in common: Jianguo is not Jianhua.

// pinyinFinals are the finals that follow each initial.
const pinyinFinals = `
	- a ai an ang ao e en er o ou
	b a ai an ang ao ei en eng i ian iao ie in ing o u
	p a ai an ang ao ei en eng i ian iao ie in ing o ou u
	m a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u
	f a an ang ei en eng o ou u
	d a ai an ang ao e ei eng i ian iao ie ing iu ong ou u uan ui un uo
	t a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo
	n a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo
	l a ai an ang ao e ei eng i ian iang iao ie in ing iu ong ou u uan un uo v
	g a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo
	k a ai an ang ao e en eng ong ou u ua uai uan uang ui un uo
	h a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo
	j i ia ian iang iao ie in ing iong iu u uan ue un
	q i ia ian iang iao ie in ing iong iu u uan ue un
	x i ia ian iang iao ie in ing iong iu u uan ue un
	zh a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo
	ch a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo
	sh a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo
	r an ang ao e en eng i ong ou u uan ui un uo
	z a ai an ang ao e ei en eng i ong ou u uan ui un uo
	c a ai an ang ao e en eng i ong ou u uan ui un uo
	s a ai an ang ao e en eng i ong ou u uan ui un uo
	y a an ang ao e i in ing ong ou u uan ue un
	w a ai an ang ei en eng o u
`

// longestSyllable is the longest syllable of either romanisation, in letters.
const longestSyllable = 6

// chinese are the syllables of pinyin, and those of Wade and Giles with what they may be in pinyin.
type chinese struct {
	pinyin map[string]bool
	giles  map[string][]string
}

var syllabary = sync.OnceValue(func() chinese {
	c := chinese{map[string]bool{}, map[string][]string{}}
	for line := range strings.Lines(strings.TrimSpace(pinyinFinals)) {
		columns := strings.Fields(line)
		for _, final := range columns[1:] {
			s := strings.Trim(columns[0], "-") + final
			c.pinyin[s] = true
			for _, g := range gilesOf(strings.Trim(columns[0], "-"), final) {
				c.giles[g] = append(c.giles[g], s)
			}
		}
	}
	return c
})

// gilesInitials are the initials that Wade and Giles write otherwise, without the apostrophes that most texts leave out.
var gilesInitials = map[string]string{
	"b": "p", "d": "t", "g": "k", "j": "ch", "q": "ch", "zh": "ch", "x": "hs", "z": "ts", "c": "ts", "r": "j",
}

// gilesWhole are the syllables that they write otherwise as a whole.
var gilesWhole = map[string][]string{
	"zhi": {"chih"}, "chi": {"chih"}, "shi": {"shih"}, "ri": {"jih"}, "zi": {"tzu"}, "ci": {"tzu"}, "si": {"ssu", "szu"}, "yi": {"i", "yi"},
	"you": {"yu"}, "yan": {"yen"}, "ye": {"yeh"}, "yue": {"yueh"}, "yong": {"yung"}, "er": {"erh"}, "ge": {"ko"}, "ke": {"ko"}, "he": {"ho"},
	"gui": {"kuei"}, "kui": {"kuei"}, "lv": {"lu"},
}

// gilesOf returns how Wade and Giles write a syllable.
func gilesOf(initial, final string) []string {
	if w, ok := gilesWhole[initial+final]; ok {
		return w
	}
	if i, ok := gilesInitials[initial]; ok {
		initial = i
	}
	switch {
	case final == "ie", final == "ue":
		final += "h"
	case final == "ian":
		final = "ien"
	case final == "ong":
		final = "ung"
	case final == "iong":
		final = "iung"
	case final == "uo" && initial != "k" && initial != "h" && initial != "sh":
		final = "o"
	}
	return []string{initial + final}
}

// romanised reports whether a word in the romanisation of Wade and Giles is the other one in pinyin.
func romanised(giles, pinyin string) bool {
	if giles == "" || pinyin == "" {
		return giles == pinyin
	}
	for n := min(longestSyllable, len(giles)); n >= 1; n-- {
		for _, p := range syllabary().giles[giles[:n]] {
			if rest, ok := strings.CutPrefix(pinyin, p); ok && romanised(giles[n:], rest) {
				return true
			}
		}
	}
	return false
}

// longestChinese is the longest word that is read as Chinese syllables.
const longestChinese = 20

// gilesBegins and gilesEnds are with which letters of pinyin a word of Wade and Giles's begins and ends, by the letter there.
var gilesBegins, gilesEnds = func() (begins, ends [256]string) {
	for giles, all := range syllabary().giles {
		for _, p := range all {
			begins[giles[0]] += p[:1]
			ends[giles[len(giles)-1]] += p[len(p)-1:]
		}
	}
	for i := range begins {
		begins[i], ends[i] = distinct(begins[i]), distinct(ends[i])
	}
	return begins, ends
}()

// distinct leaves each letter once.
func distinct(letters string) string {
	out := []byte(letters)
	slices.Sort(out)
	return string(slices.Compact(out))
}

// oneRomanisation reports whether two words are one Chinese name in two romanisations.
func oneRomanisation(a, b string) bool { return mayBeRomanised(a, b) || mayBeRomanised(b, a) }

func mayBeRomanised(giles, pinyin string) bool {
	n, m := len(giles), len(pinyin)
	return n > 0 && m > 0 && n <= longestChinese && m <= longestChinese && strings.IndexByte(gilesBegins[giles[0]], pinyin[0]) >= 0 &&
		strings.IndexByte(gilesEnds[giles[n-1]], pinyin[m-1]) >= 0 && romanised(giles, pinyin)
}

// mayEndSyllable rules out most words of other languages.
func mayEndSyllable(w string) bool {
	return w != "" && strings.IndexByte("aeiounghrv", w[len(w)-1]) >= 0
}

// inSyllables cuts a word into the syllables of a set, none where it has others.
func inSyllables(w string, is func(string) bool) []string {
	if w == "" {
		return []string{}
	}
	for n := min(longestSyllable, len(w)); n >= 1; n-- {
		if !is(w[:n]) {
			continue
		}
		if more := inSyllables(w[n:], is); more != nil {
			return append([]string{w[:n]}, more...)
		}
	}
	return nil
}

func pinyinOf(w string) []string {
	if len(w) > longestChinese || !mayEndSyllable(w) {
		return nil
	}
	return inSyllables(w, func(s string) bool { return syllabary().pinyin[s] })
}

// onlyChinese reports whether one of the syllables is seldom one of another language.
func onlyChinese(syllables []string) bool {
	return slices.ContainsFunc(syllables, func(s string) bool {
		return strings.HasSuffix(s, "ng") || strings.HasPrefix(s, "zh") || strings.HasPrefix(s, "x") || strings.HasPrefix(s, "q") ||
			strings.HasSuffix(s, "uo") || strings.HasSuffix(s, "iao") || strings.HasSuffix(s, "ui") || strings.HasSuffix(s, "ua") ||
			strings.HasSuffix(s, "uan") || strings.HasSuffix(s, "ian")
	})
}

// anotherSyllable reports whether two names of at least two Chinese syllables differ in one.
func anotherSyllable(a, b string) bool {
	x := pinyinOf(a)
	if len(x) < 2 || !onlyChinese(x) {
		return false
	}
	y := pinyinOf(b)
	if len(y) != len(x) || !onlyChinese(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && likeness(x[i], y[i]) < leastLikeness {
			return true
		}
	}
	return false
}

// pinyinSound has the initials that only pinyin spells so, as other romanisations sound.
func pinyinSound(w string) (string, bool) {
	syllables := pinyinOf(w)
	if !slices.ContainsFunc(syllables, func(s string) bool { return strings.IndexByte("qxc", s[0]) >= 0 && !strings.HasPrefix(s, "ch") }) {
		return "", false
	}
	var b strings.Builder
	for _, s := range syllables {
		if strings.IndexByte("qxc", s[0]) >= 0 && !strings.HasPrefix(s, "ch") {
			s = "s" + s[1:]
		}
		b.WriteString(s)
	}
	return sound(b.String()), true
}

// isSyllabic reports whether a word may be a Chinese or Korean name in some romanisation.
func isSyllabic(w string) bool {
	if len(w) > longestChinese {
		return false
	}
	if _, ok := koreanSyllables()[w]; ok {
		return true
	}
	return mayEndSyllable(w) && inSyllables(w, func(s string) bool { return syllabary().pinyin[s] || syllabary().giles[s] != nil }) != nil
}
