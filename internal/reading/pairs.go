package reading

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
)

// Together reports whether two facts may have these options at once: no two facts share a text, and what holds of the days of every
// document holds. f must be less than g.
func (p *Problem) Together(f, a, g, b int) bool {
	if a == 0 || b == 0 {
		return true
	}
	x, y := p.candidate(f, a), p.candidate(g, b)
	if overlaps(x.spans, y.spans) && !p.Free.Texts {
		return false
	}
	if x.kind != aDay || y.kind != aDay {
		return true
	}
	if !p.Free.Order && x.day.Order != calendar.Told && y.day.Order != calendar.Told && x.day.Order != y.day.Order {
		return false
	}
	return p.Free.Days || x.day.Time.Before(y.day.Time)
}

func (p *Problem) candidate(f, at int) *candidate { return &p.all[p.Options[f][at].At] }

// pairedFact reports whether PairFeatures says anything of a fact.
func pairedFact(f int) bool { return f <= fNationality || f == fPersonal || f == fIssuer }

// PairFeatures are what two facts say of each other. f must be less than g, and neither option "not printed".
func (p *Problem) PairFeatures(f, a, g, b int) []Feature {
	x, y := p.candidate(f, a), p.candidate(g, b)
	switch {
	case x.kind == aDay && y.kind == aDay:
		return dayPair(f, g, x, y, p.all)
	case f == fSurname && g == fGiven:
		return namePair(x, y)
	case f == fNationality && g == fIssuer && x.value == y.value:
		return []Feature{{"pair same state", 1}}
	case f == fBirth && g == fPersonal:
		return birthPair(x, y)
	case f == fNumber && g == fPersonal && len(x.value) == len(y.value):
		return []Feature{{"pair numbers of one length", 1}}
	}
	return nil
}

// OwnFeatures are what the rest of a page says of a fact's option, beside its networks: what is the same in another row, goes with it in its own, or
// may be its next row.
func (p *Problem) OwnFeatures(f, at int) []Feature {
	return p.own[f][at]
}

// ownFeatures are OwnFeatures of all options.
func (p *Problem) ownFeatures() (out [facts][][]Feature) {
	below := newOnward(p)
	for f := range facts {
		out[f] = make([][]Feature, len(p.Options[f]))
		for at := 1; at < len(out[f]); at++ {
			out[f][at] = p.ownOf(f, at, below)
		}
	}
	return out
}

func (p *Problem) ownOf(f, at int, below onward) []Feature {
	c := p.candidate(f, at)
	switch c.kind {
	case aNation:
		return p.nationFeatures(f, c)
	case aNumber:
		if slices.ContainsFunc(p.all, func(o candidate) bool {
			return o.kind == aNumber && o.value == c.value && o.spans[0].row != c.spans[0].row
		}) {
			return []Feature{{fmt.Sprintf("own number twice %d", f), 1}}
		}
	case aName, aText:
		return below.features(f, at)
	}
	return nil
}

// nationFeatures say whether other rows name the same state as a candidate, or another one, and whether a sex stands beside it.
func (p *Problem) nationFeatures(f int, c *candidate) []Feature {
	same, other, above, besideSex := false, false, false, false
	for _, o := range p.all {
		switch {
		case o.kind == aSex && o.spans[0].row == c.spans[0].row && !overlaps(o.spans, c.spans):
			besideSex = true
		case o.kind != aNation || o.spans[0].row == c.spans[0].row:
		case o.value == c.value:
			same, above = true, above || o.y < c.y
		default:
			other = true
		}
	}
	var out []Feature
	for _, x := range []struct {
		name string
		is   bool
	}{
		{"same state elsewhere", same}, {"same state above", above}, {"no state elsewhere", !same && !other}, {"other state alone", other && !same},
		{"beside a sex", besideSex},
	} {
		if x.is {
			out = append(out, Feature{"own " + string(FactNames[f]) + " " + x.name, 1})
		}
	}
	return out
}

func dayPair(f, g int, x, y *candidate, all []candidate) []Feature {
	var out []Feature
	switch {
	case f == fIssue && g == fExpiry:
		out = append(out, Feature{"pair issue expiry " + string(termOf(x, y, all)), 1})
	case f == fBirth && g == fIssue:
		age := y.day.Time.Sub(x.day.Time).Hours() / 24 / 365.25
		out = append(out, Feature{fmt.Sprintf("pair birth issue age %d", int(clamp(age/8, 0, 2))), 1})
	case f == fBirth && g == fExpiry && calendar.Term(x.day.Time, y.day.Time):
		out = append(out, Feature{"pair birth expiry term", 1})
	}
	if f == fBirth && g == fExpiry {
		age := y.day.Time.Sub(x.day.Time).Hours() / 24 / 365.25
		out = append(out, Feature{fmt.Sprintf("pair birth expiry age %d", int(clamp(age/6, 0, 3))), 1})
	}
	if math.Abs(x.h-y.h) < .12*math.Max(x.h, y.h) {
		out = append(out, Feature{"pair days alike", 1})
	}
	return out
}

func namePair(x, y *candidate) []Feature {
	var out []Feature
	h := math.Max(x.h, y.h)
	dy, dx := (y.y-x.y)/h, math.Abs(x.x0-y.x0)/h
	switch {
	case dy > .5 && dy < 4.5 && dx < 4 || math.Abs(dy) < .5 && y.x0 > x.x0:
		out = append(out, Feature{"pair names below", 1})
	case dy < -.5 && dy > -4.5 && dx < 4:
		out = append(out, Feature{"pair names reversed", 1})
	default:
		out = append(out, Feature{"pair names apart", 1})
	}
	if math.Abs(x.h-y.h) < .12*h && (x.value == strings.ToUpper(x.value)) == (y.value == strings.ToUpper(y.value)) {
		out = append(out, Feature{"pair names alike", 1})
	}
	return out
}

func birthPair(x, y *candidate) []Feature {
	for _, n := range y.number {
		if n.Checked && slices.Contains(n.Births, x.value) {
			return []Feature{{"pair number states birth", 1}}
		}
	}
	return nil
}
