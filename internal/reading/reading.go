package reading

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Reading is what a page says.
type Reading struct {
	Claims []idv.Claim // at most one a fact, from idv.FromPrinted
}

// Read takes the facts out of a page. It never fails: what cannot be understood is not in the reading.
func Read(p Page) Reading { return ReadWith(p, Fitted()) }

// ReadWith is Read with other weights.
func ReadWith(p Page, w Weights) Reading {
	problem := NewProblem(p)
	s := problem.Solve(w)
	var out Reading
	for f := range facts {
		o := problem.Options[f][s.Choice[f]]
		if o.Value == "" {
			continue
		}
		sure := 1 / (1 + math.Exp(-s.Odds[f]))
		if sure < leastSure || o.Least < .65 || o.Mean < .9 {
			continue
		}
		out.Claims = append(out.Claims, idv.Claim{Name: FactNames[f], Value: o.Value, Source: idv.FromPrinted, Confidence: sure * o.Least})
	}
	return out
}

// leastSure is how sure a claim must be.
const leastSure = .9
