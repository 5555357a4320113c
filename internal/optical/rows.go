package optical

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How boxes on one baseline become a row.
const (
	rowDrift   = 0.45 // centres may lie this part of a height off the row's axis
	rowTurn    = 8.0  // degrees between a long box and the row
	rowHeights = 1.9  // the taller of two neighbours is at most this times the lower
	rowLong    = 3.0  // a box this many times as long as high has an angle worth trusting
)

// row is a chain of boxes on one baseline, left to right.
type row struct {
	strip         // the axis from the left end of the first to the right end of the last box
	parts []strip // its boxes, in reading order
}

// joinRows chains boxes whose axes continue each other, with gaps of at most gap heights. Boxes are taken longest
// first, so that a row's axis rests on the box that knows it best.
func joinRows(boxes []strip, gap float64) []row {
	order := slices.Clone(boxes)
	slices.SortStableFunc(order, func(a, b strip) int { return cmpFloat(b.length, a.length) })
	used := make([]bool, len(order))
	var rows []row
	for i, seed := range order {
		if used[i] {
			continue
		}
		used[i] = true
		r := row{strip: seed, parts: []strip{seed}}
		for {
			j := nextInRow(r, order, used, gap)
			if j < 0 {
				break
			}
			used[j] = true
			r = r.with(order[j])
		}
		rows = append(rows, r)
	}
	return rows
}

// nextInRow is the free box nearest to either end of the row that lies on its axis, or -1.
func nextInRow(r row, boxes []strip, used []bool, gap float64) int {
	best, nearest := -1, gap*r.height
	for j, b := range boxes {
		if used[j] || !continues(r.strip, b) {
			continue
		}
		a, d := r.locate(centre(b))
		space := math.Abs(a) - r.length/2 - alongOf(r.strip, b)/2
		if math.Abs(d) > rowDrift*math.Min(r.height, b.height) || space < -0.5*r.height {
			continue
		}
		if space < nearest {
			best, nearest = j, space
		}
	}
	return best
}

// continues reports whether the box is as high and as slanted as the row.
func continues(r, b strip) bool {
	if math.Max(r.height, b.height) > rowHeights*math.Min(r.height, b.height) {
		return false
	}
	if b.length < rowLong*b.height {
		return true
	}
	return math.Abs(r.ux*b.uy-r.uy*b.ux) < math.Sin(rowTurn*math.Pi/180)
}

// alongOf is the length of a box measured on the row's axis.
func alongOf(r, b strip) float64 {
	c := math.Abs(r.ux*b.ux + r.uy*b.uy)
	return b.length*c + b.height*math.Sqrt(math.Max(0, 1-c*c))
}

// with adds a box and draws the axis anew: the least-squares line through the parts' ends, weighted by length.
func (r row) with(b strip) row {
	r.parts = append(slices.Clone(r.parts), b)
	slices.SortFunc(r.parts, func(p, q strip) int {
		a, _ := r.locate(centre(p))
		c, _ := r.locate(centre(q))
		return cmpFloat(a, c)
	})
	r.strip = axis(r.parts, r.strip)
	return r
}

// axis fits one strip round parts that lie roughly along the given one.
func axis(parts []strip, along strip) strip {
	var sw, sa, sd, saa, sad, sh float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range parts {
		q := p
		if q.ux*along.ux+q.uy*along.uy < 0 {
			q = q.flipped()
		}
		l, e := q.ends()
		if q.length < rowLong*q.height { // its angle says nothing: use its middle twice
			m := centre(q)
			l, e = m, m
		}
		w := q.length
		sh += w * q.height
		sw += w
		for _, pt := range [...]imaging.Point{l, e} {
			a, d := along.locate(pt)
			sa, sd = sa+w/2*a, sd+w/2*d
			saa, sad = saa+w/2*a*a, sad+w/2*a*d
		}
		a, _ := along.locate(centre(q))
		half := alongOf(along, q) / 2
		lo, hi = math.Min(lo, a-half), math.Max(hi, a+half)
	}
	slope := 0.0
	if den := saa*sw - sa*sa; den > 1e-9 {
		slope = (sad*sw - sa*sd) / den
	}
	offset := (sd - slope*sa) / sw
	return between(along.at(lo, offset+slope*lo), along.at(hi, offset+slope*hi), sh/sw, along.score)
}

func centre(s strip) imaging.Point { return imaging.Point{X: s.cx, Y: s.cy} }
