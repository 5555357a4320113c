package reading

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// guessed is one question about a picture: the guesses at its answer, and which of them is right.
type guessed struct {
	all   []reading.Guess
	right int
}

// guessesOf are the questions what a picture is and who issued it, as far as its truth says so. What a zone says is not used.
func guessesOf(p Picture) (kind, issuer *guessed) {
	p.Page.Kind, p.Page.Issuer = "", ""
	problem := reading.NewProblem(p.Page, &reading.Model{})
	if p.WantKind != "" {
		kind = &guessed{all: problem.Kinds()}
		kind.find(func(v string) bool { return v == string(p.WantKind) })
	}
	if p.WantIssuer != "" {
		issuer = &guessed{all: problem.Issuers()}
		issuer.find(func(v string) bool { return v == p.WantIssuer || icao.SameState(v, p.WantIssuer) })
	}
	return kind, issuer
}

// find marks the guess that is right: "not known" where none is.
func (g *guessed) find(is func(string) bool) {
	for i, o := range g.all {
		if o.Value != "" && is(o.Value) {
			g.right = i
		}
	}
}

// FitIdentity returns the weights by which the right guesses at kind and issuer are the likeliest: a softmax each, by AdaGrad.
func FitIdentity(pictures []Picture) reading.Weights {
	var all []*guessed
	for _, p := range pictures {
		for _, g := range twoOf(guessesOf(p)) {
			if g != nil {
				all = append(all, g)
			}
		}
	}
	w, sum := reading.Weights{}, map[string]float64{}
	rng := rand.New(rand.NewPCG(3, 5))
	for range rounds {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, g := range all {
			g.step(w, sum)
		}
	}
	return w
}

func twoOf(a, b *guessed) []*guessed { return []*guessed{a, b} }

// step moves the weights towards one answer.
func (g *guessed) step(w reading.Weights, sum map[string]float64) {
	scores, most, total := make([]float64, len(g.all)), math.Inf(-1), 0.0
	for i, o := range g.all {
		for _, f := range o.Features {
			scores[i] += w[f.Name] * f.Value
		}
		most = max(most, scores[i])
	}
	for i := range scores {
		scores[i] = math.Exp(scores[i] - most)
		total += scores[i]
	}
	grad := map[string]float64{}
	for i, o := range g.all {
		d := scores[i] / total
		if i == g.right {
			d--
		}
		for _, f := range o.Features {
			grad[f.Name] += d * f.Value
		}
	}
	for name, d := range grad {
		d += ridge * w[name]
		sum[name] += d * d
		w[name] -= rate * d / math.Sqrt(sum[name]+1e-2)
	}
}

// Told counts answers to one question.
type Told struct{ Right, Wrong, Open, Surely, SurelyRight int }

// IdentityScore is how well kinds and issuers are told.
type IdentityScore struct{ Kind, Issuer Told }

// ScoreIdentity scores the joint reader's guesses at limits of certainty of sure.
func ScoreIdentity(pictures []Picture, w reading.Weights, sure float64) IdentityScore {
	var out IdentityScore
	for _, p := range pictures {
		for i, g := range twoOf(guessesOf(p)) {
			if g == nil {
				continue
			}
			value, how := reading.Likeliest(g.all, w)
			to := []*Told{&out.Kind, &out.Issuer}[i]
			to.add(value, value != "" && value == g.all[g.right].Value, how, sure)
		}
	}
	return out
}

func (t *Told) add(value string, right bool, how, sure float64) {
	switch {
	case value == "" || how < sure:
		t.Open++
	case right:
		t.Right++
	default:
		t.Wrong++
	}
	if value != "" && how >= .99 {
		t.Surely++
		if right {
			t.SurelyRight++
		}
	}
}

// String is the table of a score.
func (s IdentityScore) String() string {
	var b strings.Builder
	for i, t := range []Told{s.Kind, s.Issuer} {
		n := t.Right + t.Wrong + t.Open
		right, wrong := bench.RateOf(t.Right, n), bench.RateOf(t.Wrong, n)
		name := []string{"kind", "issuer"}[i]
		fmt.Fprintf(&b, "  %-7s right %s  wrong %s  open %d; at .99 and more %d of %d right\n", name, right, wrong, t.Open, t.SurelyRight, t.Surely)
	}
	return b.String()
}
