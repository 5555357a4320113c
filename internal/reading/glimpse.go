package reading

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// side is where a text is, seen from a candidate.
type side int

const (
	onLeft side = iota
	onTop
	onHigher // above, with a row between
	onBottom
	onColumn // left, in another column
	onRight
	sides
)

var sideNames = [sides]string{"left", "top", "higher", "bottom", "column", "right"}

// neighbour is the nearest text on one side of a candidate.
type neighbour struct {
	piece
	far float64 // in heights
}

// inputNames are the names of inputs that are made for each side and sense or fact.
var inputNames = func() (out struct {
	sense [sides][Senses]string
	fits  [sides][facts + 1]string
	field [sides][facts + 1]string
	lead  [Senses]string
	own   [Senses]string
}) {
	for s, name := range sideNames {
		for c, sense := range senseNames {
			out.sense[s][c] = name + " sense " + sense
			out.own[c] = "own sense " + sense
		}
		for f := range facts + 1 {
			what := "another"
			if f < facts {
				what = string(FactNames[f])
			}
			out.fits[s][f], out.field[s][f] = name+" label "+what, name+" number "+what
		}
	}
	for c, sense := range senseNames {
		out.lead[c] = "lead sense " + sense
	}
	return out
}()

// sideOf is where the page has its labels: where the texts beside candidates are most often labels of what these can be. The last side where
// none is.
func (v view) sideOf() side {
	var votes [sides]float64
	seen := map[span]bool{}
	for i, c := range v.all {
		if seen[c.spans[0]] || c.late && c.kind == aText {
			continue
		}
		seen[c.spans[0]] = true
		for s, n := range v.around[i] {
			if n == nil || side(s) == onHigher {
				continue
			}
			p := v.senseOf(n.text(v.rows))
			for f, k := range kindOfFact {
				if k == c.kind {
					votes[s] += float64(p[f])
				}
			}
		}
	}
	best := sides - 1
	for s, n := range votes {
		if n > votes[best]+.8 || best != sides-1 && n > votes[best] {
			best = side(s)
		}
	}
	return best
}

// glimpse are the inputs of the network for one candidate, whatever fact it may be.
func (v view) glimpse(i int) []Feature {
	c := v.all[i]
	out := slices.Clone(v.own[i])
	out = append(out,
		Feature{"kind " + kindNames[c.kind], 1}, Feature{"page " + string(v.family), 1},
		Feature{"page lean " + string(v.lean), 1}, Feature{"page legible " + v.legible, 1})
	if v.page.Kind != "" {
		out = append(out, Feature{"page kind " + string(v.page.Kind), 1})
	}
	out = v.senseInputs(out, inputNames.own[:], v.textOf(c))
	lead := v.around[i][v.side]
	if v.side != sides-1 && lead != nil {
		out = v.senseInputs(out, inputNames.lead[:], lead.text(v.rows))
	}
	out = append(out,
		Feature{"page side " + sideNames[v.side], 1}, Feature{fmt.Sprintf("page side %s %t", sideNames[v.side], lead != nil), 1},
		Feature{fmt.Sprintf("lead %t", lead != nil), 1})
	for s, n := range v.around[i] {
		if n == nil {
			out = append(out, Feature{sideNames[s] + " nothing", 1})
			continue
		}
		out = v.neighbourInputs(out, side(s), *n, c)
	}
	return v.fitInputs(out, c)
}

// leastSense is how likely a sense is at least that is an input.
const leastSense = .02

func (v view) senseInputs(out []Feature, names []string, text string) []Feature {
	for c, p := range v.senseOf(text) {
		if p > leastSense {
			out = append(out, Feature{names[c], float64(p)})
		}
	}
	return out
}

// senseOf is the sense of a text, which is looked up once a page.
func (v view) senseOf(text string) [Senses]float32 {
	if v.net == nil {
		return [Senses]float32{}
	}
	p, seen := v.senses[text]
	if !seen {
		p = v.net.Of(text)
		v.senses[text] = p
	}
	return p
}

