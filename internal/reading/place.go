package reading

import (
	"math"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Part is a run of characters of a line of the page.
type Part struct {
	Line     int
	From, To int // runes
	Strip    Strip
	Doubted  bool // a number that is the zone's but for a sign or two: however surely it was read, every crop counts
}

// Field is where the value of a claim is printed.
type Field struct {
	Name   idv.ClaimName
	Number string // of the field, as licences print it before the value: "4B"; empty where none is before it
	Parts  []Part // of the value, in reading order; the first begins with the field's number, where there is one, or is it
}

// along is where runes from up to to of a line are on its strip, in pixels from its middle.
func (r row) along(from, to int) (a, b float64) {
	half := r.pitch() / 2
	a, b = r.place(from)-half-r.x, r.place(to-1)+half-r.x
	return math.Max(-r.length/2, a), math.Min(r.length/2, b)
}

// partOf is a run of characters with its place: the line's strip, clipped to the run.
func (p *Problem) partOf(s span) Part {
	r := p.rows[s.row]
	strip := r.strip
	a, b := r.along(s.from, s.to)
	sin, cos := math.Sincos(strip.Tilt)
	strip.X, strip.Y, strip.Length = strip.X+(a+b)/2*cos, strip.Y+(a+b)/2*sin, math.Max(0, b-a)
	return Part{Line: s.row, From: s.from, To: s.to, Strip: strip}
}

// boxOf is the upright box round runs of characters, as parts of the picture.
func (p *Problem) boxOf(spans []span) *idv.Box {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range spans {
		q := p.partOf(s).Strip
		sin, cos := math.Sincos(q.Tilt)
		across, down := (math.Abs(q.Length*cos)+math.Abs(q.Height*sin))/2, (math.Abs(q.Length*sin)+math.Abs(q.Height*cos))/2
		x0, x1, y0, y1 = min(x0, q.X-across), max(x1, q.X+across), min(y0, q.Y-down), max(y1, q.Y+down)
	}
	part := func(v float64, size int) float64 { return clamp(v/float64(max(1, size)), 0, 1) }
	b := idv.Box{X: part(x0, p.page.Width), Y: part(y0, p.page.Height)}
	b.Width, b.Height = part(x1, p.page.Width)-b.X, part(y1, p.page.Height)-b.Y
	return &b
}

// fieldOf is the place of a fact's value, with the number of its field where that is right before it.
func (p *Problem) fieldOf(f int, spans []span) Field {
	out := Field{Name: FactNames[f]}
	for i, s := range spans {
		if i == 0 && p.Family != string(plain) {
			if w, ok := p.numberBefore(s); ok {
				out.Number, s.from = strings.ToUpper(w.text), w.from
			} else if l, ok := p.numberLeftOf(s); ok {
				w := l.words[0]
				out.Number = strings.ToUpper(w.text)
				out.Parts = append(out.Parts, p.partOf(span{l.row, w.from, w.to}))
			}
		}
		out.Parts = append(out.Parts, p.partOf(s))
	}
	return out
}

// numberLeftOf is the field's number that was read as a line of its own, left of a run that begins its line.
func (p *Problem) numberLeftOf(s span) (label, bool) {
	r := p.rows[s.row]
	if len(r.words) == 0 || s.from != r.words[0].from {
		return label{}, false
	}
	c := candidate{x0: r.words[0].x0, x1: r.x1, y: r.y, h: r.h}
	for _, l := range p.labels {
		if rel, _ := relationOf(l, c); l.number && l.row != s.row && rel == leftOf {
			return l, true
		}
	}
	return label{}, false
}

// numberBefore is the field's number that is the last word of a line before a run.
func (p *Problem) numberBefore(s span) (word, bool) {
	words := p.rows[s.row].words
	for i := len(words) - 1; i >= 0; i-- {
		if words[i].to <= s.from {
			return words[i], fieldNumber(words[i].text) && startsField(words, i)
		}
	}
	return word{}, false
}
