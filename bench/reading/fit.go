package reading

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/reading"
)

// How the judge is fitted.
const (
	rounds     = 8
	rate       = .25 // AdaGrad's, of the linear weights
	judgeRate  = .04 // of the network
	ridge      = 1e-3
	judgeRidge = 2e-5
	dropped    = .2 // share of the inputs that a page is learned without, another share each time: no witness may be relied on alone
)

// facts is how many facts a page is solved for.
const factCount = len(reading.FactNames)

// example is one page: inputs of its candidates, and for each fact its options.
type example struct {
	candidates [][]term // the first one: of what is not printed
	facts      [factCount]choices
}

// choices are a fact's options: alone, and beside the true values of the other facts.
type choices struct {
	at     []int32  // of the candidates
	right  []bool   // more than one may be
	beside [][]term // what the other facts say of the option; nil: excluded by them
	open   []bool
}

// exampleOf is a picture's facts.
func exampleOf(p Picture, m *reading.Model, inputs, pairs *table) example {
	problem := reading.NewProblem(p.Page, m)
	var right [factCount][]bool
	for f := range right {
		right[f] = rightOptions(p, &problem, f)
	}
	e := example{candidates: [][]term{inputs.terms(problem.Absence)}}
	at := map[int]int32{}
	for f := range right {
		c := choices{right: right[f]}
		for i, o := range problem.Options[f] {
			k := int32(0)
			if i > 0 {
				var seen bool
				if k, seen = at[o.At]; !seen {
					k = int32(len(e.candidates)) //nolint:gosec // pages have some hundred candidates
					at[o.At], e.candidates = k, append(e.candidates, inputs.terms(problem.Inputs[o.At]))
				}
			}
			c.at = append(c.at, k)
			terms, open := beside(&problem, f, i, right, pairs)
			c.beside, c.open = append(c.beside, terms), append(c.open, open)
		}
		e.facts[f] = c
	}
	return e
}

// beside are what the other facts' first right options say of an option; false where they exclude it.
func beside(problem *reading.Problem, f, i int, right [factCount][]bool, pairs *table) (terms []term, open bool) {
	if i == 0 {
		return nil, true
	}
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
		terms = append(terms, pairs.terms(problem.PairFeatures(a, x, b, y))...)
	}
	return terms, true
}

// examplesOf are the examples of pictures, made by all processors; the tables are filled in order.
func examplesOf(pictures []Picture, m *reading.Model, inputs, pairs *table) []example {
	out := make([]example, len(pictures))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				out[i] = exampleOf(pictures[i], m, inputs, pairs)
			}
		})
	}
	for i := range pictures {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

// Set is pictures with the network of senses that they are learned with: one that has not seen their words, so that the judge learns how far
// senses can be relied on.
type Set struct {
	Pictures []Picture
	Senses   *reading.SenseNet
}

// Fit returns the model that makes the right options of the sets' pictures likeliest: each fact a softmax over its options, alone and beside
// the true values of the others (pseudo-likelihood), by AdaGrad. The model has the senses that it is given.
func Fit(sets []Set, senses *reading.SenseNet, progress func(round int, loss float64)) *reading.Model {
	inputs, pairs := newTable(), newTable()
	var all []example
	for _, s := range sets {
		all = append(all, examplesOf(s.Pictures, &reading.Model{Senses: s.Senses}, inputs, pairs)...)
	}
	l := newLearner(len(inputs.names), len(pairs.names))
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		l.rate = judgeRate * (1 - .8*float64(round)/rounds)
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		loss, n := 0.0, 0
		for _, e := range all {
			x, k := l.step(e, rng.Uint64())
			loss, n = loss+x, n+k
		}
		progress(round, loss/float64(max(1, n)))
	}
	return l.model(inputs, pairs, senses)
}

// hidden is what the hidden units have.
type hidden = [reading.JudgeWidth]float32

// layer is what is learned of the judge, or what AdaGrad keeps of it, or its gradient.
type layer struct {
	in     []hidden
	direct [][factCount]float32
	bias   hidden
	out    [factCount]hidden
}

func newLayer(n int) layer {
	return layer{in: make([]hidden, n), direct: make([][factCount]float32, n)}
}

// learner has the weights, what AdaGrad keeps of each, and the gradient of a page.
type learner struct {
	w, sum, grad       layer
	pairs, pairSum     []float64
	pairGrad           []float64
	touched            []int32
	isTouched          []bool
	pairTouched        []int32
	rate               float64
	hiddens            []hidden
	scores, scoreGrads [][factCount]float32
}

