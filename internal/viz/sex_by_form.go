package viz

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// What a letter of the sex looks like where no label says that it is one.
const (
	loneLetter = 1.7  // the taller of it and the page's values is so many times as tall as the other at most: a letter's box is tight
	loneSure   = 0.95 // how surely it must have been read, and the most that it counts: it never speaks against a zone
)

// sexKinds are the documents on which a letter that stands alone is that of the sex (ICAO 9303-4, -5 and -7 §4.1.1: a page states
// it in the zone for people). On a licence it may be a category of vehicles.
var sexKinds = []idv.DocumentKind{idv.Passport, idv.IDCard, idv.ResidencePermit, idv.Visa}

// sexByForm finds the letter of the sex whose label was not read: the only M or F that stands alone on the page, below a name, set
// as its values are. X is not looked for: too much looks like one.
func (r *reader) sexByForm() {
	if _, found := r.found[sex]; found || r.torn[sex] || r.numbers || r.american || !slices.Contains(sexKinds, r.kind) {
		return
	}
	high, below, ok := r.valuesLook()
	if !ok {
		return
	}
	at, parsed := -1, value{}
	for j, t := range r.texts {
		v, ok := r.loneSex(t)
		if !ok {
			continue
		}
		if at >= 0 {
			return // which of them is it?
		}
		at, parsed = j, v
	}
	if at < 0 || r.texts[at].y < below || math.Max(high, r.texts[at].h) > loneLetter*math.Min(high, r.texts[at].h) {
		return
	}
	r.texts[at].used = true
	r.note(parsed, r.texts[at], pairing{cost: costMost})
	f := r.found[sex]
	f.mean = math.Min(f.mean, loneSure)
	r.found[sex] = f
}

// valuesLook is how high the page's values are, and below which row the first of its names stands.
func (r *reader) valuesLook() (high, below float64, ok bool) {
	var all []float64
	for _, p := range r.pairs {
		all = append(all, p[1].h)
	}
	below = math.Inf(1)
	for _, name := range []fact{surname, givenNames} {
		if f, found := r.found[name]; found {
			below = math.Min(below, f.segment.y+0.5*f.segment.h)
		}
	}
	if len(all) < missingPairs || math.IsInf(below, 1) {
		return 0, 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], below, true
}

// loneSex is the sex that a text states that is one letter alone, or that and another with a stroke between.
func (r *reader) loneSex(t segment) (value, bool) {
	if t.used || t.sequence >= 0 || len(t.words) > 2 {
		return value{}, false
	}
	for _, w := range t.words {
		if w.to-w.from != 1 || w.plain == "" {
			return value{}, false
		}
	}
	last := t.words[len(t.words)-1]
	if last.plain != "M" && last.plain != "F" || last.text != last.plain {
		return value{}, false
	}
	if mean, least := r.sureOf(t.line, t.words[0].from, last.to); mean < loneSure || least < loneSure {
		return value{}, false
	}
	v := r.sexValues(t)
	if len(v) != 1 || v[0].text != last.plain || v[0].to != len(t.words) {
		return value{}, false
	}
	return v[0], true
}
