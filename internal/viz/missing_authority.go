package viz

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// lostAuthority adds the place of a European licence's field 4c of which nothing was read: on the row of the day of issue, right of it
// (directive 2006/126/EC, annex I).
func (r *reader) lostAuthority(out []Strip) []Strip {
	issued, ok := r.found[dateOfIssue]
	if !ok || r.american || !r.numbers || r.kind != idv.DrivingLicence || r.hasLabel(authority) || !r.hasMarker("4A") {
		return out
	}
	s := issued.segment
	return r.ask(out, s.x1+s.h, s.y, s.h, math.Min(valueLong*s.h, float64(r.page.Width)-s.x1-2*s.h), true)
}
