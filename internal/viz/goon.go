package viz

import (
	"math"
	"slices"
	"strings"
)

// How the lines of one value follow each other, in heights.
const (
	nextLine   = 1.7 // down from the middle of one to the middle of the next
	nextIndent = 0.8 // left and right
	nextSize   = 1.3 // the taller is so many times as tall as the other at most
	moreLines  = 3
)

// goOn adds the lines below that belong to the same value: texts that no label explains, set alike, close below.
func (r *reader) goOn(f *found) {
	last := f.segment
	if f.fact == address {
		last = r.alongside(f, last)
	}
	for range moreLines {
		j := r.following(last, f.fact)
		if j < 0 {
			return
		}
		s := r.texts[j]
		text := strings.TrimSpace(r.textOf(s.line, s.words))
		join := ", "
		if f.fact != address {
			if !r.continuesName(*f, s) {
				return
			}
			text, join = nameOf(text), " "
			if r.hyphenated(f.parts[len(f.parts)-1]) {
				join = "-"
			}
		}
		if text == "" {
			return
		}
		f.text += join + text
		f.parts = append(f.parts, part{s.line, s.words[0].from, s.words[len(s.words)-1].to})
		r.texts[j].used = true
		last = s
		if f.fact == address {
			last = r.alongside(f, last)
		}
	}
}

// alongside adds the rest of an address's line where it was cut: at a gap, or by the detector. It answers the line's beginning.
func (r *reader) alongside(f *found, s segment) segment {
	end := s.x1
	for again := true; again; {
		again = false
		for j, t := range r.texts {
			if t.used || t.sequence >= 0 || math.Abs(t.y-s.y) > 0.5*math.Max(t.h, s.h) || t.x0 < end-0.5*s.h || t.x0 > end+reachLeft*s.h ||
				math.Max(t.h, s.h) > nextSize*math.Min(t.h, s.h) || r.labelled(t, s) || r.inAnotherColumn(t, s) {
				continue
			}
			join := " "
			if strings.Contains(t.words[0].before, ",") {
				join = ", "
			}
			f.text += join + strings.TrimSpace(r.textOf(t.line, t.words))
			f.parts = append(f.parts, part{t.line, t.words[0].from, t.words[len(t.words)-1].to})
			r.texts[j].used, end, again = true, t.x1, true
		}
	}
	return s
}

// continuing is how surely a line must have been read to be more of a name: less surely than a name, which a line that was read
// so makes unsure.
var continuing = Sure{Mean: 0.88, Least: 0.45}

// continuesName reports whether a line can be more of a name: surely read, and in capitals where the name is.
func (r *reader) continuesName(f found, s segment) bool {
	if r.mayBeGiven(f, s) {
		return false
	}
	text := r.textOf(s.line, s.words)
	if r.numbers && len(letters(text)) < 2 { // a field's number, misread
		return false
	}
	capitals := strings.ToUpper(f.text) == f.text
	mean, least := r.sureOf(s.line, s.words[0].from, s.words[len(s.words)-1].to)
	return capitals == (strings.ToUpper(text) == text) && continuing.holds(mean, least)
}

// hyphenated reports whether a hyphen ends the line.
func (r *reader) hyphenated(p part) bool {
	return strings.TrimSpace(string(r.runes[p.line][p.to:])) == "-"
}

// following is the text right below another that goes on from it, −1 for none.
func (r *reader) following(s segment, f fact) int {
	for j, t := range r.texts {
		down := (t.y - s.y) / s.h
		if t.used || t.line == s.line || t.sequence >= 0 || down < 0.5 || down > nextLine || math.Abs(t.x0-s.x0) > nextIndent*s.h ||
			math.Max(s.h, t.h) > nextSize*math.Min(s.h, t.h) {
			continue
		}
		if f != address && r.startsAnother(t, s) {
			continue
		}
		if r.labelled(t, s) || r.besideUnread(t) || r.numbers && r.restOfAnother(t) || f == address && r.numbers && onlyCategories(t.words) {
			continue
		}
		return j
	}
	return -1
}

// onlyCategories reports whether words are categories of vehicles: field 9 of a licence stands below the address.
func onlyCategories(words []word) bool {
	return !slices.ContainsFunc(words, func(w word) bool {
		return slices.ContainsFunc(strings.Split(w.text, "-"), func(s string) bool { return !isCategory(strings.ToUpper(s)) })
	})
}

// isCategory reports whether a word is a category of vehicles, or two whose space was lost.
func isCategory(word string) bool {
	return slices.Contains(categories, word) || slices.ContainsFunc(categories, func(c string) bool {
		rest, ok := strings.CutPrefix(word, c)
		return ok && slices.Contains(categories, rest)
	})
}

// besideUnread reports whether left of a text, where the page's labels begin, something stands that was not read as one.
func (r *reader) besideUnread(t segment) bool {
	return slices.ContainsFunc(r.texts, func(o segment) bool {
		return !o.used && o.line != t.line && o.x1 < t.x0 && math.Abs(o.y-t.y) < onRow*math.Max(o.h, t.h) &&
			slices.ContainsFunc(r.labels, func(l segment) bool { return !l.marker && math.Abs(l.x0-o.x0) < l.h })
	})
}

// startsAnother reports whether a text below a name is no more of it: it has figures, or a label of its own, read or not.
func (r *reader) startsAnother(t, above segment) bool {
	return slices.ContainsFunc(t.words, func(w word) bool { return strings.ContainsAny(w.text, "0123456789") }) || r.besideLabel(t) || r.printBetween(above, t)
}

// inAnotherColumn reports whether a label that has no value yet stands right above a text, and not above the one that it might go on from.
func (r *reader) inAnotherColumn(t, from segment) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool {
		return !l.used && r.overColumn(l, t) && math.Abs(l.x0-t.x0) < l.h && l.x0 > from.x0+from.h
	})
}

// printBetween reports whether print that was not understood stands between the rows of two texts, where they begin: a label that
// was misread, so that the second is another fact's.
func (r *reader) printBetween(above, below segment) bool {
	return slices.ContainsFunc(r.texts, func(o segment) bool {
		return !o.used && o.line != above.line && o.line != below.line && o.y > above.y+0.4*above.h && o.y < below.y-0.4*below.h && math.Abs(o.x0-below.x0) < 0.7*below.h
	})
}

// besideLabel reports whether a label without a value stands on a text's row, with nothing between, as far off as values stand.
func (r *reader) besideLabel(t segment) bool {
	return slices.ContainsFunc(r.labels, func(l segment) bool {
		gap := t.x0 - l.x1
		return !l.used && !l.marker && math.Abs(l.y-t.y) < onRow*math.Max(l.h, t.h) && gap > 0 && gap < reachRight*l.h &&
			!slices.ContainsFunc(r.texts, func(o segment) bool {
				return o.x0 > l.x1 && o.x1 < t.x0 && math.Abs(o.y-t.y) < onRow*math.Max(o.h, t.h)
			})
	})
}

// labelled reports whether a label right of, left of or above a text claims it.
func (r *reader) labelled(t, after segment) bool {
	for i, l := range r.labels {
		if l.used {
			continue
		}
		onItsRow := math.Abs(l.y-t.y) < onRow*math.Max(l.h, t.h) && l.x1 <= t.x0+0.5*t.h && t.x0-l.x1 < reachNumber*l.h
		above := l.y > after.y+0.2*after.h && l.y < t.y && l.x0 < t.x1 && l.x1 > t.x0
		if onItsRow || above {
			return true
		}
		if c := r.costBelow(i, t); c < costMost && l.y > after.y {
			return true
		}
	}
	return false
}
