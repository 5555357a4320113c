package viz

import "math"

// numberByForm finds the number of the document below its label, of which the part in one language was not read: it begins further left
// than what was, and reaches below it. It is the only text on the page that nothing explains and that may be a number.
func (r *reader) numberByForm() {
	if _, found := r.found[documentNumber]; found || r.torn[documentNumber] || r.numbers || r.american || r.lean != isBelow {
		return
	}
	at, parsed := -1, value{}
	for j, t := range r.texts {
		v := numberValues(documentNumber, t, false)
		if t.used || t.sequence >= 0 || len(v) != 1 || len(t.words) != 1 || t.h < tooLow*r.usual {
			continue
		}
		if at >= 0 {
			return // which of them is it?
		}
		at, parsed = j, v[0]
	}
	if at < 0 {
		return
	}
	t := r.texts[at]
	for i, l := range r.labels {
		if l.fact == documentNumber && !l.used && reachesBelow(t, l) {
			r.labels[i].used, r.texts[at].used = true, true
			r.note(parsed, t, pairing{cost: costMost})
			return
		}
	}
}

// reachesBelow reports whether a text stands right below a label, begins left of it and ends below it.
func reachesBelow(t, l segment) bool {
	down := (t.y - l.y) / l.h
	return down > 0.4 && down < nextLine && t.x0 < l.x0 && t.x1 > l.x0+l.h && math.Max(t.h, l.h) < tooTall*math.Min(t.h, l.h)
}
