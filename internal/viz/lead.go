package viz

import "strings"

// withinText reports whether a word that is a label at the beginning of a line or after another label stands behind words that it
// belongs to.
func (r *reader) withinText(lexicon []label, before, words []word, m match) bool {
	if !m.label.lead || len(before) == 0 || onlyNumbering(before) {
		return false
	}
	return !r.startsAnew(before[len(before)-1], words[0]) && !r.endsDay(before) && !r.leads(lexicon, words, m)
}

// leads reports whether a word that names may have too is a label all the same, though it stands right behind a value: a colon
// follows it (SEX: M), or after a stroke the same label in another language (Sexo · Sex). Within an address a colon follows what
// is no label of its own (NO: 5).
func (r *reader) leads(lexicon []label, words []word, m match) bool {
	if m.off > 0 || m.label.fact == documentNumber || m.label.fact == other || m.words >= len(words) {
		return false
	}
	next := words[m.words]
	if strings.HasPrefix(strings.TrimSpace(next.before), ":") {
		return true
	}
	if !setOff(next) {
		return false
	}
	same, ok := matchLabel(lexicon, words[m.words:], r.oneRun(words[m.words:]))
	return ok && same.off == 0 && same.label.fact == m.label.fact
}

// setOff reports whether a stroke or a point stands before a word, as between languages.
func setOff(w word) bool { return strings.ContainsAny(w.before, "/|·•") || w.before == " - " }
