package trust

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/pki"
)

// Soon is the time before an expiry in which it is announced.
const Soon = 90 * 24 * time.Hour

// Coverage counts the authorities of one country.
type Coverage struct {
	Country string    `json:"country"`
	Roots   int       `json:"roots"`
	Links   int       `json:"links"`
	Valid   int       `json:"valid"` // roots that are valid now
	Later   int       `json:"valid_in_90_days"`
	Expired int       `json:"expired"`
	Soon    int       `json:"expire_within_90_days"`
	Last    time.Time `json:"last_expiry"`

	LastRoot time.Time `json:"-"` // when the last root expires
}

// Cover counts certificates by country, in the order of the countries.
func Cover(all []*pki.Certificate, now time.Time) []Coverage {
	by := map[string]*Coverage{}
	for _, c := range all {
		v := by[c.Subject.Country]
		if v == nil {
			v = &Coverage{Country: c.Subject.Country}
			by[v.Country] = v
		}
		v.count(c, now)
	}
	out := []Coverage{}
	for _, v := range by {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b Coverage) int { return strings.Compare(a.Country, b.Country) })
	return out
}

func (v *Coverage) count(c *pki.Certificate, now time.Time) {
	if c.SelfIssued() {
		v.Roots++
		if c.NotAfter.After(v.LastRoot) {
			v.LastRoot = c.NotAfter
		}
		if c.ValidAt(now) {
			v.Valid++
		}
		if c.ValidAt(now.Add(Soon)) {
			v.Later++
		}
	} else {
		v.Links++
	}
	switch {
	case now.After(c.NotAfter):
		v.Expired++
	case now.Add(Soon).After(c.NotAfter):
		v.Soon++
	}
	if c.NotAfter.After(v.Last) {
		v.Last = c.NotAfter
	}
}

// Cover counts what the store trusts by country, links included.
func (s *Store) Cover(now time.Time) []Coverage {
	all := slices.Clone(s.links)
	for _, a := range s.Anchors(CSCA, "") {
		all = append(all, a.Certificate)
	}
	return Cover(all, now)
}
