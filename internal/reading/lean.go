package reading

import "slices"

// leanOf is where the labels of a page are, seen from their values: what most labels of facts that have a form say. Empty where they
// say nothing.
func (v view) leanOf() relation {
	votes := map[relation]float64{}
	for _, l := range v.labels {
		for f, fits := range l.fits {
			if fits < .6 || kindOfFact[f] == aName || kindOfFact[f] == aText {
				continue
			}
			best, at := 4.0, relation("")
			for i, c := range v.all {
				if c.kind != kindOfFact[f] || v.near[i].caption {
					continue
				}
				if rel, d := relationOf(l, c); rel != "" && rel != higher && d < best {
					best, at = d, rel
				}
			}
			votes[at] += fits
		}
	}
	most, out := 1.5, relation("")
	for _, rel := range []relation{above, leftOf, below1, apart} {
		if votes[rel] > most {
			most, out = votes[rel], rel
		}
	}
	return out
}

// reach is the largest distance between a value and its label, in heights.
const reach = 3.6

// raised returns the rows with each label moved from below its value to above it. Few of the pages that the networks were trained on have labels below.
func (v view) raised() []row {
	out := slices.Clone(v.rows)
	labels := v.labelRows()
	for k, r := range v.rows {
		if !labels[k] {
			continue
		}
		value := -1
		for j, o := range v.rows {
			h := max(r.h, o.h)
			near := r.y-o.y >= .5*h && r.y-o.y <= reach*h && min(r.x1, o.x1+h) >= max(r.x0, o.x0-h)
			if near && !labels[j] && (value < 0 || o.y > v.rows[value].y) {
				value = j
			}
		}
		if value >= 0 {
			out[k].y = 2*v.rows[value].y - r.y
		}
	}
	return out
}

// labelRows returns the rows that are mostly labels. A row with a date is not one of them.
func (v view) labelRows() map[int]bool {
	letters := map[int]int{}
	for _, l := range v.labels {
		if !l.number {
			letters[l.row] += l.words[len(l.words)-1].to - l.words[0].from
		}
	}
	out := map[int]bool{}
	for k, n := range letters {
		out[k] = 2*n > len(v.rows[k].runes)
	}
	for _, c := range v.all {
		if c.kind == aDay {
			delete(out, c.spans[0].row)
		}
	}
	return out
}