func (v view) neighbourInputs(out []Feature, s side, n neighbour, c candidate) []Feature {
	name, text := sideNames[s], n.text(v.rows)
	out = append(out, Feature{fmt.Sprintf("%s far %d", name, min(int(2*n.far), 6)), 1}, Feature{name + " far", min(n.far, 8) / 8})
	switch ratio := math.Log(n.h / c.h); {
	case ratio < -.12:
		out = append(out, Feature{name + " smaller", 1}, Feature{name + " much smaller", clamp(-ratio, 0, 1)})
	case ratio > .12:
		out = append(out, Feature{name + " larger", clamp(ratio, 0, 1)})
	default:
		out = append(out, Feature{name + " as tall", 1})
	}
	if s != onLeft && s != onColumn && s != onRight && math.Abs(n.x0-c.x0) < .7*c.h {
		out = append(out, Feature{name + " flush", 1})
	}
	form := " mixed"
	switch {
	case hasFigure(text) && len(letters(text)) < 2:
		form = " figures"
	case hasFigure(text):
		form = " letters and figures"
	case allCapitals(text):
		form = " capitals"
	case startsSmall(text):
		form = " small letters"
	}
	out = append(out, Feature{name + form, 1}, Feature{fmt.Sprintf("%s words %d", name, min(len(n.words), 5)), 1})
	if s == onLeft && strings.Contains(v.between(n, c), ":") {
		out = append(out, Feature{"left colon", 1})
	}
	return v.senseInputs(out, inputNames.sense[s][:], text)
}

// between is what a row has between a text and a candidate; empty for other rows.
func (v view) between(n neighbour, c candidate) string {
	s, to := c.spans[0], n.words[len(n.words)-1].to
	if n.row != s.row || to > s.from {
		return ""
	}
	return string(v.rows[s.row].runes[to:s.from])
}

// fitInputs say what the labels round a candidate mean that are understood: on each side the nearest.
func (v view) fitInputs(out []Feature, c candidate) []Feature {
	var nearest [sides]int
	var far [sides]float64
	for i, l := range v.labels {
		rel, d := relationOf(l, c)
		s := slices.Index([]relation{leftOf, above, higher, below1, apart}, rel)
		if s >= 0 && (nearest[s] == 0 || d < far[s]) {
			nearest[s], far[s] = i+1, d
		}
	}
	for s, at := range nearest {
		if at == 0 {
			continue
		}
		l, names := v.labels[at-1], &inputNames.fits[s]
		if l.number {
			names = &inputNames.field[s]
		}
		for f, fits := range l.fits {
			if fits > 0 {
				out = append(out, Feature{names[f], fits})
			}
		}
		if l.other > 0 {
			out = append(out, Feature{names[facts], l.other})
		}
		if max(l.other, slices.Max(l.fits[:])) > .5 && !v.nearestTo(l, c) {
			out = append(out, Feature{sideNames[s] + " label of a nearer one", 1})
		}
	}
	return out
}

// nearestTo reports whether no other candidate of the kind is nearer to a label on the same side.
func (v view) nearestTo(l label, c candidate) bool {
	rel, d := relationOf(l, c)
	for i, o := range v.all {
		if o.kind != c.kind || v.near[i].caption || overlaps(o.spans, c.spans) {
			continue
		}
		if r, e := relationOf(l, o); r == rel && e < d-.05 {
			return false
		}
	}
	return true
}

// neighbours are the nearest texts on each side; nil for none.
func (v view) neighbours(c candidate) [sides]*neighbour {
	var out [sides]*neighbour
	better := func(s side, p piece, far float64) {
		if out[s] == nil || far < out[s].far {
			out[s] = &neighbour{p, far}
		}
	}
	for _, p := range v.runs {
		h := max(c.h, p.h)
		dy := (c.y - p.y) / h
		down := (p.y - c.bottom) / h
		overlap := min(p.x1, c.x1+h) - max(p.x0, c.x0-h)
		switch {
		case math.Abs(dy) < .6 || p.row == c.spans[0].row:
			v.beside(better, p, c)
		case dy >= .5 && dy < 2.1 && overlap > 0:
			p = v.over(p, c)
			better(onTop, p, dy+math.Abs(p.x0-c.x0)/h/4)
		case dy >= 2.1 && dy < 3.6 && overlap > 0:
			p = v.over(p, c)
			better(onHigher, p, dy+math.Abs(p.x0-c.x0)/h/4)
		case down >= .5 && down < 2.1 && overlap > 0:
			p = v.over(p, c)
			better(onBottom, p, down+math.Abs(p.x0-c.x0)/h/4)
		}
	}
	return out
}

