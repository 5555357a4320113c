package reading

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
