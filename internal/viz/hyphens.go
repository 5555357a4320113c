package viz

import (
	"slices"
	"strings"
)

// hyphenWords is how many words of labels a line has at least that is one of labels with hyphens between its languages.
const hyphenWords = 3

// splitHyphens cuts words of labels at the hyphens that stand between languages without spaces: SESSO-SEX-SEXO, ISSUED ON-FECHA DE
// EXPEDICIÓN. Names with hyphens stay whole: the parts are labels of one fact, or words of labels on a line that has more of them.
func splitHyphens(lexicon []label, words []word) []word {
	if !slices.ContainsFunc(words, func(w word) bool { return strings.Contains(w.text, "-") }) {
		return words
	}
	known := labelVocabulary()
	count := 0
	for _, w := range words {
		for piece := range strings.SplitSeq(w.text, "-") {
			if known[letters(piece)] {
				count++
			}
		}
	}
	var out []word
	for _, w := range words {
		pieces := w.atHyphens()
		switch {
		case len(pieces) == 1 || isLabel(lexicon, w.plain):
			out = append(out, w)
		case count >= hyphenWords && slices.ContainsFunc(pieces, func(p word) bool { return known[p.plain] }):
			out = append(out, pieces...)
		default:
			out = append(out, oneFact(lexicon, w, pieces)...)
		}
	}
	return out
}

// oneFact are the parts of a word that are all labels of one fact, run together or not; else the word. Words that are too common to
// be labels alone are where one of them is no part of names (VON-FROM).
func oneFact(lexicon []label, w word, pieces []word) []word {
	var out []word
	for _, p := range pieces {
		if isLabel(lexicon, p.plain) {
			out = append(out, p)
			continue
		}
		out = append(out, splitWord(lexicon, p)...)
	}
	telling := slices.ContainsFunc(out, func(p word) bool { return len(p.plain) >= strokeWord })
	var first label
	for _, p := range out {
		m, ok := nearestLabel(lexicon, p.plain)
		if !ok || m.off > 0 || m.label.pure && !telling || first.text != "" && m.label.fact != first.fact {
			return []word{w}
		}
		first = m.label
	}
	return out
}

// atHyphens are the parts of a word between its hyphens.
func (w word) atHyphens() []word {
	runes := []rune(w.text)
	at := slices.Index(runes, '-')
	if at < 1 || at+1 >= len(runes) {
		return []word{w}
	}
	first, rest := w.cut(at)
	_, rest = rest.cut(1)
	rest.before = "/"
	return append([]word{first}, rest.atHyphens()...)
}