// beside finds what a run on the row of a candidate has left and right of it.
func (v view) beside(better func(side, piece, float64), p piece, c candidate) {
	var left, right []word
	first, last := c.spans[0], c.spans[len(c.spans)-1]
	for _, w := range p.words {
		switch {
		case p.row == first.row && w.to <= first.from, p.row != first.row && w.x1 <= c.x0+.6*c.h:
			left = append(left, w)
		case p.row == last.row && w.from >= last.to, p.row != first.row && p.row != last.row && w.x0 >= c.x1-.6*c.h:
			right = append(right, w)
		}
	}
	if len(left) > 0 {
		q := pieceOf(v.rows, p.row, behindFigures(left))
		switch gap := (c.x0 - q.x1) / c.h; {
		case gap < 2.5:
			better(onLeft, q, max(0, gap))
		case gap < 14:
			better(onColumn, q, gap)
		}
	}
	if len(right) > 0 {
		q := pieceOf(v.rows, p.row, right)
		if gap := (q.x0 - c.x1) / c.h; gap < 4 {
			better(onRight, q, max(0, gap))
		}
	}
}

// behindFigures are the last words of a run that follow a value in figures, or all of them: a label is not before the value before it.
func behindFigures(words []word) []word {
	for i := len(words) - 2; i > 0; i-- {
		if hasFigure(words[i].text) {
			return words[i+1:]
		}
	}
	return words
}

// over is the part of a run that is over a candidate or under it, from its first word there.
func (v view) over(p piece, c candidate) piece {
	from, to := 0, len(p.words)
	for i, w := range p.words {
		if i > 0 && w.x0 > c.x0-1.2*c.h && p.words[i-1].x1 < c.x0 && edgeOf(v.rows[p.row], p.words[i-1], w) != noEdge {
			from = i
		}
		if i > from && w.x0 > c.x1+3*c.h && edgeOf(v.rows[p.row], p.words[i-1], w) != noEdge {
			to = i
			break
		}
	}
	if from == 0 && to == len(p.words) {
		return p
	}
	return pieceOf(v.rows, p.row, p.words[from:max(to, from+1)])
}

// absence are the inputs of the network for facts that are not printed: what the page has labels for, and candidates.
func (v view) absence() []Feature {
	out := []Feature{{"page", 1}, {"page " + string(v.family), 1}, {"page legible " + v.legible, 1}, {fmt.Sprintf("page rows %d", min(len(v.rows), 40)/5), 1}}
	if v.page.Kind != "" {
		out = append(out, Feature{"page kind " + string(v.page.Kind), 1})
	}
	if len(v.page.Dates) > 0 {
		out = append(out, Feature{"page zone", 1})
	}
	var fits [facts]float64
	for _, l := range v.labels {
		for f, x := range l.fits {
			fits[f] = max(fits[f], x)
		}
	}
	for f, x := range fits {
		if x > 0 {
			out = append(out, Feature{"page label " + string(FactNames[f]), x})
		}
	}
	var most [Senses]float32
	for _, p := range v.runs {
		for c, x := range v.senseOf(p.text(v.rows)) {
			most[c] = max(most[c], x)
		}
	}
	for c, x := range most {
		if x > leastSense {
			out = append(out, Feature{"page sense " + senseNames[c], float64(x)})
		}
	}
	seen := map[kind]map[span]bool{}
	for _, c := range v.all {
		if seen[c.kind] == nil {
			seen[c.kind] = map[span]bool{}
		}
		seen[c.kind][span{c.spans[0].row, 0, 0}] = true
	}
	for k, name := range kindNames {
		out = append(out, Feature{fmt.Sprintf("page %ss %d", name, min(len(seen[kind(k)]), 6)), 1})
	}
	return out
}
