package relaid

import (
	_ "embed" // the table
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed offices.tsv
var officeTable string

// Shares of pages on which places are any of their language, and offices are those that its states have.
const (
	placesShare  = .6
	officesShare = .5
)

// officesOf are offices by language, each with % for its town.
func officesOf(table string) map[string][]string {
	out := map[string][]string{}
	for _, row := range rowsOf(table) {
		out[row[0]] = strings.Split(row[1], ";")
	}
	return out
}

// withPlaces is a state whose towns and streets are any of a language: its own where there are some of it, now and then another one.
func (w vocabulary) withPlaces(rng *rand.Rand, s state) state {
	language := pick(rng, s.languages...)
	if w.people[language]["town"] == nil && w.people[language]["street"] == nil || chance(rng, .15) {
		language = pick(rng, slices.Sorted(maps.Keys(w.people))...)
	}
	s.towns = sameScript(s.towns, w.people[language]["town"])
	s.streets = sameScript(s.streets, w.people[language]["street"])
	return s
}

// sameScript is the second list if it has words, in the alphabet of the first.
func sameScript(own, other []string) []string {
	if len(other) == 0 || len(own) > 0 && scriptOf(own[0]) != scriptOf(other[0]) {
		return own
	}
	return other
}

// withOffices is a state with the offices of its language, in its towns.
func (w vocabulary) withOffices(rng *rand.Rand, s state) state {
	kinds := w.offices[pick(rng, s.languages...)]
	if len(kinds) == 0 || scriptOf(strings.TrimLeft(kinds[0], "% ")) != scriptOf(s.towns[0]) {
		return s
	}
	s.offices = nil
	for range 6 {
		s.offices = append(s.offices, strings.TrimSpace(strings.Replace(pick(rng, kinds...), "%", pick(rng, s.towns...), 1)))
	}
	return s
}
