package reading

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Reading is what a page says.
type Reading struct {
	Kind     idv.DocumentKind // idv.UnknownKind where it is not known
	Issuer   string           // ICAO 9303-3 §5 code; empty where it is not known
	Claims   []idv.Claim      // at most one a fact, from idv.FromPrinted, each with the box of its value
	Likely   []idv.Claim      // what is likelier printed than not, but not surely enough to be claimed
	Fields   []Field          // where each claim's value is printed
	Again    []Part           // worth a second look: what is likely a fact and was not read surely, or has no form that a misreading would break
	Numbered bool             // the fields are numbered as those of licences
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
func ReadWith(p Page, m *Model, l Limits) Reading {
	problem := NewProblem(p, m)
	return problem.Read(m.Weights, l)
}

// Read takes the facts out of the page of a problem.
func (p *Problem) Read(w Weights, l Limits) Reading {
	s := p.Solve(w)
	out := Reading{Numbered: p.Family == string(numbered)}
	out.Kind, out.Issuer = p.identity()
	for f := range facts {
		o := p.Options[f][s.Choice[f]]
		if o.Value == "" {
			continue
		}
		sure := w.Sure(p.SureFeatures(s, f))
		if p.worthAgain(f, o, s.Odds[f] > 0, l) {
			out.Again = append(out.Again, p.again(f, o)...)
		}
		legible := o.Least >= l.Least && o.Mean >= l.Mean || p.says(f, s.Choice[f]) == saysSame // whose own limits its claim passed
		switch claim := p.claim(f, o, sure); {
		case sure >= l.Sure && legible:
			out.Claims, out.Fields = append(out.Claims, claim), append(out.Fields, p.fieldOf(f, o.Spans))
		case sure > .5:
			out.Likely = append(out.Likely, claim)
		}
	}
	return out
}

// claim is an option as a claim: the other reader's own, where the value is its alone.
func (p *Problem) claim(f int, o Option, sure float64) idv.Claim {
	if c := p.said(f); o.Said && c != nil {
		out := *c
		out.Confidence = sure
		return out
	}
	return idv.Claim{Name: FactNames[f], Value: o.Value, Source: idv.FromPrinted, Confidence: sure, Box: p.boxOf(o.Spans)}
}

// oddsCap is how far odds count.
const oddsCap = 12

// SureFeatures are what the confidence of a solution's fact is made of: its odds, and how surely its characters were read.
func (p *Problem) SureFeatures(s Solution, f int) []Feature {
	o, kind, odds := p.Options[f][s.Choice[f]], kindNames[kindOfFact[f]], clamp(s.Odds[f], -oddsCap, oddsCap)/4
	out := []Feature{
		{"sure", 1}, {"sure " + string(FactNames[f]), 1}, {"sure odds", odds}, {"sure odds " + kind, odds},
		{"sure odds " + string(FactNames[f]), odds}, {"sure legible " + p.legible, 1}, {"sure page " + p.Family, 1},
		{"sure least", 1 - o.Least}, {"sure mean", 1 - o.Mean}, {"sure mean " + kind, 1 - o.Mean}, {"sure rest", s.rest(f)},
	}
	if p.page.Heard {
		says := p.says(f, s.Choice[f])
		out = append(out, Feature{"sure said " + says, 1}, Feature{"sure said " + says + " " + string(FactNames[f]), 1}, Feature{"sure odds said " + says, odds})
		if o.Said {
			out = append(out, Feature{"sure said alone", 1})
		}
		same, other := p.agreed(s, f)
		out = append(out, Feature{"sure agreed", same}, Feature{"sure agreed said " + says, same}, Feature{"sure contradicted said " + says, other})
	}
	return out
}

// rest is how sure the other facts of a page are, 0–1: where all is plain, the page's layout is one that is understood.
func (s Solution) rest(f int) float64 {
	sum := 0.0
	for g, odds := range s.Odds {
		if g != f {
			sum += clamp(odds, 0, oddsCap)
		}
	}
	return sum / (oddsCap * (facts - 1))
}

// Sure is the confidence that SureFeatures make, 0–1.
func (w Weights) Sure(features []Feature) float64 { return 1 / (1 + math.Exp(-w.of(features))) }