func newLearner(inputs, pairs int) *learner {
	l := &learner{
		w: newLayer(inputs), sum: newLayer(inputs), grad: newLayer(inputs), isTouched: make([]bool, inputs),
		pairs: make([]float64, pairs), pairSum: make([]float64, pairs), pairGrad: make([]float64, pairs),
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range l.w.in {
		for k := range l.w.in[i] {
			l.w.in[i][k] = float32(rng.NormFloat64() * .12)
		}
	}
	for f := range l.w.out {
		for k := range l.w.out[f] {
			l.w.out[f][k] = float32(rng.NormFloat64() * .15)
		}
	}
	return l
}

// counts is what a term counts; 0 for one that is left out this time. The others count the more.
func (t term) counts(seed uint64) float32 {
	h := (uint64(t.at) ^ seed) * 0x9e3779b97f4a7c15 //nolint:gosec // a place in a table is not negative
	if float64(h>>40)/(1<<24) < dropped {
		return 0
	}
	return t.value / (1 - dropped)
}

// step moves the weights towards one page, and returns its loss and of how many softmaxes. The seed says which inputs are left out.
func (l *learner) step(e example, seed uint64) (loss float64, n int) {
	l.forward(e, seed)
	l.scoreGrads = slices.Grow(l.scoreGrads[:0], len(e.candidates))[:len(e.candidates)]
	clear(l.scoreGrads)
	for f := range e.facts {
		for _, alone := range []bool{true, false} {
			x, ok := l.softmax(f, &e.facts[f], alone)
			if ok {
				loss, n = loss+x, n+1
			}
		}
	}
	l.backward(e, seed)
	l.move()
	return loss, n
}

func (l *learner) forward(e example, seed uint64) {
	l.hiddens = slices.Grow(l.hiddens[:0], len(e.candidates))[:len(e.candidates)]
	l.scores = slices.Grow(l.scores[:0], len(e.candidates))[:len(e.candidates)]
	for i, terms := range e.candidates {
		h, s := l.w.bias, [factCount]float32{}
		for _, t := range terms {
			v := t.counts(seed)
			if v == 0 {
				continue
			}
			for k, w := range &l.w.in[t.at] {
				h[k] += v * w
			}
			for f, w := range &l.w.direct[t.at] {
				s[f] += v * w
			}
		}
		for f := range s {
			for k, x := range &h {
				if x > 0 {
					s[f] += x * l.w.out[f][k]
				}
			}
		}
		l.hiddens[i], l.scores[i] = h, s
	}
}

// softmax adds the gradient of one fact's softmax, and returns its loss; false where no right option is open.
func (l *learner) softmax(f int, c *choices, alone bool) (float64, bool) {
	var room [512]float64
	p := room[:0]
	most := math.Inf(-1)
	for i, at := range c.at {
		x := float64(l.scores[at][f])
		switch {
		case alone:
		case !c.open[i]:
			x = math.Inf(-1)
		default:
			for _, t := range c.beside[i] {
				x += l.pairs[t.at] * float64(t.value)
			}
		}
		p, most = append(p, x), max(most, x)
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
		return 0, false
	}
	for i, at := range c.at {
		g := p[i] / total
		if c.right[i] {
			g -= p[i] / right
		}
		if math.Abs(g) < 1e-5 {
			continue
		}
		l.scoreGrads[at][f] += float32(g)
		if !alone {
			for _, t := range c.beside[i] {
				if l.pairGrad[t.at] == 0 {
					l.pairTouched = append(l.pairTouched, t.at)
				}
				l.pairGrad[t.at] += g * float64(t.value)
			}
		}
	}
	return math.Log(total / right), true
}

func (l *learner) backward(e example, seed uint64) {
	for i, terms := range e.candidates {
		g := &l.scoreGrads[i]
		var most float32
		for _, x := range g {
			most = max(most, x, -x)
		}
		if most < 1e-3 {
			continue
		}
		var down hidden
		h := &l.hiddens[i]
		for f, x := range g {
			if x == 0 {
				continue
			}
			for k, u := range h {
				if u > 0 {
					down[k] += x * l.w.out[f][k]
					l.grad.out[f][k] += x * u
				}
			}
		}
		for k, x := range &down {
			l.grad.bias[k] += x
		}
		for _, t := range terms {
			v := t.counts(seed)
			if v == 0 {
				continue
			}
			if !l.isTouched[t.at] {
				l.isTouched[t.at], l.touched = true, append(l.touched, t.at)
			}
			for k, x := range &down {
				l.grad.in[t.at][k] += v * x
			}
			for f, x := range g {
				l.grad.direct[t.at][f] += v * x
			}
		}
	}
}

// move moves the weights against the gradient of the page, and clears it.
func (l *learner) move() {
	r := float32(l.rate)
	adagrad := func(w, sum, grad []float32) {
		for k, g := range grad {
			if g == 0 {
				continue
			}
			g += judgeRidge * w[k]
			sum[k] += g * g
			w[k] -= r * g / float32(math.Sqrt(float64(sum[k])+1e-2))
			grad[k] = 0
		}
	}
	for _, at := range l.touched {
		adagrad(l.w.in[at][:], l.sum.in[at][:], l.grad.in[at][:])
		adagrad(l.w.direct[at][:], l.sum.direct[at][:], l.grad.direct[at][:])
		l.isTouched[at] = false
	}
	adagrad(l.w.bias[:], l.sum.bias[:], l.grad.bias[:])
	for f := range l.w.out {
		adagrad(l.w.out[f][:], l.sum.out[f][:], l.grad.out[f][:])
	}
	for _, at := range l.pairTouched {
		if g := l.pairGrad[at]; g != 0 {
			g += ridge * l.pairs[at]
			l.pairSum[at] += g * g
			l.pairs[at] -= rate * g / math.Sqrt(l.pairSum[at]+1e-2)
		}
		l.pairGrad[at] = 0
	}
	l.touched, l.pairTouched = l.touched[:0], l.pairTouched[:0]
}

// model is what was learned.
func (l *learner) model(inputs, pairs *table, senses *reading.SenseNet) *reading.Model {
	m := &reading.Model{Senses: senses, Weights: reading.Weights{"sure odds": 4}}
	for i, n := range pairs.names {
		m.Weights[n] = l.pairs[i]
	}
	j := &reading.Judge{At: inputs.at, In: l.w.in, Direct: l.w.direct, Bias: l.w.bias, Out: l.w.out}
	m.Judge = j
	return m
}
