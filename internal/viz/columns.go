package viz

import "math"

// splitColumns cuts texts where a label above another column begins: columns may be close to each other.
func (r *reader) splitColumns() {
	var out []segment
	for _, s := range r.texts {
		from := 0
		for i := 1; i < len(s.words); i++ {
			if r.columnAt(s, s.words[from].x0, s.words[i].x0) {
				out = append(out, r.partOf(s, from, i))
				from = i
			}
		}
		out = append(out, r.partOf(s, from, len(s.words)))
	}
	r.texts = out
}

// partOf is a segment of some words of another.
func (r *reader) partOf(s segment, from, to int) segment {
	if from == 0 && to == len(s.words) {
		return s
	}
	p := r.segmentOf(s.line, s.words[from:to], "")
	p.sequence = s.sequence
	return p
}

// columnAt reports whether a label above begins at x, and another of its row further left. The same label in another language is
// none of its own, though it was read as a line by itself.
func (r *reader) columnAt(s segment, left, x float64) bool {
	for _, here := range r.labels {
		if here.slashed || !r.overColumn(here, s) || math.Abs(here.x0-x) > 0.6*here.h {
			continue
		}
		for _, before := range r.labels {
			if before.fact != here.fact && r.overColumn(before, s) && math.Abs(before.y-here.y) < onRow*here.h && before.x1 < here.x0 && math.Abs(before.x0-left) < 1.5*before.h {
				return true
			}
		}
	}
	return false
}

// overColumn reports whether a label stands right above a text's row.
func (*reader) overColumn(l, s segment) bool {
	down := (s.y - l.y) / l.h
	return !l.marker && down > 0.4 && down < reachBelow
}
