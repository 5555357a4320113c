package viz

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// nationValues reads a nationality: all of a text or, behind what was a label in another language before its letters were misread, its
// last word (NATIONIY BRA).
func nationValues(s segment, text string) []value {
	v := oneValue(nationality, s, nationalityOf(text))
	if len(v) > 0 {
		v[0].listed = len(letters(text)) >= longWord
		return v
	}
	n := len(s.words) - 1
	last := s.words[n]
	code := nationalityOf(last.text)
	if code == "" || !slices.ContainsFunc(s.words[:n], beginsNation) || slices.ContainsFunc(s.words[:n], func(w word) bool { return nationalityOf(w.text) != "" }) {
		return nil
	}
	return []value{{fact: nationality, text: code, from: n, to: n + 1, listed: len(last.plain) >= longWord}}
}

// beginsNation reports whether a word begins as a label of the nationality does.
func beginsNation(w word) bool {
	return len(w.plain) >= longWord && slices.ContainsFunc(lexicons()[0], func(l label) bool {
		return l.fact == nationality && strings.HasPrefix(l.text, w.plain[:longWord])
	})
}

// isNation reports whether a word behind a label of the nationality is the code of a state.
func isNation(m match, w word) bool {
	s, ok := icao.StateByCode(w.text)
	return ok && m.label.fact == nationality && len(s.Code) == 3 && w.text == s.Code
}

// nationByForm finds the nationality whose label was not read: the only text on the page that is the word for one people in two
// languages, with a stroke between them. Neither is the name of a state, as headings have them (SUOMI / FINLAND).
func (r *reader) nationByForm() {
	if _, found := r.found[nationality]; found || r.torn[nationality] || r.numbers || r.american {
		return
	}
	at, parsed := -1, value{}
	for j, t := range r.texts {
		text := r.textOf(t.line, t.words)
		first, second, both := strings.Cut(text, "/")
		a, b := people(first), people(second)
		if !both || t.used || t.sequence >= 0 || a == "" || a != b || letters(first) == letters(second) {
			continue
		}
		if at >= 0 {
			return
		}
		at, parsed = j, value{fact: nationality, text: nationalityOf(text), to: len(t.words), listed: true}
	}
	if at >= 0 {
		r.texts[at].used = true
		r.note(parsed, r.texts[at], pairing{cost: costMost})
	}
}

// people is the state of which a long word names the people, and not the state; "" for none.
func people(text string) string {
	word := letters(text)
	if _, state := stateNames()[word]; state || len(word) < longWord {
		return ""
	}
	return peopleNames()[word]
}
