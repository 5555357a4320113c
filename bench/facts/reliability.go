package facts

import (
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Trust is how often printed claims of at least a confidence are what the page prints as that fact.
type Trust struct {
	Confidence float64    `json:"confidence"` // at least
	Right      bench.Rate `json:"right"`      // of the claims that are so sure
}

// confidences are the points of a reliability curve.
var confidences = []float64{0, .5, .7, .8, .9, .95, .98, .99, .995}

// reliabilityOf is over all pictures. A claim that the page does not print as that fact is not right; one that is filled from the
// zone is left out, because it is no reading.
func reliabilityOf(readings []reading) []Trust {
	right, all := make([]int, len(confidences)), make([]int, len(confidences))
	for _, r := range readings {
		for _, c := range r.claims {
			if c.Source != idv.FromPrinted || !slices.Contains(asked, c.Name) || slices.Contains(r.filled, c.Name) {
				continue
			}
			ok := slices.ContainsFunc(r.truth, func(t Truth) bool { return t.Name == c.Name && equal(c.Name, c.Value, t) })
			for i, least := range confidences {
				if c.Confidence < least {
					continue
				}
				all[i]++
				if ok {
					right[i]++
				}
			}
		}
	}
	var out []Trust
	for i, least := range confidences {
		if all[i] > 0 {
			out = append(out, Trust{least, bench.RateOf(right[i], all[i])})
		}
	}
	return out
}
