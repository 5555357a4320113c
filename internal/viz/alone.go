package viz

import (
	"maps"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// How large what states a fact without its label may be beside the page's other values: small print and headings are none.
const (
	aloneLow  = 0.65
	aloneTall = 1.5
)

// alone are claims about the nationality, the personal number and a passport's issuer of whose labels none was read. What the zone
// states is looked for among the texts that no label explains: it counts where one text alone can be it, which was surely read and is set as
// the page's other values are. It never speaks against the zone: what differs only says that nobody knows.
func (c comparer) alone(claims []idv.Claim) []idv.Claim {
	var wanted []idv.ClaimName
	for _, name := range []idv.ClaimName{nationality, issuer, personalNumber} {
		if _, read := c.read[name]; !read && c.zone[name] != "" && (name != issuer || c.reader.kind == idv.Passport) {
			wanted = append(wanted, name)
		}
	}
	usual := usualValue(claims) * float64(c.reader.page.Height)
	if len(wanted) == 0 || usual == 0 || c.reader.numbers {
		return nil
	}
	r := newReader(c.reader.page)
	r.findLabels()
	r.splitColumns()
	var out []idv.Claim
	for _, name := range wanted {
		var seen []segment
		for _, s := range r.texts {
			if s.sequence < 0 && !slices.ContainsFunc(claims, func(o idv.Claim) bool { return overlaps(o.Box, r.boxOf(s)) }) &&
				(statesAlone(name, r.textOf(s.line, s.words), c.zone[name]) || name == nationality && c.codeOnVisa(r, s)) {
				seen = append(seen, s)
			}
		}
		if len(seen) == 1 && seen[0].h > aloneLow*usual && seen[0].h < aloneTall*usual {
			out = append(out, c.asZone(name, seen[0])...)
		}
	}
	return out
}

// codeOnVisa reports whether a text is the code of the state that the zone says the holder of a visa to be of. It stands below the name,
// where a value of the page begins: the code of the state that issued the visa is part of its heading at most.
func (c comparer) codeOnVisa(r *reader, s segment) bool {
	if c.reader.kind != idv.Visa || len(c.zone[nationality]) != 3 || r.textOf(s.line, s.words) != c.zone[nationality] {
		return false
	}
	name, ok := c.read[surname]
	box := r.boxOf(s)
	begins := func(o idv.Claim) bool {
		return o.Box != nil && math.Abs(o.Box.X-box.X)*float64(c.reader.page.Width) < 0.5*s.h && o.Box.Y > name.Box.Y-0.5*box.Height
	}
	return ok && name.Box != nil && box.Y > name.Box.Y+name.Box.Height && slices.ContainsFunc(slices.Collect(maps.Values(c.read)), begins)
}

// asZone is the claim of a text that states what the zone does, if it was surely read.
func (c comparer) asZone(name idv.ClaimName, s segment) []idv.Claim {
	line, from, to := s.line, s.words[0].from, s.words[len(s.words)-1].to
	if mean, least := c.reader.sureOf(line, from, to); !c.reader.page.Limits.Value.holds(mean, least) {
		return nil
	}
	return []idv.Claim{c.claim(name, c.zone[name], line, from, to)}
}

// statesAlone reports whether a text says of itself what the zone does: the word for a people, which is not the state's name, the
// issuer's code, or a number too long to be found anywhere.
func statesAlone(name idv.ClaimName, text, want string) bool {
	switch name {
	case nationality:
		return people(text) != "" && icao.SameState(people(text), want)
	case issuer:
		return len(text) == 3 && text == want
	case personalNumber:
		number := Alphanumerics(text)
		return len(number) > shortNumber && number == Alphanumerics(want) && len(number)-len(letters(number)) >= numberDigits
	}
	return false
}

// usualValue is the middle one of the claims' heights, as a part of the page's; 0 for too few.
func usualValue(claims []idv.Claim) float64 {
	var all []float64
	for _, c := range claims {
		if c.Box != nil {
			all = append(all, c.Box.Height)
		}
	}
	if len(all) < missingPairs {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// boxOf is the box round a segment.
func (r *reader) boxOf(s segment) idv.Box {
	return r.box(s.line, s.words[0].from, s.words[len(s.words)-1].to)
}

// overlaps reports whether the middle of one box is in another.
func overlaps(a *idv.Box, b idv.Box) bool {
	x, y := b.X+b.Width/2, b.Y+b.Height/2
	return a != nil && x > a.X && x < a.X+a.Width && y > a.Y && y < a.Y+a.Height
}
