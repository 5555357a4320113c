package reading

import (
	"slices"
)

// side is where a label is, seen from a candidate.
type side int

const (
	onLeft side = iota
	onTop
	onHigher // above, with a row between
	onBottom
	onColumn // left, in another column
	sides
)

var sideNames = [sides]string{"left", "top", "higher", "bottom", "column"}

// inputNames are the names of features that are made for each side and fact.
var inputNames = func() (out struct {
	fits  [sides][facts + 1]string
	field [sides][facts + 1]string
}) {
	for s, name := range sideNames {
		for f := range facts + 1 {
			what := "another"
			if f < facts {
				what = string(FactNames[f])
			}
			out.fits[s][f], out.field[s][f] = name+" label "+what, name+" number "+what
		}
	}
	return out
}()

// fitInputs say what the labels round a candidate mean that are understood: on each side the nearest.
func (v view) fitInputs(out []Feature, c candidate) []Feature {
	var nearest [sides]int
	var far [sides]float64
	for i, l := range v.labels {
		rel, d := relationOf(l, c)
		s := slices.Index([]relation{leftOf, above, higher, below1, apart}, rel)
		if s >= 0 && (nearest[s] == 0 || d < far[s]) {
			nearest[s], far[s] = i+1, d
		}
	}
	for s, at := range nearest {
		if at == 0 {
			continue
		}
		l, names := v.labels[at-1], &inputNames.fits[s]
		if l.number {
			names = &inputNames.field[s]
		}
		for f, fits := range l.fits {
			if fits > 0 {
				out = append(out, Feature{names[f], fits})
			}
		}
		if l.other > 0 {
			out = append(out, Feature{names[facts], l.other})
		}
		if max(l.other, slices.Max(l.fits[:])) > .5 && !v.nearestTo(l, c) {
			out = append(out, Feature{sideNames[s] + " label of a nearer one", 1})
		}
	}
	return out
}

// nearestTo reports whether no other candidate of the kind is nearer to a label on the same side.
func (v view) nearestTo(l label, c candidate) bool {
	rel, d := relationOf(l, c)
	for i, o := range v.all {
		if o.kind != c.kind || v.near[i].caption || overlaps(o.spans, c.spans) {
			continue
		}
		if r, e := relationOf(l, o); r == rel && e < d-.05 {
			return false
		}
	}
	return true
}
