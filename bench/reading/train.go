package reading

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// example is one fact of one picture: features of each option, and which of the options are right.
type example struct {
	options [][]term
	right   []bool
}

// term is a feature by its place in the table of names.
type term struct {
	at    int32
	value float32
}

// table gives each feature's name a place.
type table struct {
	at    map[string]int32
	names []string
}

func (t *table) terms(features []reading.Feature) []term {
	out := make([]term, 0, len(features))
	for _, f := range features {
		if f.Value == 0 {
			continue
		}
		i, seen := t.at[f.Name]
		if !seen {
			i = int32(len(t.names))
			t.at[f.Name], t.names = i, append(t.names, f.Name)
		}
		out = append(out, term{i, float32(f.Value)})
	}
	return out
}

// rightOptions are the options that state what is printed, or nearly: a letter that was misread is the recogniser's mistake. Where none
// does, "not printed" is right.
func rightOptions(p Picture, problem *reading.Problem, f int) []bool {
	out := make([]bool, len(problem.Options[f]))
	want, printed := p.Truth[reading.FactNames[f]]
	if !printed {
		out[0] = true
		return out
	}
	for _, fits := range []func(string) bool{
		func(v string) bool { return facts.Same(reading.FactNames[f], v, want) },
		func(v string) bool { return nearly(v, want) },
	} {
		for i, o := range problem.Options[f][1:] {
			out[i+1] = fits(o.Value)
		}
		if slices.Contains(out, true) {
			return out
		}
	}
	out[0] = true
	return out
}

// nearly allows one misread letter in three.
func nearly(got string, want facts.Truth) bool {
	a := reading.Alphanumerics(got)
	for _, w := range []string{want.Value, want.Printed} {
		b := reading.Alphanumerics(w)
		if most := len(b) / 3; most > 0 && reading.Distance(a, b, most) <= most {
			return true
		}
	}
	return false
}

// examplesOf are a picture's facts: once alone, and once each beside the others' true values.
func examplesOf(p Picture, t *table) []example {
	problem := reading.NewProblem(p.Page)
	var right [len(reading.FactNames)][]bool
	for f := range right {
		right[f] = rightOptions(p, &problem, f)
	}
	var out []example
	for f := range right {
		alone := example{right: right[f]}
		for _, o := range problem.Options[f] {
			alone.options = append(alone.options, t.terms(o.Features))
		}
		out = append(out, alone, beside(&problem, f, alone, right, t))
	}
	return out
}

// beside is an example with what the other facts' first right options say of its options; what they exclude is left out.
func beside(problem *reading.Problem, f int, alone example, right [len(reading.FactNames)][]bool, t *table) example {
	var out example
	for i := range alone.options {
		terms, ok := slices.Clone(alone.options[i]), true
		for g := range right {
			if g == f || i == 0 {
				continue
			}
			j := slices.Index(right[g], true)
			a, x, b, y := f, i, g, j
			if f > g {
				a, x, b, y = g, j, f, i
			}
			if j <= 0 {
				continue
			}
			if ok = problem.Together(a, x, b, y); !ok {
				break
			}
			terms = append(terms, t.terms(problem.PairFeatures(a, x, b, y))...)
		}
		if ok {
			out.options, out.right = append(out.options, terms), append(out.right, right[f][i])
		}
	}
	return out
}

// Blur replaces the letters of a share of the words that labels are made of by others, where they are no part of what the page states:
// a page in a language that nobody here knows.
func Blur(p Picture, share float64, seed uint64) Picture {
	rng := rand.New(rand.NewPCG(seed, 21))
	stated := map[string]bool{}
	for _, t := range p.Truth {
		for _, w := range strings.Fields(t.Value + " " + t.Printed) {
			stated[reading.Alphanumerics(w)] = true
		}
	}
	other := map[string]string{}
	p.Page.Lines = slices.Clone(p.Page.Lines)
	for i := range p.Page.Lines {
		p.Page.Lines[i].Text = blurred(p.Page.Lines[i].Text, share, stated, other, rng)
	}
	return p
}

