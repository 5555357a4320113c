package reading

import (
	"slices"
	"strings"
)

// A value may go on in the row below it. Whether it does is a question to the whole page: a row that no label claims and no other fact is likely
// to be would be left with nothing that it states.

// mayGoOn are the facts whose values may take several rows.
var mayGoOn = []int{fSurname, fGiven, fBirthplace, fAuthority, fAddress}

// onwardFeatures say whether a value takes the row below it, or leaves it, and how near that row is.
func (p *Problem) onwardFeatures(f, at int) []Feature {
	if !slices.Contains(mayGoOn, f) {
		return nil
	}
	c := p.candidate(f, at)
	var out []Feature
	add := func(what string, last span, from float64) {
		row := nearness((p.rows[last.row].y - from) / c.h)
		if p.isState(last) {
			row = " a state's row"
		}
		if p.statesNothingElse(f, last) {
			out = append(out, Feature{"own " + string(FactNames[f]) + " " + what + row, 1})
		}
	}
	if n := len(c.spans); n > 1 {
		add("takes", c.spans[n-1], p.rows[c.spans[n-2].row].y)
	}
	if next, ok := p.goesOn(f, c); ok {
		add("leaves", next, p.rows[c.spans[len(c.spans)-1].row].y)
	}
	return out
}

// nearness says how many heights of a value the next row is below.
func nearness(heights float64) string {
	switch {
	case heights < 1.3:
		return " a row right below"
	case heights < 1.6:
		return " a row below"
	}
	return " a row further below"
}

// goesOn is the row that another option of a fact has beyond a candidate.
func (p *Problem) goesOn(f int, c *candidate) (next span, ok bool) {
	for at := 1; at < len(p.Options[f]); at++ {
		o := p.candidate(f, at)
		if n := len(c.spans); len(o.spans) == n+1 && slices.Equal(o.spans[:n], c.spans) {
			return o.spans[n], true
		}
	}
	return span{}, false
}

// isState reports whether a run is the name of a state.
func (p *Problem) isState(s span) bool {
	return slices.ContainsFunc(p.all, func(c candidate) bool { return c.kind == aNation && c.spans[0] == s })
}

// statesNothingElse reports whether a run is no label that is understood, and no other fact is likelier to be it, or a part of it, than not to be
// printed. The name of a state says no more of its row: it is where somebody was born as well.
func (p *Problem) statesNothingElse(f int, s span) bool {
	if p.isLabel(s) {
		return false
	}
	for g := range facts {
		for _, o := range p.Options[g][1:] {
			if g != f && kindOfFact[g] != aNation && o.Score > p.Options[g][0].Score && overlaps(o.Spans, []span{s}) {
				return false
			}
		}
	}
	return true
}

// isLabel reports whether a label that is understood is on a run.
func (p *Problem) isLabel(s span) bool {
	return slices.ContainsFunc(p.labels, func(l label) bool {
		return !l.number && l.row == s.row && l.words[0].from < s.to && s.from < l.words[len(l.words)-1].to && slices.Max(l.fits[:]) > .5
	})
}

// fathersNames are how names of fathers end that Cyrillic pages print behind given names, in capitals.
var fathersNames = []string{"ОВИЧ", "ЕВИЧ", "ЬИЧ", "ОВНА", "ЕВНА", "ИНИЧНА", "ІВНА", "ЇВНА", "ЙОВИЧ", "ЎНА", "АВІЧ", "ЕВІЧ", "ҰЛЫ", "ҚЫЗЫ"}

// isFathersName reports whether a word has the form of a patronymic in Cyrillic.
func isFathersName(word string) bool {
	word = strings.ToUpper(word)
	return slices.ContainsFunc(fathersNames, func(end string) bool { return strings.HasSuffix(word, end) && len(word) > len(end)+4 })
}

// withoutFathersName is a name without the patronymic that ends it.
func withoutFathersName(name string) string {
	words := strings.Fields(name)
	if n := len(words) - 1; n > 0 && isFathersName(words[n]) {
		return strings.Join(words[:n], " ")
	}
	return name
}
