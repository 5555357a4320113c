package reading

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
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
func Measured() Limits { return Limits{Sure: idv.SurelyRead, Mean: .9, Least: .65} }

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
		o := p.inLatin(f, s.Choice[f])
		if o.Value == "" {
			continue
		}
		sure := w.Sure(p.SureFeatures(s, f))
		if p.worthAgain(f, o, s.Odds[f] > 0, l) {
			out.Again = append(out.Again, p.again(f, o)...)
		}
		legible := o.Least >= l.Least && o.Mean >= l.Mean && !p.unsureStroke(o)
		switch claim := p.claim(f, o, sure); {
		case sure >= l.Sure && legible:
			out.Claims, out.Fields = append(out.Claims, claim), append(out.Fields, p.fieldOf(f, o.Spans))
		case sure > .5:
			out.Likely = append(out.Likely, claim)
		}
	}
	return out
}

// inLatin is an option of a fact, in Latin letters if the page prints it in these as well: given and family name are then claimed in one script.
func (p *Problem) inLatin(f, at int) Option {
	own := p.Options[f][at]
	for _, o := range p.Options[f] {
		if own.Key != own.Value && o.Value == own.Key && lexicon.IsLatin(o.Value) {
			return o
		}
	}
	return own
}

// claim is an option as a claim.
func (p *Problem) claim(f int, o Option, sure float64) idv.Claim {
	return idv.Claim{Name: FactNames[f], Value: o.Value, Source: idv.FromPrinted, Confidence: min(sure, o.Mean), Box: p.boxOf(o.Spans)}
}

// oddsCap is how far odds count.
const oddsCap = 12

// SureFeatures are what the confidence of a solution's fact is made of: its odds, how far its own witnesses put it before not printed and before
// the next value, and how surely its characters were read. More that the page knows (its family, how many labels are understood, each fact by
// itself, whether the value stays when witnesses are left out) makes confidences no better on pages that they were not fitted to.
func (p *Problem) SureFeatures(s Solution, f int) []Feature {
	o, kind, odds := p.Options[f][s.Choice[f]], kindNames[kindOfFact[f]], clamp(s.Odds[f], -oddsCap, oddsCap)/4
	none, next := o.Score-p.Options[f][0].Score, float64(oddsCap)
	for _, other := range p.Options[f][1:] {
		if other.Key != o.Key {
			next = min(next, o.Score-other.Score)
		}
	}
	out := []Feature{
		{"sure", 1}, {"sure " + kind, 1}, {"sure odds", odds}, {"sure low odds", min(odds, 1)},
		{"sure before none", clamp(none, -oddsCap, oddsCap) / 4}, {"sure before next", clamp(next, -oddsCap, oddsCap) / 4},
		{"sure least", 1 - o.Least}, {"sure mean", 1 - o.Mean},
	}
	if f == fIssue && p.noTerm(s) {
		out = append(out, Feature{"sure issue without a term", 1})
	}
	return out
}

// Sure is the confidence that SureFeatures make, 0–1.
func (w Weights) Sure(features []Feature) float64 { return 1 / (1 + math.Exp(-w.of(features))) }
