// Package crosscheck asks whether what different sources state about one
// person and one document is the same: what the integrator claimed, what is
// printed, what the machine readable zone and what the bar code say.
//
// Two statements of a fact are never compared for equality. Names agree when
// one is an allowed transliteration of the other, cut or ordered as ICAO 9303-3
// §4.6 allows; dates when their known parts are the same; numbers when only
// spaces, dashes and letters that look like digits differ. A pair that cannot
// be compared (a name in Chinese letters beside its Latin form) says nothing.
//
// Agreement shows consistency, never authenticity: a bar code is unsigned.
package crosscheck

import "github.com/bonafide-id/bonafide/internal/idv"

// Checkers returns the checkers of this package.
func Checkers() []idv.Checker {
	return []idv.Checker{FactsAgree{}, SidesBelong{}, ClaimsMatch{}, AgeLimit{}}
}
