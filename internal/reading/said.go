package reading

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// What another reader says of a fact, next to a value.
const (
	saysNothing = "nothing"
	saysSame    = "same"
	saysOther   = "other"
)

// said is what the other reader states of a fact; nil: nothing.
func (p *Problem) said(f int) *idv.Claim {
	if !p.page.Heard {
		return nil
	}
	if i := slices.IndexFunc(p.page.Said, func(c idv.Claim) bool { return c.Name == FactNames[f] }); i >= 0 {
		return &p.page.Said[i]
	}
	return nil
}

// hear adds what the other reader says to the scores. A value of its that no candidate has becomes an option.
func (p *Problem) hear(w Weights) {
	if !p.page.Heard {
		return
	}
	for f := range p.Options {
		if c := p.said(f); c != nil && !slices.ContainsFunc(p.Options[f][1:], func(o Option) bool { return sameValue(f, o.Value, c.Value) }) {
			p.add(f, *c)
		}
		for i := range p.Options[f] {
			p.Options[f][i].Score += w.of(p.SaidFeatures(f, i))
		}
	}
}

// add makes an option of a claim. Where it is printed is not known.
func (p *Problem) add(f int, claim idv.Claim) {
	c := candidate{kind: kindOfFact[f], value: claim.Value, mean: 1, least: 1, h: 1}
	if t, err := time.Parse(time.DateOnly, claim.Value); err == nil {
		c.day.time = t
	}
	p.Options[f] = append(p.Options[f], Option{Value: claim.Value, Score: p.Options[f][0].Score, Least: 1, Mean: 1, At: len(p.all), Said: true})
	p.all = append(p.all, c)
}

// SaidFeatures are what the other reader says of an option.
func (p *Problem) SaidFeatures(f, at int) []Feature {
	if !p.page.Heard {
		return nil
	}
	o, claim := p.Options[f][at], p.said(f)
	kind := kindNames[kindOfFact[f]]
	switch {
	case claim == nil && at == 0:
		return []Feature{{"said nothing", 1}, {"said nothing " + string(FactNames[f]), 1}}
	case claim == nil || at == 0:
		return nil
	case o.Said:
		return []Feature{{"said alone", 1}, {"said alone " + kind, 1}, {"said alone " + string(FactNames[f]), 1}}
	case sameValue(f, o.Value, claim.Value):
		return []Feature{{"said", 1}, {"said " + kind, 1}, {"said " + string(FactNames[f]), 1}}
	}
	return nil
}

// says is what the other reader says next to an option.
func (p *Problem) says(f, at int) string {
	claim := p.said(f)
	switch {
	case claim == nil:
		return saysNothing
	case at > 0 && sameValue(f, p.Options[f][at].Value, claim.Value):
		return saysSame
	}
	return saysOther
}

// agreed is how many of the page's other facts the other reader states as a solution has them, and how many otherwise, in tens: one that is
// right about them is credible.
func (p *Problem) agreed(s Solution, f int) (same, other float64) {
	for g := range facts {
		if g == f || p.said(g) == nil {
			continue
		}
		if p.says(g, s.Choice[g]) == saysSame {
			same += .1
		} else {
			other += .1
		}
	}
	return same, other
}

// sameValue reports whether two values of a fact are one but for signs between their letters.
func sameValue(f int, a, b string) bool {
	if a == b {
		return true
	}
	if k := kindOfFact[f]; k == aNumber || k == aText {
		return Alphanumerics(a) == Alphanumerics(b)
	}
	return false
}
