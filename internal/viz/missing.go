package viz

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// How a page is searched for print that its layout says should be there.
const (
	missingMost  = 14   // places
	missingPairs = 2    // labels and values that must stand alike to make a layout
	labelLong    = 22.0 // heights of a label that was not found, at most
	valueLong    = 16.0 // and of a value
	sexLong      = 2.5  // of a value of one letter
	missingLead  = 0.7  // heights by which a place begins before the letters
	restGap      = 0.25 // heights behind a label from which its line may have a value,
	restLeast    = 1.0  // and how long that must be
	likeValues   = 1.4  // the taller of two values is so many times as tall as the other at most
)

// layout is how a page's labels and their values stand to each other: medians over what was paired.
type layout struct {
	dx, dy         float64 // from the left end of a label to that of its value, and from its middle
	label, value   float64 // heights
	column, gutter float64 // beside: where labels begin, and how far before its value a label ends
}

// layouts are those of the page: values below their labels, and beside them in a column of their own. Nil for too few.
func (r *reader) layouts() (below, beside *layout) {
	var under, right [][2]segment
	for _, p := range r.pairs {
		switch l, v := p[0], p[1]; {
		case v.y-l.y > 0.4*l.h:
			under = append(under, p)
		case v.line != l.line && v.x0 > l.x1:
			right = append(right, p)
		}
	}
	return layoutOf(under), layoutOf(right)
}

func layoutOf(pairs [][2]segment) *layout {
	if len(pairs) < missingPairs {
		return nil
	}
	median := func(of func(l, v segment) float64) float64 {
		var all []float64
		for _, p := range pairs {
			all = append(all, of(p[0], p[1]))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return &layout{
		dx: median(func(l, v segment) float64 { return v.x0 - l.x0 }), dy: median(func(l, v segment) float64 { return v.y - l.y }),
		label: median(func(l, _ segment) float64 { return l.h }), value: median(func(_, v segment) float64 { return v.h }),
		column: median(func(l, _ segment) float64 { return l.x0 }), gutter: median(func(l, v segment) float64 { return v.x0 - l.x1 }),
	}
}

// missing are the places where there should be a label of a text that none explains, or the value of a label: small print is
// found in part or not at all, and single letters are missed.
func (r *reader) missing() []Strip {
	below, beside := r.layouts()
	var out []Strip
	for _, l := range r.labels {
		if l.used || l.marker || l.fact == other {
			continue
		}
		long := valueLong
		if l.fact == sex {
			long = sexLong
		}
		if place, ok := r.restOfLine(l); ok {
			out = append(out, place)
		}
		out = r.askBehind(out, l, long)
		if below != nil {
			out = r.ask(out, l.x0+below.dx, l.y+below.dy, below.value, long*below.value, true)
		}
		if beside != nil && l.x0+beside.dx > l.x1 {
			out = r.ask(out, l.x0+beside.dx, l.y+beside.dy, beside.value, long*beside.value, true)
		}
	}
	for _, t := range r.texts {
		if t.used || t.sequence >= 0 || kindOf(t) != idv.UnknownKind {
			continue
		}
		switch {
		case below != nil && math.Max(t.h, below.value) < likeValues*math.Min(t.h, below.value):
			out = r.ask(out, t.x0-below.dx, t.y-below.dy, below.label, math.Min(labelLong*below.label, r.columnOf(t)-0.3*t.h), false)
		case beside != nil && math.Max(t.h, beside.value) < likeValues*math.Min(t.h, beside.value) && t.x0 > beside.column:
			out = r.ask(out, beside.column, t.y-beside.dy, beside.label, t.x0-beside.column-beside.label, false)
		}
	}
	out = r.restOfAddress(r.lostRows(out))
	return out[:min(len(out), missingMost)]
}

// restOfLine is what a line has behind the label that ends it: a single letter after a gap is often not answered.
func (r *reader) restOfLine(l segment) (Strip, bool) {
	s := r.page.Lines[l.line].Strip
	x, y, h := r.level(l.line)
	end := x + s.Length/2
	behind := func(o segment) bool { return o.line == l.line && o.x1 > l.x1 }
	from := l.x1 + restGap*h
	if slices.ContainsFunc(r.texts, behind) || slices.ContainsFunc(r.labels, behind) || end-from < restLeast*h {
		return Strip{}, false
	}
	sin, cos := math.Sincos(r.tilt)
	m := (from + end) / 2
	return Strip{X: m*cos - y*sin, Y: m*sin + y*cos, Tilt: r.tilt, Length: end - from, Height: h}, true
}

// columnOf is how far right of a text's beginning the next of its row begins: labels are in the columns of their values.
func (r *reader) columnOf(s segment) float64 {
	wide := math.Inf(1)
	for _, t := range r.texts {
		if math.Abs(t.y-s.y) < onRow*math.Max(t.h, s.h) && t.x0 > s.x1 {
			wide = math.Min(wide, t.x0-s.x0)
		}
	}
	return wide
}

// ask adds the place that begins at x and is as long as there is room, unless a label or, for a value, any text is there.
func (r *reader) ask(out []Strip, x, y, h, long float64, value bool) []Strip {
	end := x + long
	for _, l := range r.labels {
		if math.Abs(l.y-y) < onRow*math.Max(l.h, h) {
			if l.x0 < x+h && l.x1 > x {
				return out
			}
			if l.x0 >= x+h {
				end = math.Min(end, l.x0-h/2)
			}
		}
	}
	for _, t := range r.texts {
		if math.Abs(t.y-y) < onRow*math.Max(t.h, h) && (value || t.used) {
			if t.x0 < x+h && t.x1 > x {
				return out
			}
			if t.x0 >= x+h {
				end = math.Min(end, t.x0-h/2)
			}
		}
	}
	if end-x < h || y < 0 {
		return out
	}
	sin, cos := math.Sincos(r.tilt)
	m, long := (x-missingLead*h+end)/2, end-x+missingLead*h
	return append(out, Strip{X: m*cos - y*sin, Y: m*sin + y*cos, Tilt: r.tilt, Length: long, Height: h})
}

// Labelled reports whether a line begins with a label.
func Labelled(text string) bool {
	r := newReader(Page{Lines: []Line{{Text: text}}})
	words := r.words(0)
	for i := range min(3, len(words)) {
		if m, ok := matchLabel(lexicons()[1], words[i:], len(words)); ok && (len(m.label.text) > 2 || m.label.fact == placeOfBirth) && !m.label.pure {
			return true
		}
	}
	return false
}

// Nation reports whether a text is a nationality: one word of it, or the same in two languages.
func Nation(text string) bool { return nationalityOf(text) != "" }
