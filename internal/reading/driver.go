package reading

import (
	"regexp"
	"slices"
	"sync"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/aamva"
	"github.com/bonafide-id/bonafide/internal/idnumber"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// britishDriver writes the number of a British driver by its form, where letters were read for figures or figures for letters: five letters of the
// surname, or nines behind a shorter one; the year's decade, the month, plus 50 for women, the day and the year; two initials, or nines; three checks.
func britishDriver(text string) (string, bool) {
	const form = "AAAAA000000AA*AA"
	if len(text) != len(form) {
		return "", false
	}
	out := []rune(text)
	for i, c := range out {
		switch {
		case form[i] == 'A' && c != '9' && lexicon.LikeLetters[c] != 0:
			out[i] = lexicon.LikeLetters[c]
		case form[i] == '0' && lexicon.LikeFigures[c] != 0:
			out[i] = lexicon.LikeFigures[c]
		}
		is := out[i]
		if form[i] == '0' && !unicode.IsDigit(is) || form[i] == 'A' && unicode.IsDigit(is) && (is != '9' || i == 0 || i > 12) {
			return "", false
		}
	}
	month, day := lexicon.Figure(string(out[6:8]))%50, lexicon.Figure(string(out[8:10]))
	return string(out), month >= 1 && month <= 12 && day >= 1 && day <= 31 && out[6] != '2' && out[6] != '3'
}

// americanDriver writes the number of a driver of North America as the state or province forms it, where letters were read for figures or figures for
// letters. It is false for a number that has one of the forms, and for one that comes to none or to several.
func americanDriver(text, jurisdiction string) (string, bool) {
	shapes := idnumber.DriverShapes(jurisdiction, len(text))
	if slices.ContainsFunc(shapes, func(shape string) bool { return inShape(text, shape) == text }) {
		return "", false
	}
	var found []string
	for _, shape := range shapes {
		if form := inShape(text, shape); form != "" && !slices.Contains(found, form) {
			found = append(found, form)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// inShape is a text with letters and figures where a shape has them (idnumber.DriverShapes); empty where it cannot be written so.
func inShape(text, shape string) string {
	out := []rune(text)
	if len(out) != len(shape) {
		return ""
	}
	for i, c := range out {
		switch digit := unicode.IsDigit(c); {
		case shape[i] == 'L' && digit:
			out[i] = lexicon.LikeLetters[c]
		case shape[i] == 'D' && !digit:
			out[i] = lexicon.LikeFigures[c]
		}
		if out[i] == 0 {
			return ""
		}
	}
	return string(out)
}

// jurisdictions are the postal codes of the states and provinces of North America by their names, folded.
var jurisdictions = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for name, code := range aamva.Jurisdictions() {
		out[lexicon.Letters(name)] = code
	}
	return out
})

// mostWordsOfState is how many words the name of a state or province has at most.
const mostWordsOfState = 4

var postalState = regexp.MustCompile(`\b(` + americanStates + `),? \d{5}(-\d{4})?\b`)

// jurisdictionOf is the postal code of the one state or province that a page names, or has in its addresses; empty where that is none or several.
func jurisdictionOf(rows []row) string {
	seen := map[string]bool{}
	for _, r := range rows {
		if m := postalState.FindStringSubmatch(string(r.runes)); m != nil {
			seen[m[1]] = true
		}
		for i := 0; i < len(r.words); {
			code, n := stateAt(r.words[i:])
			if n > 0 {
				seen[code] = true
			}
			i += max(1, n)
		}
	}
	if len(seen) != 1 {
		return ""
	}
	for code := range seen {
		return code
	}
	return ""
}

// stateAt is the state or province whose name the words begin with, and how many words it has; the longest of several.
func stateAt(words []word) (code string, n int) {
	text := ""
	for i, w := range words[:min(len(words), mostWordsOfState)] {
		text += w.plain
		if c, ok := jurisdictions()[text]; ok {
			code, n = c, i+1
		}
	}
	return code, n
}
