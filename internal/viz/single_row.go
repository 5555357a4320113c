package viz

import (
	"math"
	"slices"
)

// mostOpen is how many places of a page are looked at for a letter of whose label nothing was read.
const mostOpen = 10

// besideSex are the facts beside which documents print the sex (ICAO 9303-4 §4.1 has the four in one part of the page).
var besideSex = []fact{dateOfBirth, nationality, placeOfBirth, personalNumber}

// openPlaces are where the letter of the sex may stand of which no label was read: in the rows of the facts that it is printed
// with, where another value begins further up or down, and nothing was read. Where values stand beside their labels, or a letter
// means a sex in one language and the other in the next, there are none.
func (r *reader) openPlaces() []Strip {
	if _, ok := r.found[sex]; ok || r.torn[sex] || r.hasLabel(sex) || r.numbers || lettersDiffer(r.issuer) {
		return nil
	}
	below, _ := r.layouts()
	if below == nil {
		return nil
	}
	var out []Strip
	var rows []float64
	for _, p := range r.pairs {
		l, v := p[0], p[1]
		near := func(y float64) bool { return math.Abs(y-v.y) < onRow*below.value }
		if v.y-l.y < 0.4*l.h || !slices.Contains(besideSex, l.fact) || slices.ContainsFunc(rows, near) {
			continue
		}
		rows = append(rows, v.y)
		for _, x := range r.valueColumns(below) {
			out = r.ask(out, x, v.y, below.value, letterLong*below.value, true)
		}
	}
	return out[:min(len(out), mostOpen)]
}

// valueColumns are where the page's values begin, those under labels whose values were not read among them.
func (r *reader) valueColumns(below *layout) []float64 {
	var all []float64
	add := func(x float64) {
		if !slices.ContainsFunc(all, func(o float64) bool { return math.Abs(o-x) < onRow*below.value }) {
			all = append(all, x)
		}
	}
	for _, p := range r.pairs {
		add(p[1].x0)
	}
	for _, l := range r.labels {
		if !l.used && !l.marker {
			add(l.x0 + below.dx)
		}
	}
	slices.Sort(all)
	return all
}

// lettersDiffer reports whether M or F is on the issuer's documents the first letter of a word for the other sex.
func lettersDiffer(issuer string) bool {
	own := sexLetters[issuer]
	for _, letter := range []string{"M", "F"} {
		if means, listed := own[letter]; listed && means != letter && issuer != "" {
			return true
		}
	}
	return false
}
