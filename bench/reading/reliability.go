package reading

import (
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// steps are the confidences between which claims are counted.
var steps = []float64{0, .5, .7, .8, .9, .95, .97, .99, .995, .999, 1.01}

// Reliability is a table of how many of the claims of a confidence are right, whatever their confidence.
func Reliability(pictures []Picture, m *reading.Model) string {
	right, all := make([]int, len(steps)), make([]int, len(steps))
	for _, p := range pictures {
		for _, c := range reading.ReadWith(p.Page, m, reading.Limits{}).Claims {
			k := 0
			for k+2 < len(steps) && c.Confidence >= steps[k+1] {
				k++
			}
			all[k]++
			if want, printed := p.Truth[c.Name]; printed && facts.Same(c.Name, c.Value, want) {
				right[k]++
			}
		}
	}
	var b strings.Builder
	for k := range len(steps) - 1 {
		fmt.Fprintf(&b, "  confidence %.3f–%.3f: %5d claims, %5.1f %% right\n", steps[k], min(1, steps[k+1]), all[k], 100*float64(right[k])/float64(max(1, all[k])))
	}
	return b.String()
}
