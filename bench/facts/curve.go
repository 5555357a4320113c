package facts

import joint "github.com/bonafide-id/bonafide/internal/reading"

// Point is what the printed facts would be had the least sure of their characters to be so sure.
type Point struct {
	Least float64 `json:"least"`
	Outcome
}

// leasts are the limits of a curve.
var leasts = []float64{.3, .4, .5, .6, .7, .8, .9, .95}

// curveOf reads the print of the good pictures without a machine-readable zone anew under other limits: nothing else on them
// says the same, so that what is stated wrongly there stays unseen.
func curveOf(readings []reading) []Point {
	var out []Point
	for _, least := range leasts {
		var all sum
		for _, r := range readings {
			if !r.good || r.zone {
				continue
			}
			limits := joint.Measured()
			limits.Least = least
			all.add(judge(r, joint.ReadWith(r.print, joint.Fitted(), limits).Claims, nil))
		}
		if all.pictures > 0 {
			out = append(out, Point{least, all.outcome()})
		}
	}
	return out
}
