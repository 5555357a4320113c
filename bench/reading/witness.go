package reading

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bonafide-id/bonafide/internal/reading"
)

// How the weights of witnesses are fitted.
const (
	rounds = 8
	rate   = .25 // AdaGrad's
	ridge  = 1e-3
)

// choices are a fact's options: what the network says of them, and what the true values of the other facts do.
type choices struct {
	scores []float64
	beside [][]reading.Feature
	open   []bool // the other facts' true values do not exclude it
	right  []bool // more than one may be
}

// choicesOf are those of a picture's facts.
func choicesOf(p Picture, m *reading.Model) []choices {
	problem := reading.NewProblem(p.Page, m)
	var right [factCount][]bool
	for f := range right {
		right[f] = rightOptions(p, &problem, f)
	}
	out := make([]choices, factCount)
	for f := range out {
		c := choices{right: right[f]}
		for i, o := range problem.Options[f] {
			features, open := beside(&problem, f, i, right)
			c.scores, c.beside, c.open = append(c.scores, o.Score), append(c.beside, features), append(c.open, open)
		}
		out[f] = c
	}
	return out
}

// beside are what the other facts' first right options say of an option; false where they exclude it.
func beside(problem *reading.Problem, f, i int, right [factCount][]bool) (features []reading.Feature, open bool) {
	if i == 0 {
		return nil, true
	}
	features = problem.OwnFeatures(f, i)
	for g := range right {
		j := slices.Index(right[g], true)
		if g == f || j <= 0 {
			continue
		}
		a, x, b, y := f, i, g, j
		if f > g {
			a, x, b, y = g, j, f, i
		}
		if !problem.Together(a, x, b, y) {
			return nil, false
		}
		features = append(features, problem.PairFeatures(a, x, b, y)...)
	}
	return features, true
}

// FitWitnesses returns the weights of what the facts of a page say of each other: those by which the right options of pictures are likeliest
// beside what the network says and the true values of the other facts (pseudo-likelihood).
func FitWitnesses(m *reading.Model, pictures []Picture, progress func(round int, loss float64)) reading.Weights {
	with := reading.Model{Nets: m.Nets, Weights: reading.Weights{}}
	var all []choices
	for _, p := range pictures {
		all = append(all, choicesOf(p, &with)...)
	}
	l := fitter{weights: reading.Weights{}, sum: map[string]float64{}}
	rng := rand.New(rand.NewPCG(5, 9))
	for round := range rounds {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		loss := 0.0
		for _, c := range all {
			loss += l.step(c)
		}
		progress(round, loss/float64(max(1, len(pictures))))
	}
	return l.weights
}

// fitter has weights and what AdaGrad keeps of each.
type fitter struct {
	weights reading.Weights
	sum     map[string]float64
}

// step moves the weights towards one fact's right options; it returns the loss.
func (l *fitter) step(c choices) float64 {
	p, most := make([]float64, len(c.scores)), math.Inf(-1)
	for i, s := range c.scores {
		p[i] = s
		for _, f := range c.beside[i] {
			p[i] += l.weights[f.Name] * f.Value
		}
		if !c.open[i] {
			p[i] = math.Inf(-1)
		}
		most = max(most, p[i])
	}
	total, right := 0.0, 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		total += p[i]
		if c.right[i] {
			right += p[i]
		}
	}
	if right <= 0 {
		return 0
	}
	grad := map[string]float64{}
	for i := range p {
		g := p[i] / total
		if c.right[i] {
			g -= p[i] / right
		}
		if math.Abs(g) < 1e-6 {
			continue
		}
		for _, f := range c.beside[i] {
			grad[f.Name] += g * f.Value
		}
	}
	l.move(grad)
	return math.Log(total / right)
}

// move moves the weights against a gradient.
func (l *fitter) move(grad map[string]float64) {
	for name, g := range grad {
		g += ridge * l.weights[name]
		l.sum[name] += g * g
		l.weights[name] -= rate * g / math.Sqrt(l.sum[name]+1e-2)
	}
}
