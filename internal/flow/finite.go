package flow

import (
	"fmt"
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// A number that is none (NaN, infinite) means that something could not be measured. It must not reach a report,
// which could then be neither encoded nor digested: the question counts as not asked.

func finiteFinding(f idv.Finding) error {
	for what, v := range map[string]*float64{"score": f.Score, "threshold": f.Threshold, "refer_below": f.ReferBelow} {
		if v != nil && !finite(*v) {
			return fmt.Errorf("%s is %v", what, *v)
		}
	}
	for what, v := range f.Measures {
		if !finite(v) {
			return fmt.Errorf("measure %s is %v", what, v)
		}
	}
	return nil
}

func finiteClaims(claims []idv.Claim) error {
	for _, c := range claims {
		ok := finite(c.Confidence)
		if b := c.Box; b != nil {
			ok = ok && finite(b.X) && finite(b.Y) && finite(b.Width) && finite(b.Height)
		}
		if !ok {
			return fmt.Errorf("claim %s from %s has a confidence or box that is no number", c.Name, c.Source)
		}
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
