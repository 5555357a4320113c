package reading

import (
	"slices"
	"strings"
)

// A value may go on in the row below it. Whether it does is a question to the whole page: a row that no label claims and no other fact is likely
// to be would be left with nothing that it states.

// mayGoOn are the facts whose values may take several rows.
var mayGoOn = []int{fSurname, fGiven, fBirthplace, fAuthority, fAddress}

// onward is what the rows below the values of a page are, looked up once.
type onward struct {
	problem *Problem
	next    map[onwardKey]span // the row that another option of a fact has beyond the runs of one
	nothing map[onwardKey]bool // nothing else is stated by a run, so far as it was asked
	states  map[span]bool      // runs that are names of states
}

// onwardKey is a fact and the runs of a value.
type onwardKey struct {
	fact int
	runs [mostLinesOfText]span
}

func keyOf(f int, spans ...span) onwardKey {
	k := onwardKey{fact: f}
	copy(k.runs[:], spans)
	return k
}

func newOnward(p *Problem) onward {
	out := onward{p, map[onwardKey]span{}, map[onwardKey]bool{}, map[span]bool{}}
	for _, f := range mayGoOn {
		for _, o := range p.Options[f][1:] {
			n := len(o.Spans) - 1
			if _, known := out.next[keyOf(f, o.Spans[:n]...)]; n > 0 && !known {
				out.next[keyOf(f, o.Spans[:n]...)] = o.Spans[n]
			}
		}
	}
	for _, c := range p.all {
		if c.kind == aNation {
			out.states[c.spans[0]] = true
		}
	}
	return out
}

// features say whether a value takes the row below it, or leaves it, and how near that row is.
func (w onward) features(f, at int) []Feature {
	if !slices.Contains(mayGoOn, f) {
		return nil
	}
	c := w.problem.candidate(f, at)
	var out []Feature
	add := func(what string, last, before span) {
		row := nearness((w.problem.rows[last.row].y - w.problem.rows[before.row].y) / c.h)
		if w.states[last] {
			row = " a state's row"
		}
		if w.statesNothingElse(f, last) {
			out = append(out, Feature{"own " + string(FactNames[f]) + " " + what + row, 1})
		}
	}
	n := len(c.spans)
	if n > 1 {
		add("takes", c.spans[n-1], c.spans[n-2])
	}
	if next, ok := w.next[keyOf(f, c.spans...)]; ok {
		add("leaves", next, c.spans[n-1])
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

// statesNothingElse reports whether a run is no label that is understood, and no other fact is likelier to be it, or a part of it, than not to be
// printed. The name of a state says no more of its row: it is where somebody was born as well.
func (w onward) statesNothingElse(f int, s span) bool {
	key := keyOf(f, s)
	nothing, known := w.nothing[key]
	if !known {
		nothing = !w.problem.isLabel(s) && !w.problem.statesOther(f, s)
		w.nothing[key] = nothing
	}
	return nothing
}

// statesOther reports whether another fact than f is likelier to be a run, or a part of it, than not to be printed.
func (p *Problem) statesOther(f int, s span) bool {
	for g := range facts {
		if g == f || kindOfFact[g] == aNation {
			continue
		}
		for _, o := range p.Options[g][1:] {
			if o.Score > p.Options[g][0].Score && overlaps(o.Spans, []span{s}) {
				return true
			}
		}
	}
	return false
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
