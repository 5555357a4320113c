package names

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Arabic and Hebrew write consonants. What one letter is in Latin depends on who writes it: ش is sh in English and ch in French, ظ
// is z in Persian and dh in Arabic, ج is g in Egypt and dj in Algeria. A word in such a script is therefore compared with a Latin
// one letter by letter, by what each letter may be there, and not by one romanisation of it.

// seam marks where two words were joined. An article, a doubled consonant or nothing may stand there: نور الدين is nuraldin,
// noureddine and nurudin. No folded word has this letter otherwise.
const seam = 'ـ'

// letter is what a letter of an abjad may be in Latin.
type letter struct {
	readings []reading
	omitted  float64  // the cost of leaving it out
	keys     []string // groups of consonants under which it is found (see class), empty for none
	groups   string   // the same, if the letter is a consonant that cannot be left out
}

// reading is what a letter may be in Latin, at a cost.
type reading struct {
	latin string
	cost  float64
}

// Costs of comparing an abjad's word with a Latin one, in consonants.
const (
	costSeldom    = 0.05
	costRare      = 0.3  // a consonant for another of its group
	costUnwritten = 0.03 // a vowel that is not written
	costBreath    = 0.15 // an h that is only on one side
	costGlide     = 0.2  // a w or v that is not written
	costArticle   = 0.1  // al- or el- grown to the Latin word
	costTwice     = 0.05 // a letter twice or once
	costUnheard   = 1.
)

// abjads are the letters of Arabic, as the languages that use it are romanised by ALA-LC, by newspapers and in French, and of Hebrew.
// A line has the letter, its usual readings, seldom ones, and the groups of consonants.
var abjads = letters(`
	ا a,aa | e,i,o,u | -
	ب b | p | b
	پ p | b,f | b
	ت t | | t
	ث th,s | t | t,s
	ج j,dj,dsch,dzh,dj | g,zh,gh | s,k
	چ ch,tsch,tch | c,j,sh | s
	ح h | kh | -
	خ kh | h,ch,x,k | -,k
	د d | t | t
	ذ dh,z | d,th | s,t
	ر r | | r
	ز z | s | s
	ژ zh,j | z | s
	س s | c,z | s
	ش sh,ch,sch | s | s
	ص s | c,z | s
	ض d,dh,z | dz | t,s
	ط t | d | t
	ظ z,dh | th,d | s,t
	ع | a,e,i,o,u | -
	غ gh | g,kh,q,k | k
	ف f,ph | v,p | f
	ق q,k,qu | g,gh,c,ck,kh | k
	ك k | c,q,ck,g,kh | k
	گ g | gh,k | k
	ل l | | l
	م m | | m
	ن n | m | n
	ه h | t | -
	و w,v,u,ou,oo | o,au | -,f
	ي y,i,ee | e,j,ie | -
	ٹ t | | t
	ڈ d | | t
	ڑ r | d | r
	ں n | | n
	ځ z,dz | j | s
	څ ts | s,c,tz | s
	ډ d | | t
	ړ r | d | r
	ښ sh,kh,x | s | s
	ږ zh,g | z,j | s,k
	ڼ n | | n
	ټ t | | t
	ڤ v | f | f
	ۆ o,u | w | -
	ێ e,i | y | -
	ڕ r | | r
	ڵ l | | l
	ە e,a | | -
	ـ al,el,ul,ol,il | u,i,e,o | -
	א a | e,i,o,u | -
	ב b,v | | b,f
	ג g | j,gh | k
	ד d | | t
	ה h | | -
	ו v,w,o,u | ou | -,f
	ז z | s,zh | s
	ח h,ch | kh,x | -
	ט t | th | t
	י y,i | e,j | -
	כ k,ch,kh | c,h | k
	ך k,ch,kh | c,h | k
	ל l | | l
	מ m | | m
	ם m | | m
	נ n | | n
	ן n | | n
	ס s | z | s
	ע | a,e,i,o,u | -
	פ p,f,ph | | b,f
	ף p,f,ph | | b,f
	צ ts,tz,z | s,c,ch | s
	ץ ts,tz,z | s,c,ch | s
	ק k | c,q,ck | k
	ר r | | r
	ש sh,s,sch | ch | s
	ת t,th | | t
`)

// weak letters may be left out, at a cost of their own.
var weak = map[rune]float64{
	'ا': 0.1, 'ع': 0, 'ه': costBreath, 'ح': costBreath, 'و': 0.3, 'ي': 0.3, 'ں': 0.1, 'ۆ': 0.1, 'ێ': 0.1, 'ە': 0.05, seam: 0,
	'א': 0.05, 'ה': 0.08, 'ו': 0.2, 'י': 0.2, 'ע': 0,
}

