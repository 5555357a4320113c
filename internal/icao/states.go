package icao

import (
	"sort"
	"strings"
)

// StateKind tells what a three-letter code stands for.
type StateKind string

// The kinds of entry in ICAO 9303-3 §5.
const (
	Country      StateKind = "country"      // an entry of ISO 3166-1 (states, territories) or Kosovo
	Organization StateKind = "organization" // UN, EU, Interpol and others that issue travel documents
	Status       StateKind = "status"       // a legal status instead of a nationality: stateless, refugee, unspecified, kinds of British national
	Specimen     StateKind = "specimen"     // Utopia, the state of specimens
)

// State is one row of the code list, ICAO 9303-3 §5.
type State struct {
	Code string // as the machine readable zone writes it, without fillers: "D", "UTO", "GBR"
	ISO  string // ISO 3166-1 alpha-3 where there is one ("DEU" for "D"), else empty
	Name string // short English name
	Kind StateKind
}

// StateByCode finds a code as the machine readable zone writes it; fillers at
// the end are ignored, so "D<<" and "D" are Germany. "DEU" is found too, since
// the printed zone and bar codes use it. The zone is upper case: "utoº" and
// "uto" are not found.
func StateByCode(code string) (State, bool) {
	code = strings.TrimRight(code, "<")
	if code == "DEU" {
		code = "D"
	}
	s, ok := states[code]
	return s, ok
}

// Codes returns the codes under which the state is written: that of the zone, and that of ISO 3166-1 where it is another.
func (s State) Codes() []string {
	if s.ISO == "" || s.ISO == s.Code {
		return []string{s.Code}
	}
	return []string{s.Code, s.ISO}
}

// ClaimedState returns the code under which facts name a state: that of ISO 3166-1 where the zone writes a special one ("DEU" for
// "D<<"), else the zone's own without fillers. Codes of ICAO 9303-3 §5 that ISO does not have (organisations, statuses, kinds of
// British nationals, Kosovo) are of three letters, and stay as they are; so does what is no code.
func ClaimedState(code string) string {
	code = strings.TrimRight(code, "<")
	if s, ok := StateByCode(code); ok && s.ISO != "" {
		return s.ISO
	}
	return code
}

// States returns every row, sorted by code.
func States() []State {
	all := make([]State, 0, len(states))
	for _, s := range states {
		all = append(all, s)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Code < all[j].Code })
	return all
}

// MayIssue reports whether the code may stand as the issuer of a travel
// document: a state, an organisation or Utopia, but no mere status.
func MayIssue(code string) bool {
	s, ok := StateByCode(code)
	return ok && (s.Kind != Status || strings.HasPrefix(s.Code, "GB"))
}

// SameState reports whether two codes name the same state in different
// notations: zone ("D<<"), ISO alpha-3 ("DEU"). Unknown codes are the same only
// when equal.
func SameState(a, b string) bool {
	x, okX := StateByCode(a)
	y, okY := StateByCode(b)
	if okX && okY {
		return x.Code == y.Code
	}
	return strings.TrimRight(a, "<") == strings.TrimRight(b, "<")
}

var states = loadStates()

func loadStates() map[string]State {
	m := make(map[string]State, 300)
	add := func(kind StateKind, table string, iso bool) {
		for line := range strings.Lines(table) {
			code, name, ok := strings.Cut(strings.TrimSpace(line), " ")
			if !ok {
				continue
			}
			s := State{Code: code, Name: name, Kind: kind}
			if iso {
				s.ISO = code
			}
			m[code] = s
		}
	}
	add(Country, isoStates, true)
	add(Organization, organizations, false)
	add(Status, statuses, false)
	m["D"] = State{Code: "D", ISO: "DEU", Name: "Germany", Kind: Country}
	m["RKS"] = State{Code: "RKS", Name: "Kosovo", Kind: Country}
	m["UTO"] = State{Code: "UTO", Name: "Utopia", Kind: Specimen}
	return m
}
