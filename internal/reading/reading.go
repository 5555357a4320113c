package reading

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Reading is what a page says.
type Reading struct {
	Claims []idv.Claim // at most one a fact, from idv.FromPrinted
}

// Limits are how surely a claim must be read, 0–1.
type Limits struct {
	Sure  float64 // that the text is the fact
	Mean  float64 // of its characters
	Least float64 // of the least sure of them
}

// Measured returns the limits that Read uses.
func Measured() Limits { return Limits{Sure: .9, Mean: .9, Least: .65} }

// Read takes the facts out of a page. It never fails: what cannot be understood is not in the reading.
func Read(p Page) Reading { return ReadWith(p, Fitted(), Measured()) }

// ReadWith is Read with other weights and limits.
func ReadWith(p Page, w Weights, l Limits) Reading {
	problem := NewProblem(p)
	return problem.Read(w, l)
}

// Read takes the facts out of the page of a problem.
func (p *Problem) Read(w Weights, l Limits) Reading {
	s := p.Solve(w)
	var out Reading
	for f := range facts {
		o := p.Options[f][s.Choice[f]]
		if o.Value == "" {
			continue
		}
		sure := 1 / (1 + math.Exp(-s.Odds[f]))
		if sure < l.Sure || o.Least < l.Least || o.Mean < l.Mean {
			continue
		}
		out.Claims = append(out.Claims, idv.Claim{Name: FactNames[f], Value: o.Value, Source: idv.FromPrinted, Confidence: sure})
	}
	return out
}
