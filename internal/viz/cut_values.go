package viz

import (
	"math"
	"slices"
	"strings"
)

// How far from each other, in heights, the parts of a value stand that text detection cut between its words.
const (
	cutGap = 1.0
	cutRow = 0.3
)

// follows reports whether a text stands right behind another that ends at x, set alike.
func follows(s, t segment, end float64) bool {
	gap := (t.x0 - end) / s.h
	return t.line != s.line && math.Abs(t.y-s.y) < cutRow*math.Max(t.h, s.h) && gap > -0.5 && gap < cutGap && math.Max(t.h, s.h) < nextSize*math.Min(t.h, s.h)
}

// joinCut adds the rest of a value whose line was cut between words: on a card with numbered fields another value has a number.
func (r *reader) joinCut(f *found) {
	switch {
	case !r.numbers:
	case f.fact == address:
		r.houseBefore(f)
	case f.to == len(f.segment.words) && (isName(f.fact) || f.fact == placeOfBirth || f.fact == authority):
		r.restBehind(f)
	}
}

// restBehind adds what stands right behind a value of words.
func (r *reader) restBehind(f *found) {
	for end, again := f.segment.x1, true; again; {
		again = false
		for j, t := range r.texts {
			text := strings.TrimSpace(r.textOf(t.line, t.words))
			if t.used || t.sequence >= 0 || !follows(f.segment, t, end) || strings.ContainsAny(text, "0123456789") || nameOf(text) == "" || r.labelled(t, f.segment) {
				continue
			}
			join := " "
			if last := f.parts[len(f.parts)-1]; last.to < len(r.runes[last.line]) && r.runes[last.line][last.to] == '.' {
				join = ". "
			}
			if f.text += join + text; isName(f.fact) { // without titles
				f.text = nameOf(f.text)
			}
			f.parts = append(f.parts, part{t.line, t.words[0].from, t.words[len(t.words)-1].to})
			r.texts[j].used, end, again = true, t.x1, true
		}
	}
}

// restOfAnother reports whether a text stands right behind another on its row: it is of that one's line.
func (r *reader) restOfAnother(t segment) bool {
	return slices.ContainsFunc(r.texts, func(o segment) bool { return follows(o, t, o.x1) })
}

// houseBefore puts the house's number before an address where text detection cut it off.
func (r *reader) houseBefore(f *found) {
	for j, t := range r.texts {
		if !t.used && len(t.words) == 1 && number(t.words[0].text) > 0 && follows(t, f.segment, t.x1) {
			f.text = t.words[0].text + " " + f.text
			f.parts = slices.Insert(f.parts, 0, part{t.line, t.words[0].from, t.words[0].to})
			r.texts[j].used = true
			return
		}
	}
}

// besidePrint reports whether print stands close left of a word on its row, on another line.
func (r *reader) besidePrint(w word) bool {
	_, y, h := r.level(w.line)
	for i := range r.page.Lines {
		x, y2, h2 := r.level(i)
		gap := w.x0 - x - r.page.Lines[i].Strip.Length/2
		if i != w.line && math.Abs(y-y2) < cutRow*math.Max(h, h2) && gap > -0.5*h && gap < cutGap*h {
			return true
		}
	}
	return false
}
