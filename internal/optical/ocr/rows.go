package ocr

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How boxes on one baseline become a row.
const (
	rowDrift   = 0.45 // centres may lie this part of a height off the row's axis
	rowTurn    = 8.0  // degrees between a long box and the row
	rowHeights = 1.9  // the taller of two neighbours is at most this times the lower
)

// Row is a chain of boxes on one baseline, left to right.
type Row struct {
	Strip         // the axis from the left end of the first to the right end of the last box
	Parts []Strip // its boxes, in reading order
}

// JoinRows chains boxes whose axes continue each other, with gaps of at most gap heights. Boxes are taken longest first, so
// that a row's axis rests on the box that determines it best.
func JoinRows(boxes []Strip, gap float64) []Row {
	order := slices.Clone(boxes)
	slices.SortStableFunc(order, func(a, b Strip) int { return cmp.Compare(b.Length, a.Length) })
	used := make([]bool, len(order))
	var rows []Row
	for i, seed := range order {
		if used[i] {
			continue
		}
		used[i] = true
		r := Row{Strip: seed, Parts: []Strip{seed}}
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

// nextInRow returns the free box on the axis of the row that is nearest to either of its ends, or -1.
func nextInRow(r Row, boxes []Strip, used []bool, gap float64) int {
	best, nearest := -1, gap*r.Height
	for j, b := range boxes {
		if used[j] || !Continues(r.Strip, b) {
			continue
		}
		a, d := r.Locate(b.Centre())
		space := math.Abs(a) - r.Length/2 - alongOf(r.Strip, b)/2
		if math.Abs(d) > rowDrift*math.Min(r.Height, b.Height) || space < -0.5*r.Height {
			continue
		}
		if space < nearest {
			best, nearest = j, space
		}
	}
	return best
}

// Continues reports whether a box can continue a row: it is about as high and, where it is long, as slanted.
func Continues(r, b Strip) bool {
	if math.Max(r.Height, b.Height) > rowHeights*math.Min(r.Height, b.Height) {
		return false
	}
	if !b.Directed() {
		return true
	}
	return math.Abs(r.UX*b.UY-r.UY*b.UX) < math.Sin(rowTurn*math.Pi/180)
}

// alongOf returns the length of a box measured on the row's axis.
func alongOf(r, b Strip) float64 {
	c := math.Abs(r.UX*b.UX + r.UY*b.UY)
	return b.Length*c + b.Height*math.Sqrt(math.Max(0, 1-c*c))
}

// with returns the row with a box more, and its axis drawn anew.
func (r Row) with(b Strip) Row {
	r.Parts = append(slices.Clone(r.Parts), b)
	slices.SortFunc(r.Parts, func(p, q Strip) int {
		a, _ := r.Locate(p.Centre())
		c, _ := r.Locate(q.Centre())
		return cmp.Compare(a, c)
	})
	r.Strip = axis(r.Parts, r.Strip)
	return r
}

// axis fits a strip round parts that are roughly along the given one: the least-squares line through their ends, weighted by
// length.
func axis(parts []Strip, along Strip) Strip {
	var sw, sa, sd, saa, sad, sh float64
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range parts {
		q := p
		if q.UX*along.UX+q.UY*along.UY < 0 {
			q = q.Flipped()
		}
		l, e := q.ends()
		if !q.Directed() { // its angle says nothing: use its middle twice
			m := q.Centre()
			l, e = m, m
		}
		w := q.Length
		sh += w * q.Height
		sw += w
		for _, pt := range [...]imaging.Point{l, e} {
			a, d := along.Locate(pt)
			sa, sd = sa+w/2*a, sd+w/2*d
			saa, sad = saa+w/2*a*a, sad+w/2*a*d
		}
		a, _ := along.Locate(q.Centre())
		half := alongOf(along, q) / 2
		lo, hi = math.Min(lo, a-half), math.Max(hi, a+half)
	}
	slope := 0.0
	if den := saa*sw - sa*sa; den > 1e-9 {
		slope = (sad*sw - sa*sd) / den
	}
	offset := (sd - slope*sa) / sw
	return Between(along.At(lo, offset+slope*lo), along.At(hi, offset+slope*hi), sh/sw, along.Score)
}

// JoinOverlapping joins rows that overlap on one axis: the detector found one line twice.
func JoinOverlapping(rows []Row) []Row {
	for i := 0; i < len(rows); i++ {
		for j := i + 1; j < len(rows); j++ {
			a, b := rows[i], rows[j]
			along, off := a.Locate(b.Strip.Centre())
			space := math.Abs(along) - a.Length/2 - alongOf(a.Strip, b.Strip)/2
			if math.Abs(off) > rowDrift*math.Min(a.Height, b.Height) || space > 0 || !Continues(a.Strip, b.Strip) {
				continue
			}
			rows[i] = a.with(b.Strip)
			rows = slices.Delete(rows, j, j+1)
			j = i
		}
	}
	return rows
}
