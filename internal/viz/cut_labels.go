package viz

import (
	"math"
	"slices"
	"strings"
)

// joinCutLabels makes one label of two lines that text detection cut within it: behind "Místo narození/Lugar" on its row stands "de
// nacimiento", which by itself is a label of another fact, with a word before it that is the value of none.
func (r *reader) joinCutLabels() {
	for _, l := range slices.Clone(r.labels) {
		links, ok := r.onlyLinksBefore(l)
		if !ok || l.marker || l.used {
			continue
		}
		rest := l
		if len(links) > 0 {
			rest.x0 = links[0].x0
		}
		tail := joined0(links) + l.tag
		first := slices.IndexFunc(r.labels, func(m segment) bool { return r.endsBefore(m, rest) && endsLabel(m.fact, tail) })
		if first < 0 {
			continue
		}
		for j, t := range r.texts { // what links, and a piece of what was cut
			r.texts[j].used = t.used || t.line == l.line && t.x1 <= l.x0 || t.line == r.labels[first].line && t.sequence == first
		}
		for j, m := range r.labels {
			if m.line == l.line && m.x0 <= l.x0 {
				r.labels[j].fact, r.labels[j].used = r.labels[first].fact, true
			}
		}
		r.labels[first].x1 = l.x1
	}
}

// onlyLinksBefore are the words before a label on its line, if they are no more than a short word or two: de, of the.
func (r *reader) onlyLinksBefore(l segment) (links []word, ok bool) {
	for _, w := range r.words(l.line) {
		if w.from >= l.words[0].from {
			break
		}
		if len(w.plain) == 0 || len([]rune(w.text)) > shortName || strings.ContainsAny(w.text, "0123456789") {
			return nil, false
		}
		links = append(links, w)
	}
	return links, len(links) <= 2 && (len(links) == 0 || !setOff(l.words[0]))
}

// endsBefore reports whether a label's line, which has no value, ends right before another's on its row.
func (r *reader) endsBefore(m, rest segment) bool {
	x, _, _ := r.level(m.line)
	gap := rest.x0 - x - r.page.Lines[m.line].Strip.Length/2
	if m.used || m.marker || m.line == rest.line || math.Abs(m.y-rest.y) > cutRow*math.Max(m.h, rest.h) || gap < -0.5*rest.h || gap > cutGap*rest.h {
		return false
	}
	return math.Max(m.h, rest.h) < nextSize*math.Min(m.h, rest.h) && !slices.ContainsFunc(r.labels, func(o segment) bool { return o.line == m.line && o.x0 > m.x0 }) &&
		!slices.ContainsFunc(r.texts, func(t segment) bool { return t.line == m.line && t.x0 > m.x0 && !t.slashed })
}

// endsLabel reports whether a text is the end of a longer label of a fact.
func endsLabel(f fact, tail string) bool {
	return len(tail) >= longWord && slices.ContainsFunc(lexicons()[0], func(l label) bool {
		return l.fact == f && len(l.text) > len(tail) && strings.HasSuffix(l.text, tail)
	})
}
