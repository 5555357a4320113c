package viz

import (
	"cmp"
	"math"
	"slices"
)

// How the rows of a page stand whose values follow their labels on the line.
const (
	rowsLeast  = 3    // rows with a value on the label's line, and as many in one column, that show how far rows are apart
	rowsPitch  = 0.12 // of the distance of two rows is what others differ from it at most
	rowsLost   = 2    // rows that may be missing between two others
	rowsHeight = 4.0  // heights of a row that two are apart at most
)

// lostRows adds the rows of which nothing was read: labels with their values on the line stand in a column, evenly, and between two
// of them there is room for just one more, or two.
func (r *reader) lostRows(out []Strip) []Strip {
	rows := r.rowsOfColumn()
	if len(rows) < rowsLeast {
		return out
	}
	h := rows[len(rows)/2].h
	pitch, even := math.Inf(1), 0
	for i := 1; i < len(rows); i++ {
		pitch = math.Min(pitch, rows[i].y-rows[i-1].y)
	}
	like := func(d float64) bool { return math.Abs(d-pitch) < rowsPitch*pitch }
	for i := 1; i < len(rows); i++ {
		if like(rows[i].y - rows[i-1].y) {
			even++
		}
	}
	if even < rowsLeast-1 || pitch < h || pitch > rowsHeight*h {
		return out
	}
	for i := 1; i < len(rows); i++ {
		d := rows[i].y - rows[i-1].y
		n := math.Round(d / pitch)
		if n < 2 || n > rowsLost+1 || !like(d/n) {
			continue
		}
		for k := 1.0; k < n; k++ {
			part := k / n
			out = r.ask(out, rows[i-1].x0+part*(rows[i].x0-rows[i-1].x0), rows[i-1].y+part*d, h, labelLong*h, true)
		}
	}
	return out
}

// rowsOfColumn are the labels, from top to bottom, that begin their lines where most do whose values stand on the line with them.
func (r *reader) rowsOfColumn() []segment {
	first := r.inline()
	if len(first) < rowsLeast {
		return nil
	}
	slices.SortFunc(first, func(a, b segment) int { return cmp.Compare(a.x0, b.x0) })
	column := first[len(first)/2]
	var out []segment
	for _, l := range r.labels {
		if !l.marker && l.words[0].from == 0 && math.Abs(l.x0-column.x0) < column.h {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b segment) int { return cmp.Compare(a.y, b.y) })
	return out
}

// behindLabel is how many heights behind the end of its label what follows it on the line is looked for: behind a colon.
const behindLabel = 0.3

// inline are the labels that begin a line which goes on with their value.
func (r *reader) inline() (labels []segment) {
	for _, p := range r.pairs {
		if l, v := p[0], p[1]; v.line == l.line && v.x0 > l.x1 && l.words[0].from == 0 {
			labels = append(labels, l)
		}
	}
	return labels
}

// askBehind adds the place right behind a label that ends its line, where the page's values stand on the lines of their labels.
func (r *reader) askBehind(out []Strip, l segment, long float64) []Strip {
	labels := r.inline()
	behind := func(o segment) bool { return o.line == l.line && o.x1 > l.x1 }
	if len(labels) < rowsLeast || slices.ContainsFunc(r.texts, behind) || slices.ContainsFunc(r.labels, behind) {
		return out
	}
	slices.SortFunc(labels, func(a, b segment) int { return cmp.Compare(a.h, b.h) })
	h := labels[len(labels)/2].h
	return r.ask(out, l.x1+(behindLabel+missingLead)*h, l.y, h, long*h, true)
}
