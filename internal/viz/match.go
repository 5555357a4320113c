package viz

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// longestLabel is how many words a label may have.
const longestLabel = 8

// match is a label found in a line's words.
type match struct {
	label label
	words int // how many it takes
	off   int // letters that were read differently
}

// allowed is by how many letters a reading may differ from a label of that length.
func allowed(n int) int {
	switch {
	case n < 6:
		return 0
	case n < 12:
		return 1
	case n < 20:
		return 2
	}
	return 3
}

// matchLabel finds the label that begins the words, of which it takes at most so many: the longest, of those the likeliest.
// Two facts that fit equally badly are none.
func matchLabel(lexicon []label, words []word, most int) (match, bool) {
	for n := min(longestLabel, len(words), max(1, most)); n > 0; n-- {
		text, sure := joined(words[:n]), joinedSurely(words[:n])
		if n == 1 && frenchPlace(words) {
			return match{label: label{fact: placeOfBirth, lang: "fr", text: text}, words: 1}, true
		}
		if len(text) < 2 {
			continue
		}
		m, ok := nearestLabel(lexicon, text)
		if !ok && len(sure) >= 3 && len(sure) >= len(text)/2 && sure != text {
			m, ok = nearestLabel(lexicon, sure)
		}
		if !ok {
			m, ok = beginsLabel(lexicon, text)
		} else if l, whole := nearlyWhole(lexicon, text); whole && m.off > 0 && len(l.text)-len(text) <= m.off {
			m = match{label: l, off: len(l.text) - len(text)} // the end of NATIONALITY was not read: NATIONALIT is no NATIONAL ID
		}
		if ok && !strayBefore(lexicon, words[:n], m) {
			m.words = n
			return withoutValue(lexicon, words, m), true
		}
	}
	return match{}, false
}

// frenchPlace reports whether the first word is the label of the birthplace on French cards, à : PARIS. An à with its accent is one
// though the colon was read as another sign.
func frenchPlace(words []word) bool {
	if len(words) < 2 {
		return false
	}
	signs := ":"
	if words[0].text == "à" {
		signs = ":;."
	}
	return slices.Contains([]string{"à", "á", "â", "a"}, words[0].text) && strings.ContainsAny(words[1].before, signs)
}

// strayBefore reports whether a label fits better without its first word of one letter: that is the value of the label before
// (SEX: M NATIONALITY).
func strayBefore(lexicon []label, words []word, m match) bool {
	if m.off == 0 || len(words) < 2 || len(words[0].plain) != 1 {
		return false
	}
	less, ok := nearestLabel(lexicon, joined(words[1:]))
	return ok && less.off < m.off && less.label.fact == m.label.fact
}

// withoutValue gives back the last words of a label that are no more than the letters by which it differs: the LI of
// SURNAME LI is a name, and the ST of FAMILY NAME ST. JOHN no T behind FAMILY NAMES. So is the code of a state behind Nationalité,
// which with it nearly is the label in another language.
func withoutValue(lexicon []label, words []word, m match) match {
	all := len(joined(words[:m.words]))
	for n := m.words - 1; n > 0 && m.off > 0; n-- {
		text := joined(words[:n])
		more := all - len(text)
		if more > m.off+1 {
			break
		}
		less, ok := nearestLabel(lexicon, text)
		if ok && less.label.fact == m.label.fact && (less.off+more <= m.off || less.off == 0 && (more == 2 || more == 3 && isNation(m, words[m.words-1]))) {
			less.words = n
			return less
		}
	}
	return m
}

// joined are the letters of words. A digit between letters is a letter misread, and one difference; words of digits
// alone are no part of a label, except for what an ordinal sign is read as.
func joined(words []word) string {
	var b strings.Builder
	for _, w := range words {
		if w.plain == "" || fieldNumber(w.text) || strings.ContainsAny(w.text, "0123456789") && len(w.plain) < len([]rune(w.text))-1 {
			return ""
		}
		if plain := w.plain; len([]rune(w.text)) == len(plain)+1 && strings.ContainsAny(w.text, "0158") {
			b.WriteString(lettered(w.text))
			continue
		}
		b.WriteString(w.plain)
	}
	return b.String()
}

// misreadLetters are the letters as whose digits readers answer them in words.
var misreadLetters = strings.NewReplacer("0", "O", "1", "I", "5", "S", "8", "B")

// lettered are the letters of a word, its digits read as the letters of their shapes: D0B, 5EX.
func lettered(text string) string { return letters(misreadLetters.Replace(text)) }

// longBeginning is how many letters of a label name its fact, though its end was not read; shortBeginning where that are two
// letters at most.
const (
	longBeginning  = 9
	shortBeginning = 6
)

// beginsLabel finds the fact whose labels alone begin so. The beginning of a title is none.
func beginsLabel(lexicon []label, text string) (match, bool) {
	if len(text) < shortBeginning || slices.ContainsFunc(titleWords, func(t title) bool { return strings.HasPrefix(t.text, text) }) {
		return match{}, false
	}
	var found match
	close := len(text) >= longBeginning
	if l, ok := nearlyWhole(lexicon, text); ok {
		return match{label: l, off: len(l.text) - len(text)}, true
	}
	for _, l := range lexicon {
		if !strings.HasPrefix(l.text, text) {
			continue
		}
		if found.label.text != "" && found.label.fact != l.fact {
			return match{}, false
		}
		found = match{label: l, off: len(l.text) - len(text)}
		close = close || found.off <= 2
	}
	return found, found.label.text != "" && close
}

// nearlyWhole is the one label of which a text is all but the last letter or two, though longer ones begin so, too.
func nearlyWhole(lexicon []label, text string) (label, bool) {
	var found label
	for _, l := range lexicon {
		if len(l.text)-len(text) > 2 || len(text) < longBeginning || !strings.HasPrefix(l.text, text) {
			continue
		}
		if found.text != "" && found.fact != l.fact {
			return label{}, false
		}
		if found.text == "" { // the shortest: the lexicon is in that order
			found = l
		}
	}
	return found, found.text != ""
}

// joinedSurely are the letters that the reader was sure of.
func joinedSurely(words []word) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.surely)
	}
	return b.String()
}

func nearestLabel(lexicon []label, text string) (match, bool) {
	rough := smudged(text)
	bag := bagOf(rough)
	most := allowed(len(text) + 1)
	from, _ := slices.BinarySearchFunc(lexicon, len(text)-2, func(l label, n int) int { return cmp.Compare(len(l.text), n) })
	best, tie := match{off: most + 1}, false
	for _, l := range lexicon[from:] {
		if len(l.text) > len(text)+2 {
			break
		}
		limit := min(allowed(len(l.text)), best.off)
		if l.text != text && strings.HasPrefix(l.text, text) {
			continue // "PASSPORT" is not "PASSPORT N" with a letter lost
		}
		if bits.OnesCount32(bag^l.bag) > 2*limit+2 { // RN and M
			continue
		}
		off := Distance(rough, l.rough, limit)
		if off > 0 && (rough != text || l.rough != l.text) {
			off = min(off, Distance(text, l.text, limit))
		}
		switch {
		case off > limit:
		case off < best.off:
			best, tie = match{label: l, off: off}, false
		case off == best.off && l.fact != best.label.fact:
			tie = true
		}
	}
	return best, best.off <= most && !tie && best.label.text != ""
}
