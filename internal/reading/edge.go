package reading

import (
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// edge is what parts two texts of one row.
type edge string

const (
	noEdge  edge = "nothing"
	rowEdge edge = "row"
	gap     edge = "gap"
	colon   edge = "colon"
	stroke  edge = "stroke"
	bracket edge = "bracket"
	comma   edge = "comma"
	casing  edge = "case"  // capitals beside small letters
	title   edge = "title" // a word in small letters before one that begins with a capital
	figures edge = "figures"
	labels  edge = "label" // a word of labels beside one that is none
)

// edgeOf says what parts two words that follow each other in a row.
func edgeOf(r row, a, b word) edge {
	between := strings.TrimSpace(b.before)
	switch {
	case gapOf(r, a, b) > wideGap*r.h:
		return gap
	case strings.Contains(between, ":"):
		return colon
	case strings.ContainsAny(between, "/|·") || between == "-" || between == "–" || between == "-·":
		return stroke
	case strings.ContainsAny(between, "()[]"):
		return bracket
	case strings.ContainsAny(between, ",;"):
		return comma
	case hasFigure(a.text) != hasFigure(b.text):
		return figures
	case len(a.plain) > 1 && len(b.plain) > 1 && allCapitals(a.text) != allCapitals(b.text):
		return casing
	case ofLabels(a) != ofLabels(b):
		return labels
	case startsSmall(a.text) && !startsSmall(b.text):
		return title
	}
	return noEdge
}

// edgesOf says what is at both ends of a span.
func (v view) edgesOf(s span) (before, after edge) {
	r := v.rows[s.row]
	before, after = noEdge, noEdge
	for i, w := range r.words {
		switch {
		case w.from == s.from && i == 0:
			before = rowEdge
		case w.from == s.from:
			before = edgeOf(r, r.words[i-1], w)
		}
		switch {
		case w.to == s.to && i == len(r.words)-1:
			after = rowEdge
		case w.to == s.to:
			after = edgeOf(r, w, r.words[i+1])
		}
	}
	return before, after
}

func ofLabels(w word) bool {
	return w.concept&^lexicon.Link != 0 && w.strength > .9 && len(w.plain) > 2
}

func hasFigure(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

func allCapitals(s string) bool { return !strings.ContainsFunc(s, unicode.IsLower) }

func startsSmall(s string) bool { return unicode.IsLower([]rune(s)[0]) }