func letters(table string) map[rune]letter {
	out := map[rune]letter{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		r, size := utf8.DecodeRuneInString(columns[0])
		columns[0] = columns[0][size:]
		l := letter{omitted: costUnheard}
		for i, cost := range []float64{0, costSeldom} {
			for _, text := range list(columns[i]) {
				l.readings = append(l.readings, reading{text, cost})
			}
		}
		for _, k := range list(columns[2]) {
			l.keys = append(l.keys, strings.Trim(k, "-"))
		}
		if c, ok := weak[r]; ok {
			l.omitted = c
		} else {
			l.groups = strings.Join(l.keys, "")
		}
		out[r] = l
	}
	return out
}

// list separates at commas.
func list(s string) []string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// inAbjad reports whether a folded word is in a script that writes consonants.
func inAbjad(folded string) bool {
	r, _ := utf8.DecodeRuneInString(folded)
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Arabic, unicode.Hebrew)
}

// mostKeys bounds the keys of one token.
const mostKeys = 6

// abjadKeys are the keys of a word in an abjad, by every reading of its letters that belongs to another group of consonants.
func abjadKeys(folded string) []string {
	out := []string{""}
	for _, r := range folded {
		var longer []string
		for i := range max(1, len(abjads[r].keys)) {
			for _, k := range out {
				if len(abjads[r].keys) > 0 {
					k += abjads[r].keys[i]
				}
				longer = append(longer, k)
			}
		}
		out = longer[:min(len(longer), mostKeys)]
	}
	for i, k := range out {
		if len(k) < 2 {
			out[i] = k + "="
		}
	}
	return out
}

// consonants counts the letters of a word that cannot be left out.
func consonants(folded string) int {
	n := 0
	for _, r := range folded {
		if l, ok := abjads[r]; ok && l.omitted == costUnheard {
			n++
		}
	}
	return n
}

// longestBones is the longest word that is compared letter by letter.
const longestBones = 30

// row are the costs of having read some letters, by how much of the Latin word they were.
type row [longestBones + 1]float64

// read is the cost of reading a word in an abjad as the Latin word, 0 where each letter has its usual form and no vowel is missing; or
// costBeyond where it is more than most.
func read(folded []rune, latin string, most float64) float64 {
	n, m := len(folded), len(latin)
	if n > longestBones || m > longestBones {
		return costBeyond
	}
	var store [2]row
	here, next := &store[0], &store[1]
	for j := range m + 1 {
		here[j] = costBeyond
	}
	here[0] = 0
	if m >= 5 && latin[1] == 'l' && strings.IndexByte("aeu", latin[0]) >= 0 {
		here[2] = costArticle
	}
	for i := range n + 1 {
		least := costBeyond
		for j := range m + 1 {
			next[j] = costBeyond
		}
		for j := range m + 1 {
			if here[j] > most {
				continue
			}
			least = min(least, here[j])
			if j < m {
				here[j+1] = min(here[j+1], here[j]+unwrittenAt(latin, j))
			}
			if i < n {
				readLetter(folded, i, latin, j, here[j], next)
			}
		}
		if least > most {
			return costBeyond
		}
		here, next = next, here
	}
	return next[m]
}

// readLetter enters what the letter at i costs in all its readings that the Latin word has at j.
func readLetter(folded []rune, i int, latin string, j int, so float64, next *row) {
	l := abjads[folded[i]]
	next[j] = min(next[j], so+omitted(folded, i, l))
	if folded[i] == 'ي' && i == len(folded)-1 && j < len(latin) && latin[j] == 'a' { // many write a final ى as ي
		next[j+1] = min(next[j+1], so+costSeldom)
	}
	for _, r := range l.readings {
		if strings.HasPrefix(latin[j:], r.latin) {
			next[j+len(r.latin)] = min(next[j+len(r.latin)], so+r.cost)
		}
	}
	if j < len(latin) && class[latin[j]] != 0 && strings.IndexByte(l.groups, class[latin[j]]) >= 0 {
		next[j+1] = min(next[j+1], so+costRare)
	}
}

// omitted is the cost of leaving out the letter at i. The second of two, and the l of an article within a word, may be left out.
func omitted(folded []rune, i int, l letter) float64 {
	switch {
	case i > 0 && folded[i] == folded[i-1]:
		return min(l.omitted, costTwice)
	case folded[i] == 'ل' && i >= 3 && folded[i-1] == 'ا' && i < len(folded)-2:
		return min(l.omitted, costArticle)
	}
	return l.omitted
}

// unwrittenAt is the cost of a Latin letter that an abjad does not write.
func unwrittenAt(latin string, j int) float64 {
	c := latin[j]
	switch {
	case j > 0 && latin[j-1] == c:
		return 0
	case isVowel(rune(c)) && j > 0 && isVowel(rune(latin[j-1])):
		return costUnwritten / 2
	case isVowel(rune(c)):
		return costUnwritten
	case c == 'h':
		return costBreath
	case c == 'v' || c == 'w':
		return costGlide
	}
	return costUnheard
}