func blurred(text string, share float64, stated map[string]bool, other map[string]string, rng *rand.Rand) string {
	runes := []rune(text)
	for i := 0; i < len(runes); {
		j := i
		for j < len(runes) && isLetter(runes[j]) {
			j++
		}
		if w := string(runes[i:j]); j > i && reading.LabelWord(w) && !stated[reading.Alphanumerics(w)] {
			if _, seen := other[w]; !seen {
				other[w] = w
				if rng.Float64() < share {
					other[w] = replaced(w, rng)
				}
			}
			copy(runes[i:j], []rune(other[w]))
		}
		i = max(j, i+1)
	}
	return string(runes)
}

func isLetter(r rune) bool { return strings.ToUpper(string(r)) != strings.ToLower(string(r)) }

// replaced is a word with vowels for vowels and consonants for consonants.
func replaced(word string, rng *rand.Rand) string {
	const vowels, consonants = "aeiou", "bdfghklmnprstvz"
	return strings.Map(func(r rune) rune {
		from := consonants
		if strings.ContainsAny(reading.Alphanumerics(string(r)), "AEIOUY") {
			from = vowels
		}
		n := rune(from[rng.IntN(len(from))])
		if strings.ToUpper(string(r)) == string(r) {
			n += 'A' - 'a'
		}
		return n
	}, word)
}

// Fit options.
const (
	rounds = 10
	rate   = .25  // AdaGrad's
	ridge  = 1e-3 // of each example, on the weights that it has
)

// Fit returns the weights that make the right options of the pictures likeliest: each fact a softmax over its options, alone and beside
// the true values of the others (pseudo-likelihood), by AdaGrad.
func Fit(pictures []Picture, progress func(round int, loss float64)) reading.Weights {
	t := &table{at: map[string]int32{}}
	var all []example
	for _, p := range pictures {
		all = append(all, examplesOf(p, t)...)
	}
	l := learner{w: make([]float64, len(t.names)), sum: make([]float64, len(t.names)), grad: make([]float64, len(t.names))}
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		loss := 0.0
		for _, e := range all {
			loss += l.step(e, rng.Uint64())
		}
		progress(round, loss/float64(len(all)))
	}
	out := reading.Weights{}
	for i, n := range t.names {
		out[n] = l.w[i]
	}
	return out
}

// dropped is the share of the features that an example is learned without, another share each time: no witness may be relied on alone.
const dropped = .25

// learner has weights and what AdaGrad keeps of each.
type learner struct {
	w, sum, grad []float64
	touched      []int32
	p            []float64
}

// counts is what a feature counts in an example; 0 for one that is left out this time. The others count the more.
func (t term) counts(seed uint64) float64 {
	h := (uint64(t.at) ^ seed) * 0x9e3779b97f4a7c15 //nolint:gosec // a place in a table is not negative
	if float64(h>>40)/(1<<24) < dropped {
		return 0
	}
	return float64(t.value) / (1 - dropped)
}

// step moves the weights towards one example, and returns its loss. The seed says which features are left out.
func (l *learner) step(e example, seed uint64) float64 {
	loss, q, total := l.likelihood(e, seed)
	if q <= 0 {
		return 0
	}
	for i, o := range e.options {
		g := l.p[i] / total
		if e.right[i] {
			g -= l.p[i] / q
		}
		if math.Abs(g) < 1e-5 {
			continue
		}
		for _, t := range o {
			if v := t.counts(seed); v != 0 {
				if l.grad[t.at] == 0 {
					l.touched = append(l.touched, t.at)
				}
				l.grad[t.at] += g * v
			}
		}
	}
	for _, at := range l.touched {
		if g := l.grad[at]; g != 0 {
			g += ridge * l.w[at]
			l.sum[at] += g * g
			l.w[at] -= rate * g / math.Sqrt(l.sum[at]+1e-2)
		}
		l.grad[at] = 0
	}
	l.touched = l.touched[:0]
	return loss
}

// likelihood fills in how likely each option is, and returns the loss, what the right options count and what all count.
func (l *learner) likelihood(e example, seed uint64) (loss, right, total float64) {
	l.p = l.p[:0]
	most := math.Inf(-1)
	for _, o := range e.options {
		sum := 0.0
		for _, t := range o {
			sum += l.w[t.at] * t.counts(seed)
		}
		l.p = append(l.p, sum)
		most = max(most, sum)
	}
	for i := range l.p {
		l.p[i] = math.Exp(l.p[i] - most)
		total += l.p[i]
		if e.right[i] {
			right += l.p[i]
		}
	}
	return math.Log(total / right), right, total
}
