package reading

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// legible says how many of the page's facts have a label that was understood: what a missing label says depends on it.
func legible(labels []label) string {
	var seen [facts]bool
	n := 0
	for _, l := range labels {
		for f, fits := range l.fits {
			if fits > .6 && !seen[f] && !l.number {
				seen[f] = true
				n++
			}
		}
	}
	switch {
	case n <= 1:
		return "0"
	case n <= 3:
		return "1"
	case n <= 5:
		return "2"
	}
	return "3"
}

// caption reports whether a text is set as what is above a value: right below it larger print begins where it does.
func (v view) caption(c candidate) bool {
	for _, t := range v.texts {
		dy := t.y - c.bottom
		if t.h > 1.1*c.h && dy > .5*c.h && dy < 2.3*t.h && math.Abs(t.x0-c.x0) < 1.5*t.h {
			return true
		}
	}
	return false
}

// captioned says where a text is that may be a label in a language that nobody here knows: smaller print right above, or a text that
// ends right before the value, maybe with a colon.
func (v view) captioned(c candidate) []string {
	var out []string
	above, left, colon := false, false, false
	for _, t := range v.texts {
		s := span{t.row, t.words[0].from, t.words[len(t.words)-1].to}
		if overlaps([]span{s}, c.spans) || !slices.ContainsFunc(t.words, func(w word) bool { return w.plain != "" }) {
			continue
		}
		dy := c.y - t.y
		switch {
		case dy > .5*t.h && dy < 2.3*c.h && t.h < .9*c.h && math.Abs(t.x0-c.x0) < 1.5*c.h:
			above = true
		case math.Abs(dy) < .6*c.h && t.x1 <= c.x0+.3*c.h && c.x0-t.x1 < 14*c.h:
			left = true
		}
	}
	if s := c.spans[0]; s.from > 0 {
		before := string(v.rows[s.row].runes[max(0, s.from-3):s.from])
		colon = strings.Contains(before, ":")
	}
	for _, place := range []struct { // always in one order, in which the network adds them up
		name string
		is   bool
	}{{"caption above", above}, {"text left", left}, {"colon before", colon}} {
		if place.is {
			out = append(out, place.name)
		}
	}
	return out
}

// surroundFeatures are what the place of a candidate among the texts of the page says.
func (v view) surroundFeatures(i int) []Feature {
	c := v.all[i]
	var out []Feature
	for _, name := range v.near[i].captioned {
		out = append(out, Feature{name, 1}, Feature{name + " " + v.legible, 1})
	}
	if c.y < v.first && !math.IsInf(v.first, 1) {
		out = append(out, Feature{"before all labels", 1})
	}
	if v.behindDay(c) {
		out = append(out, Feature{"behind a day", 1}, Feature{"behind a day " + string(v.family), 1})
	}
	if v.near[i].caption {
		out = append(out, Feature{"caption", 1})
	}
	if (c.kind == aName || c.kind == aText) && v.twice(c) {
		out = append(out, Feature{"twice on the page", 1})
	}
	before, after := v.ranked(i)
	out = append(out, Feature{fmt.Sprintf("%d before", min(before, 4)), 1}, Feature{fmt.Sprintf("%d after", min(after, 4)), 1})
	if begins, ends := v.edges(c); begins || ends {
		if begins {
			out = append(out, Feature{"begins with a label", 1})
		}
		if ends {
			out = append(out, Feature{"ends with a label", 1})
		}
	}
	return out
}

// behindDay reports whether a day is on the row right before a candidate.
func (v view) behindDay(c candidate) bool {
	s := c.spans[0]
	for _, o := range v.all {
		if d := o.spans[0]; o.kind == aDay && d.row == s.row && d.to <= s.from && s.from-d.to <= 4 {
			return true
		}
	}
	return false
}

// near is what is round a candidate.
type near struct {
	captioned []string
	caption   bool
	plain     bool // may be a value by itself: covers no label, begins its piece, is no caption
}

func (v view) nearOf(c candidate) near {
	n := near{captioned: v.captioned(c), caption: v.caption(c)}
	n.plain = !n.caption && v.covered(c) == 0 && c.h > .75*v.usual && len(c.spans) == 1
	if c.kind == aName {
		n.plain = n.plain && v.states[c.value] == "" && !isTitle(c.value)
	}
	return n
}

// isTitle reports whether a text has a word for a document.
func isTitle(text string) bool {
	for w := range strings.FieldsSeq(text) {
		if c, _ := lexicon.ConceptsOf(w); c&lexicon.Document != 0 && len(lexicon.Letters(w)) > 3 {
			return true
		}
	}
	return false
}

// ranked counts the texts of a candidate's kind that come before and after it in the order of reading.
func (v view) ranked(i int) (before, after int) {
	c := v.all[i]
	rows := map[span]bool{}
	for k, o := range v.all {
		s := o.spans[0]
		if o.kind != c.kind || !v.near[k].plain || rows[s] || overlaps(o.spans, c.spans) {
			continue
		}
		rows[s] = true
		dy := (o.y - c.y) / max(o.h, c.h)
		switch {
		case dy < -.5 || dy < .5 && o.x0 < c.x0:
			before++
		default:
			after++
		}
	}
	return before, after
}

// edges reports whether a candidate begins or ends with a label.
func (v view) edges(c candidate) (begins, ends bool) {
	first, last := c.spans[0], c.spans[len(c.spans)-1]
	for _, l := range v.labels {
		if l.row == first.row && l.words[0].from <= first.from && l.words[len(l.words)-1].to > first.from {
			begins = true
		}
		if l.row == last.row && l.words[0].from < last.to && l.words[len(l.words)-1].to >= last.to {
			ends = true
		}
	}
	return begins, ends
}
