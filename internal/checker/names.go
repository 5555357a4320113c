package checker

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// compareNames asks for the allowed transliterations. Readers and forms often
// lose diacritics, so a bare O may stand for Ö beside OE.
func compareNames(a, b statement) likeness {
	if len(icao.Transliterations(a.Value)) == 0 || len(icao.Transliterations(b.Value)) == 0 {
		return incomparable
	}
	if spells(a, b) || spells(b, a) {
		return same
	}
	return different
}

// initialOf reports whether a zone had room for one letter of a name (ICAO 9303-3 §4.6) and the other name begins with it.
func initialOf(cut, whole statement) bool {
	if cut.Source != idv.FromMRZ || cut.cutAt == 0 || len(cut.Value) != 1 || whole.Source == idv.FromMRZ {
		return false
	}
	return slices.ContainsFunc(icao.Transliterations(whole.Value), func(form string) bool { return strings.HasPrefix(form, cut.Value) })
}

// spells reports whether some romanized form of roman is an allowed form of
// the other name. A zone is romanized already and may be cut.
func spells(printed, roman statement) bool {
	if roman.Source == idv.FromMRZ {
		return icao.SameNameBare(printed.Value, roman.Value, roman.cutAt)
	}
	if printed.cutAt > 0 {
		return false // a cut name is never the longer form
	}
	for _, form := range icao.Transliterations(roman.Value) {
		cut := 0
		if roman.cutAt > 0 {
			cut = len(form)
		}
		if icao.SameNameBare(printed.Value, form, cut) {
			return true
		}
	}
	return false
}

// partOf reports whether every word of the shorter name is a word of the
// longer: people claim one of their given names.
func partOf(shorter, longer statement) bool {
	words := strings.FieldsFunc(longer.Value, func(r rune) bool { return r == ' ' || r == '<' || r == '-' })
	claimed := strings.Fields(shorter.Value)
	if len(claimed) == 0 || len(claimed) >= len(words) {
		return false
	}
	for _, c := range claimed {
		found := false
		for _, w := range words {
			one, other := shorter, longer
			one.Value, other.Value, other.cutAt = c, w, 0
			found = found || compareNames(one, other) == same
		}
		if !found {
			return false
		}
	}
	return true
}

// compareTexts compares addresses and places, which are written in too many
// ways for a difference to mean anything: only the same words prove something.
func compareTexts(a, b string) likeness {
	x, y := wordSet(a), wordSet(b)
	if len(x) == 0 || len(y) == 0 {
		return incomparable
	}
	if within(x, y) && within(y, x) {
		return same
	}
	if within(x, y) || within(y, x) {
		return partly
	}
	return incomparable
}

func wordSet(s string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToUpper(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if forms := icao.Transliterations(w); len(forms) > 0 && strings.IndexFunc(w, unicode.IsDigit) < 0 {
			w = forms[0]
		}
		set[w] = true
	}
	return set
}

func within(a, b map[string]bool) bool {
	for w := range a {
		if !b[w] {
			return false
		}
	}
	return true
}

// compareNumbers ignores what separates groups, and letters that print like
// digits: readers confuse them and no issuer tells documents apart by them.
func compareNumbers(a, b string) likeness {
	x, y := shapes(a), shapes(b)
	switch {
	case x == "" || y == "":
		return incomparable
	case x == y:
		return same
	}
	return different
}

var lookalike = map[rune]rune{'O': '0', 'Q': '0', 'I': '1', 'L': '1', 'S': '5', 'B': '8', 'Z': '2'}

func shapes(s string) string {
	return strings.Map(func(r rune) rune {
		if d, ok := lookalike[r]; ok {
			return d
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.ToUpper(s))
}

func compareStates(a, b string) likeness {
	x, okX := stateOf(a)
	y, okY := stateOf(b)
	switch {
	case !okX || !okY:
		return incomparable
	case x == y:
		return same
	}
	return different
}

// stateOf understands codes and English names; an adjective of nationality in
// some language ("DEUTSCH") is beyond it.
func stateOf(s string) (string, bool) {
	s = strings.ToUpper(strings.TrimSpace(s))
	if st, ok := icao.StateByCode(s); ok {
		return st.Code, true
	}
	for _, st := range icao.States() {
		if strings.ToUpper(st.Name) == s {
			return st.Code, true
		}
	}
	return "", false
}

// sexForms are the forms that pages print; W is German, 1 and 2 are ISO 5218.
var sexForms = map[string]string{
	"M": "M", "MALE": "M", "1": "M", "F": "F", "FEMALE": "F", "W": "F", "2": "F",
	"X": "X", "<": "X", "0": "X", "9": "X", "N": "X",
}

func compareSexes(a, b string) likeness {
	x, okX := sexForms[strings.ToUpper(strings.TrimSpace(a))]
	y, okY := sexForms[strings.ToUpper(strings.TrimSpace(b))]
	switch {
	case !okX || !okY:
		return incomparable
	case x == y:
		return same
	}
	return different
}
