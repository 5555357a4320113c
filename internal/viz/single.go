package viz

import "math"

// A sex is stated by one letter, which text detection cuts too low or does not find, and of which a misreading has no form that
// tells it.
const (
	letterMost  = 3    // runes of what may be that letter, misread
	letterLong  = 1.6  // of its height, the place that is looked at
	letterReach = 9.0  // heights of the label to its right within which it may stand
	labelTimes  = 1.25 // of its label's height is a letter's, where the page does not tell
)

// letterPlaces are where the letter of the sex should stand, if it was not read surely: what was read there as a letter or two, else
// where the page's other values stand to their labels.
func (r *reader) letterPlaces() []Strip {
	if f, ok := r.found[sex]; ok && r.sure(f) || r.torn[sex] {
		return nil
	}
	below, beside := r.layouts()
	var out []Strip
	for _, l := range r.labels {
		if l.fact != sex || l.marker {
			continue
		}
		h := labelTimes * l.h
		for _, way := range []*layout{below, beside} {
			if way != nil {
				h = way.value
			}
		}
		seen := len(out)
		for _, t := range r.texts {
			if n := len(r.runes[t.line][t.words[0].from:t.words[len(t.words)-1].to]); n <= letterMost && r.mayBeLetterOf(l, t) {
				out = append(out, r.letterAt((t.x0+t.x1)/2, t.y, h))
			}
		}
		if len(out) > seen {
			continue
		}
		if place, ok := r.restOfLine(l); ok {
			place = place.cut(letterLong * place.Height)
			out = append(out, place)
		}
		out = r.askBehind(out, l, letterLong)
		if below != nil {
			out = r.ask(out, l.x0+below.dx, l.y+below.dy, h, letterLong*h, true)
		}
		if beside != nil && l.x0+beside.dx > l.x1 {
			out = r.ask(out, l.x0+beside.dx, l.y+beside.dy, h, letterLong*h, true)
		}
	}
	return out
}

// mayBeLetterOf reports whether a text stands right below a label of the sex, or right of it.
func (r *reader) mayBeLetterOf(l, t segment) bool {
	if t.used {
		return false
	}
	if math.Abs(t.y-l.y) < onRow*math.Max(l.h, t.h) {
		return t.x0 > l.x1-0.5*l.h && t.x0-l.x1 < letterReach*l.h
	}
	down := (t.y - l.y) / l.h
	return down > 0.4 && down < reachBelow && t.x0-l.x0 > -reachLeft*l.h && t.x0 < l.x1
}

// letterAt is the place of one letter round a point of the levelled page.
func (r *reader) letterAt(x, y, h float64) Strip {
	sin, cos := math.Sincos(r.tilt)
	return Strip{X: x*cos - y*sin, Y: x*sin + y*cos, Tilt: r.tilt, Length: letterLong * h, Height: h}
}

// cut is what a place has from its left end on, so long at most.
func (s Strip) cut(long float64) Strip {
	if s.Length <= long {
		return s
	}
	sin, cos := math.Sincos(s.Tilt)
	less := (s.Length - long) / 2
	s.X, s.Y, s.Length = s.X-less*cos, s.Y-less*sin, long
	return s
}
