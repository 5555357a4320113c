package verified

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// spelt returns the value of base as best writes it, and the source that it is written by.
func (c chooser) spelt(base, best int) (string, idv.ClaimSource) {
	value, _ := c.form(best)
	name, by := c.report.Claims[base].Name, c.report.Claims[best].Source
	if base == best || name != idv.FamilyName && name != idv.GivenNames {
		return value, by
	}
	own, _ := c.form(base)
	if c.all.Spell(base, best) {
		if c.all.Cut(base) > 0 {
			return value, by // what is behind the cut may be a part of the name or of a title: nothing tells
		}
		return shortest(strings.Fields(value), own), by
	}
	// The two draw the line between family and given names differently: the words are those of base.
	if words, ok := c.words(best); ok {
		if out, ok := respelt(strings.Fields(own), words); ok {
			return out, by
		}
	}
	return own, c.report.Claims[base].Source
}

// words returns the words of both halves of the name that a claim is a half of; false where it has one half alone.
func (c chooser) words(i int) ([]string, bool) {
	one := c.report.Claims[i]
	other := idv.GivenNames
	if one.Name == idv.GivenNames {
		other = idv.FamilyName
	}
	at := slices.IndexFunc(c.report.Claims, func(o idv.Claim) bool {
		return o.Name == other && o.Source == one.Source && o.Side == one.Side
	})
	if at < 0 {
		return nil, false
	}
	return slices.Concat(strings.Fields(one.Value), strings.Fields(c.report.Claims[at].Value)), true
}

// shortest returns the shortest run of words that still spells a name: print has titles and clauses of birth names beside it, which
// belong to no zone (ICAO 9303-3 §4.6).
func shortest(words []string, name string) string {
	forms := icao.Transliterations(name)
	spells := func(run []string) bool {
		return slices.ContainsFunc(forms, func(form string) bool { return icao.SameNameBare(strings.Join(run, " "), form, 0) })
	}
	for n := 1; n < len(words); n++ {
		for from := 0; from+n <= len(words); from++ {
			if run := words[from : from+n]; spells(run) {
				return strings.Join(run, " ")
			}
		}
	}
	return strings.Join(words, " ")
}

// respelt writes each word of a name as one of the given words spells it; false where one is spelt by none.
func respelt(name, words []string) (string, bool) {
	left := slices.Clone(words)
	out := make([]string, 0, len(name))
	for _, one := range name {
		forms := icao.Transliterations(one)
		at := slices.IndexFunc(left, func(w string) bool {
			return slices.ContainsFunc(forms, func(form string) bool { return icao.SameNameBare(w, form, 0) })
		})
		if at < 0 {
			return "", false
		}
		out = append(out, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return strings.Join(out, " "), true
}
