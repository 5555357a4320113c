package viz

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// isTable reports whether the page is the back of a licence, whose table has a line for each category: its dates are no fact of
// the document, and beside it stands what the numbers of the front mean.
func (r *reader) isTable() bool {
	if r.american {
		return false
	}
	seen, days := map[string]bool{}, map[string]int{}
	column, twice := false, 0
	for _, s := range slices.Concat(r.texts, r.labels) { // DE is a label on other documents
		if beginsRow(s.words) {
			seen[strings.ToUpper(s.words[0].text)] = true
		}
	}
	for _, s := range r.texts {
		column = column || slices.Contains(tableColumns, s.words[0].text) && len(s.words) == 1
		if looksLikeTableDay(s.words) {
			day := Alphanumerics(r.textOf(s.line, s.words))
			switch days[day]++; days[day] {
			case tableRows:
				return true
			case 2:
				twice++
			}
		}
	}
	return len(seen) >= tableRows || column && twice >= 2
}

// beginsRow reports whether words are a category of vehicles and no more than days behind it: C. MT-UTO and DE LA CRUZ are values.
func beginsRow(words []word) bool {
	return slices.Contains(categories, strings.ToUpper(words[0].text)) && !slices.ContainsFunc(words[1:], func(w word) bool { return len(letters(w.text)) > 1 })
}

// tableColumns are the numbers of the back's columns (directive 2006/126/EC, annex I): since when, until when, and what restricts it.
var tableColumns = []string{"10", "11", "12"}

// looksLikeTableDay reports whether words are a day in figures and nothing else.
func looksLikeTableDay(words []word) bool {
	return len(words) == 3 && !slices.ContainsFunc(words, func(w word) bool { return number(w.text) < 0 || len(w.text) > 4 }) &&
		strings.TrimSpace(words[1].before) == strings.TrimSpace(words[2].before)
}

// legendLabels is how many labels behind their numbers a page has at least that says what its numbers mean.
const legendLabels = 4

// forgetLegend takes back what was found on the back of a licence that was not told by its table: beside this stands what the
// numbers of the front mean (directive 2006/126/EC, annex I), and days of the table are no facts of the document. No name and no
// number is surely on it, and neither a title nor a zone says that it is of another kind, on which labels may be numbered, too.
func (r *reader) forgetLegend() {
	if r.kind != idv.DrivingLicence && r.kind != idv.UnknownKind {
		return
	}
	for _, name := range []fact{surname, givenNames, documentNumber} {
		if f, ok := r.found[name]; ok && r.sure(f) || r.american {
			return
		}
	}
	seen := map[string]bool{}
	for _, l := range r.labels {
		words := r.words(l.line)
		if n := strings.ToUpper(words[0].text); len(words) > 1 && fieldNumbers[n] != "" && words[1].from == l.words[0].from {
			seen[n] = true
		}
	}
	if len(seen) >= legendLabels {
		r.found = map[fact]found{}
	}
}

// tableRows is how many categories begin lines of the back at least, or how many of its lines state one day: the columns are read
// apart, and what begins the lines is small. No front states a day so often, nor two days twice each.
const tableRows = 3
