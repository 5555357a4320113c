package reading

import (
	"maps"
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// outcome is a claim and whether it is right.
type outcome struct {
	features []reading.Feature
	right    bool
}

// calibrations is how often all claims are seen, and sureRidge holds the weights of few claims back, divided among all.
const (
	calibrations = 200
	sureRidge    = .3
)

// Calibrate returns weights with those that make confidences of odds, so that claims of a confidence are right that often: a logistic
// regression on the claims of pictures that the weights were not fitted to.
func Calibrate(m *reading.Model, pictures []Picture) reading.Weights {
	var all []outcome
	for _, p := range pictures {
		all = append(all, outcomesOf(m, p)...)
	}
	out, sum := maps.Clone(m.Weights), map[string]float64{}
	held := sureRidge / float64(max(1, len(all)))
	rng := rand.New(rand.NewPCG(3, 4))
	for range calibrations {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, o := range all {
			g := out.Sure(o.features)
			if o.right {
				g--
			}
			for _, x := range o.features {
				d := g*x.Value + held*out[x.Name]
				sum[x.Name] += d * d
				out[x.Name] -= rate * d / math.Sqrt(sum[x.Name]+1e-2)
			}
		}
	}
	return out
}

func outcomesOf(m *reading.Model, p Picture) []outcome {
	problem := reading.NewProblem(p.Page, m)
	s := problem.Solve(m.Weights)
	var out []outcome
	for f, name := range reading.FactNames {
		value := problem.Options[f][s.Choice[f]].Value
		if value == "" {
			continue
		}
		want, printed := p.Truth[name]
		out = append(out, outcome{problem.SureFeatures(s, f), printed && facts.Same(name, value, want)})
	}
	return out
}
