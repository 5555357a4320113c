package viz

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// splitLabels cuts words in which the reader lost the space after a label: "SurnameERIKSSON" is cut by its letters' case
// already, "SURNAMENOM" is cut here, the NOMLINDQVIST of NAME/NOMLINDQVIST, and on North American cards 15SEX.
func splitLabels(lexicon []label, words []word, american bool) []word {
	var out []word
	words = splitHyphens(lexicon, words)
	for i := range words {
		w := words[i]
		if i+1 < len(words) && strokeLost(lexicon, w, words[i+1]) {
			w, _ = w.cut(len([]rune(w.text)) - 1)
			words = slices.Clone(words)
			words[i+1].before = "/"
		}
		if american {
			if n := numberBefore(lexicon, w); n > 0 {
				number, rest := w.cut(n)
				out = append(out, number)
				w = rest
			}
		}
		if n := len(out); n > 0 && strings.Contains(w.before, "/") {
			if at := valueAfter(lexicon, out[n-1], w); at > 0 {
				label, value := w.cut(at)
				out = append(out, label, value)
				continue
			}
		}
		if len(w.plain) < 6 {
			out = append(out, w)
			continue
		}
		if _, ok := nearestLabel(lexicon, w.plain); ok {
			out = append(out, w)
			continue
		}
		out = append(out, splitWord(lexicon, w)...)
	}
	return out
}

// numberBefore is the length of a field's number that runs into its label, 0 for none.
func numberBefore(lexicon []label, w word) int {
	n := len(w.text) - len(strings.TrimLeft(w.text, "0123456789"))
	for _, cut := range [2]int{n, n + 1} { // 15SEX, 4aISS
		if n == 3 && cut == n { // 155EX
			cut = 2
		}
		if n == 0 || cut > 3 || n > 2 && cut != 2 || cut+2 > len(w.text) || cut > n && !strings.ContainsRune("abcdABCD", rune(w.text[n])) {
			continue
		}
		if m, ok := nearestLabel(lexicon, lettered(w.text[cut:])); ok && m.off == 0 {
			return cut
		}
	}
	if rest := letters(w.text); n == 1 && len(rest) >= 4 && len(rest)+n == len(w.text) { // 2GVEN NAMES
		return n
	}
	return 0
}

// valueAfter is where, in a word after a stroke, the label of the word before ends in another language and a value follows
// without a space; 0 for nowhere.
func valueAfter(lexicon []label, before, w word) int {
	first, ok := nearestLabel(lexicon, before.plain)
	if !ok || first.label.pure {
		return 0
	}
	if _, ok := nearestLabel(lexicon, w.plain); ok {
		return 0
	}
	runes := []rune(w.text)
	if last := len(runes) - 1; first.label.fact == sex && last >= 3 && strings.ContainsRune("MFX", runes[last]) && isLabel(lexicon, letters(string(runes[:last]))) {
		return last
	}
	for cut := len(runes) - 2; cut >= 3; cut-- {
		m, ok := nearestLabel(lexicon, letters(string(runes[:cut])))
		if ok && m.off == 0 && (m.label.fact == first.label.fact || sameName(m.label.fact, first.label.fact)) {
			return cut
		}
	}
	return 0
}

// cut makes two words of one, the first of so many runes.
func (w word) cut(n int) (first, second word) {
	runes := []rune(w.text)
	first, second = w, w
	middle := w.x0 + (w.x1-w.x0)*float64(n)/float64(len(runes))
	first.to, first.text, first.plain, first.surely, first.x1 = w.from+n, string(runes[:n]), letters(string(runes[:n])), letters(string(runes[:n])), middle
	second.from, second.text, second.plain, second.surely, second.x0, second.before = w.from+n, string(runes[n:]), letters(string(runes[n:])), letters(string(runes[n:])), middle, ""
	return first, second
}

// splitWord cuts a word that is two labels run together, or two words of labels with the stroke between them misread.
func splitWord(lexicon []label, w word) []word {
	if out := splitStroke(w); out != nil {
		return out
	}
	runes := []rune(w.text)
	for cut := len(runes) - 3; cut >= 3; cut-- {
		first, second := w.cut(cut)
		if !isLabel(lexicon, first.plain) {
			continue
		}
		if isLabel(lexicon, second.plain) {
			return []word{first, second}
		}
		if strings.ContainsRune("Il1|", runes[cut]) && len(runes)-cut > 3 { // the stroke between them, misread
			if _, second = second.cut(1); isLabel(lexicon, second.plain) {
				second.before = "/"
				return []word{first, second}
			}
		}
	}
	return []word{w}
}

// splitStroke cuts a word that is two words of labels with one sign between them, which was a stroke: NASCITAFDATE.
func splitStroke(w word) []word {
	runes := []rune(w.text)
	known := labelVocabulary()
	if known[w.plain] {
		return nil
	}
	for cut := len(runes) - 1 - strokeWord; cut >= strokeWord; cut-- {
		first, rest := w.cut(cut)
		if !known[first.plain] {
			continue
		}
		if _, second := rest.cut(1); known[second.plain] {
			second.before = "/"
			return []word{first, second}
		}
	}
	return nil
}

// strokeLost reports whether a word is a short label with one sign more, and what follows it without a space is the same label
// in another language: OdlFrom, whose stroke was misread.
func strokeLost(lexicon []label, w, next word) bool {
	n := len([]rune(w.text)) - 1
	if n < 2 || next.before != "" {
		return false
	}
	first, _ := w.cut(n)
	a, ok := nearestLabel(lexicon, first.plain)
	b, ok2 := nearestLabel(lexicon, next.plain)
	return ok && ok2 && a.off+b.off == 0 && a.label.fact == b.label.fact
}

// strokeWord is how many letters each of two words has at least that a misread stroke joined.
const strokeWord = 4

// labelVocabulary are the words of labels, of so many letters at least.
var labelVocabulary = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, row := range slices.Concat(nameLabels, dateLabels, codeLabels, otherLabels, americanLabels) {
		for w := range strings.FieldsFuncSeq(row.labels, func(c rune) bool { return !unicode.IsLetter(c) }) {
			if l := letters(w); len(l) >= strokeWord {
				out[l] = true
			}
		}
	}
	return out
})

func isLabel(lexicon []label, text string) bool {
	m, ok := nearestLabel(lexicon, text)
	return ok && m.off == 0 && !m.label.pure
}
