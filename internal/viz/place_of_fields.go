package viz

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// namesByPlace finds the names of a licence whose numbers were not seen: the family's right above the given ones and, on a North
// American card, the given ones right below, or the only two texts among its values that nothing explains.
func (r *reader) namesByPlace() {
	if !r.numbers {
		return
	}
	given, haveGiven := r.found[givenNames]
	_, haveFamily := r.found[surname]
	switch {
	case haveGiven && !haveFamily:
		r.familyAbove(given.segment)
	case !r.american || haveGiven || r.announced(givenNames):
	case haveFamily:
		r.givenBelow(r.found[surname].segment)
	case !r.announced(surname):
		r.bothNames()
	}
}

// announced reports whether a label of a fact is on the page, in print that is not as small as a pattern's.
func (r *reader) announced(f fact) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool {
		return l.fact == f && (math.IsInf(r.usual, 1) || l.h >= tooLow*r.usual)
	})
}

// familyAbove takes the text right above the given names for the family's.
func (r *reader) familyAbove(given segment) {
	for j, t := range r.texts {
		up := (given.y - t.y) / given.h
		if r.mayBeName(t) && up > 0.5 && up < reachBelow && math.Abs(t.x0-given.x0) < given.h && math.Max(t.h, given.h) < likeValues*math.Min(t.h, given.h) {
			r.take(j, surname)
			return
		}
	}
}

// bothNames takes the only two texts that may be names, one right below the other.
func (r *reader) bothNames() {
	free := r.freeNames()
	if len(free) != 2 {
		return
	}
	a, b := r.texts[free[0]], r.texts[free[1]]
	if down := (b.y - a.y) / a.h; down > 0.5 && down < reachBelow && math.Abs(a.x0-b.x0) < a.h {
		r.take(free[0], surname)
		r.take(free[1], givenNames)
	}
}

// givenBelow takes the text right below the family name for the given ones: it begins where that does, or its line.
func (r *reader) givenBelow(family segment) {
	for j, t := range r.texts {
		down := (t.y - family.y) / family.h
		x, _, _ := r.level(family.line)
		x -= r.page.Lines[family.line].Strip.Length / 2
		if r.mayBeName(t) && down > 0.5 && down < reachBelow && (math.Abs(t.x0-family.x0) < t.h || math.Abs(t.x0-x) < 1.5*t.h) {
			r.take(j, givenNames)
			return
		}
	}
}

// mayBeName reports whether nothing explains a text, and it is written as names are: one letter may be anything.
func (r *reader) mayBeName(t segment) bool {
	text := r.textOf(t.line, t.words)
	return !t.used && t.sequence < 0 && len(letters(nameOf(text))) > 1 && !r.isLabelOnly(text) && kindOf(t) == idv.UnknownKind && headingState(t, r.american) == ""
}

// freeNames are the texts, from top to bottom, that nothing explains and that may be names: set as the page's values are, in
// a column with some of them.
func (r *reader) freeNames() []int {
	var out []int
	for j, t := range r.texts {
		if r.mayBeName(t) && slices.ContainsFunc(r.pairs, func(p [2]segment) bool {
			v := p[1]
			return math.Abs(v.x0-t.x0) < t.h && math.Max(v.h, t.h) < nextSize*math.Min(v.h, t.h)
		}) {
			out = append(out, j)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(r.texts[a].y, r.texts[b].y) })
	return out
}

// take makes a text the value of a fact that no label announces.
func (r *reader) take(j int, f fact) {
	t := r.texts[j]
	r.texts[j].used = true
	r.note(value{fact: f, text: nameOf(r.textOf(t.line, t.words)), to: len(t.words)}, t, pairing{cost: costMost})
}
