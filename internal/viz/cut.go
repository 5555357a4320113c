package viz

import "strings"

// splitLabels cuts words in which the reader lost the space after a label: "SurnameERIKSSON" is cut by its letters' case
// already, "SURNAMENOM" is cut here, the NOMLINDQVIST of NAME/NOMLINDQVIST, and on North American cards 15SEX.
func splitLabels(lexicon []label, words []word, american bool) []word {
	var out []word
	for _, w := range words {
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
		if n == 0 || n > 2 || cut+2 > len(w.text) || cut > n && !strings.ContainsRune("abcdABCD", rune(w.text[n])) {
			continue
		}
		if m, ok := nearestLabel(lexicon, letters(w.text[cut:])); ok && m.off == 0 {
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

// splitWord cuts a word that is two labels run together.
func splitWord(lexicon []label, w word) []word {
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

func isLabel(lexicon []label, text string) bool {
	m, ok := nearestLabel(lexicon, text)
	return ok && m.off == 0 && !m.label.pure
}
