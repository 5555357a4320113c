package reading

import (
	"maps"
	"math"
	"math/rand/v2"

	"github.com/bonafide-id/bonafide/internal/reading"
)

// Hear gives pictures what viz says of them as a witness.
func Hear(pictures []Picture) {
	for i := range pictures {
		pictures[i].Page.Heard, pictures[i].Page.Said = true, Old(pictures[i].Page)
	}
}

// heard is a fact's options: what counts for each without the other reader, and what that says.
type heard struct {
	scores   []float64
	features [][]reading.Feature
	right    []bool
}

func heardOf(m *reading.Model, p Picture) []heard {
	problem := reading.NewProblem(p.Page, m)
	out := make([]heard, 0, factCount)
	for f := range factCount {
		h := heard{right: rightOptions(p, &problem, f)}
		for i, o := range problem.Options[f] {
			h.scores, h.features = append(h.scores, o.Score), append(h.features, problem.SaidFeatures(f, i))
		}
		out = append(out, h)
	}
	return out
}

// FitSaid returns the model's weights with those of what the other reader says, by which the right options of pictures are likeliest.
func FitSaid(m *reading.Model, pictures []Picture) reading.Weights {
	with := *m
	with.Weights = maps.Clone(m.Weights)
	maps.DeleteFunc(with.Weights, func(name string, _ float64) bool { return len(name) >= 4 && name[:4] == "said" })
	var all []heard
	for _, p := range pictures {
		all = append(all, heardOf(&with, p)...)
	}
	out, sum := with.Weights, map[string]float64{}
	rng := rand.New(rand.NewPCG(5, 9))
	for range 3 * rounds {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, h := range all {
			h.step(out, sum)
		}
	}
	return out
}

// step moves the weights towards one fact's right options.
func (h heard) step(w reading.Weights, sum map[string]float64) {
	p, most := make([]float64, len(h.scores)), math.Inf(-1)
	for i, s := range h.scores {
		p[i] = s
		for _, f := range h.features[i] {
			p[i] += w[f.Name] * f.Value
		}
		most = max(most, p[i])
	}
	total, right := 0.0, 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		total += p[i]
		if h.right[i] {
			right += p[i]
		}
	}
	if right <= 0 {
		return
	}
	grad := map[string]float64{}
	for i := range p {
		g := p[i] / total
		if h.right[i] {
			g -= p[i] / right
		}
		for _, f := range h.features[i] {
			grad[f.Name] += g * f.Value
		}
	}
	for name, g := range grad {
		g += ridge * w[name]
		sum[name] += g * g
		w[name] -= rate * g / math.Sqrt(sum[name]+1e-2)
	}
}
