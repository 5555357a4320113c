package barcode

import (
	"math"
	"sort"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// region is a part of the picture whose gradients look like bars.
type region struct {
	quad      imaging.Quad // upright along the bars: its top runs across them
	weight    float64
	coherence float64 // of the region as a whole, 0–1
}

const (
	regionSize = 960 // longest side at which gradients are summed
	cell       = 12  // pixels a side of the cells they are summed in
	maxRegions = 4
)

// tensor is the structure tensor of a cell: sums of products of gradients.
type tensor struct{ xx, yy, xy float64 }

func (t tensor) energy() float64 { return t.xx + t.yy }

// angle is the direction of the strongest gradient, across the bars, in
// radians within ±π/2.
func (t tensor) angle() float64 { return .5 * math.Atan2(2*t.xy, t.xx-t.yy) }

// coherence is 0 when gradients have no direction, 1 when they have one.
func (t tensor) coherence() float64 {
	if t.energy() == 0 {
		return 0
	}
	return math.Hypot(t.xx-t.yy, 2*t.xy) / t.energy()
}

// regions proposes where a code may lie: connected cells full of strong
// gradients, the strongest first.
func regions(g *imaging.Gray) []region {
	small, scale := g.Fit(regionSize)
	cols, rows := small.W/cell, small.H/cell
	if cols < 3 || rows < 2 {
		return nil
	}
	cells := tensors(small, cols, rows)
	strong := strongCells(cells, cols, rows)
	var out []region
	for _, members := range connected(strong, cols, rows) {
		if len(members) < 6 {
			continue
		}
		if r, ok := fitRegion(members, cells, cols, cell, 1/scale); ok {
			out = append(out, r)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].weight > out[j].weight })
	return out[:min(len(out), maxRegions)]
}

func tensors(g *imaging.Gray, cols, rows int) []tensor {
	cells := make([]tensor, cols*rows)
	for y := 1; y < rows*cell && y < g.H-1; y++ {
		row := g.Pix[y*g.W:]
		for x := 1; x < cols*cell && x < g.W-1; x++ {
			dx := float64(row[x+1]) - float64(row[x-1])
			dy := float64(g.Pix[(y+1)*g.W+x]) - float64(g.Pix[(y-1)*g.W+x])
			t := &cells[(y/cell)*cols+x/cell]
			t.xx += dx * dx
			t.yy += dy * dy
			t.xy += dx * dy
		}
	}
	return cells
}

// strongCells marks cells whose energy is near that of the busiest ones: a
// code is the most contrasted texture of a card. One pass of closing joins
// what a wide bar separates.
func strongCells(cells []tensor, cols, rows int) []bool {
	energies := make([]float64, len(cells))
	for i, c := range cells {
		energies[i] = c.energy()
	}
	sorted := append([]float64(nil), energies...)
	sort.Float64s(sorted)
	limit := sorted[len(sorted)*98/100] * .3
	marked := make([]bool, len(cells))
	for i, e := range energies {
		marked[i] = e > limit && e > 0
	}
	closed := append([]bool(nil), marked...)
	for y := range rows {
		for x := range cols {
			i := y*cols + x
			if marked[i] {
				continue
			}
			across := x > 0 && x < cols-1 && marked[i-1] && marked[i+1]
			down := y > 0 && y < rows-1 && marked[i-cols] && marked[i+cols]
			closed[i] = across || down
		}
	}
	return closed
}

// connected lists the components of marked cells (four neighbours).
func connected(marked []bool, cols, rows int) [][]int {
	seen := make([]bool, len(marked))
	var out [][]int
	for start := range marked {
		if !marked[start] || seen[start] {
			continue
		}
		members, queue := []int(nil), []int{start}
		seen[start] = true
		for len(queue) > 0 {
			i := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			members = append(members, i)
			x, y := i%cols, i/cols
			for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				nx, ny := x+d[0], y+d[1]
				if nx < 0 || ny < 0 || nx >= cols || ny >= rows {
					continue
				}
				if j := ny*cols + nx; marked[j] && !seen[j] {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
		out = append(out, members)
	}
	return out
}

// fitRegion lays the smallest rectangle along the gradients' direction around
// the cells.
func fitRegion(members []int, cells []tensor, cols, size int, scale float64) (region, bool) {
	var sum tensor
	for _, i := range members {
		sum.xx += cells[i].xx
		sum.yy += cells[i].yy
		sum.xy += cells[i].xy
	}
	coherence := sum.coherence()
	if coherence < .15 {
		sum = tensor{xx: 1} // as good as none: a QR code or text; take it upright
	}
	angle := sum.angle()
	cos, sin := math.Cos(angle), math.Sin(angle)
	minU, maxU, minV, maxV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	var weight float64
	for _, i := range members {
		weight += cells[i].energy() * (.2 + cells[i].coherence())
		for _, corner := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			x, y := float64((i%cols+corner[0])*size), float64((i/cols+corner[1])*size)
			u, v := x*cos+y*sin, y*cos-x*sin
			minU, maxU, minV, maxV = min(minU, u), max(maxU, u), min(minV, v), max(maxV, v)
		}
	}
	if maxU-minU < float64(2*size) || maxV-minV < float64(size) {
		return region{}, false
	}
	at := func(u, v float64) imaging.Point {
		return imaging.Point{X: (u*cos - v*sin) * scale, Y: (u*sin + v*cos) * scale}
	}
	q := imaging.Quad{at(minU, minV), at(maxU, minV), at(maxU, maxV), at(minU, maxV)}
	return region{grow(q, .06, .1), weight, coherence}, true
}

// Widths at which a region is offered: at 1 200 pixels the widest licence code
// has four a module, at 1 900 a dense one three.
var regionWidths = []float64{1200, 1900, 700}

func (r region) views(g *imaging.Gray) []view {
	w, h := side(r.quad[0], r.quad[1]), side(r.quad[0], r.quad[3])
	var out []view
	for _, width := range regionWidths {
		s := width / w
		if s > 4 || h*s > 2400 || h*s < 8 {
			continue
		}
		out = append(out, rectified(g, r.quad, int(width), int(h*s)))
	}
	return out
}

// completed stands in for the outline of a code of which one end was found: the
// region around that end, its corners in the code's order.
func completed(g *imaging.Gray, known imaging.Quad) imaging.Quad {
	mid := imaging.Point{X: (known[0].X + known[1].X + known[2].X + known[3].X) / 4, Y: (known[0].Y + known[1].Y + known[2].Y + known[3].Y) / 4}
	for _, r := range regions(g) {
		if !inside(r.quad, mid) {
			continue
		}
		q := r.quad
		turned := imaging.Quad{q[2], q[3], q[0], q[1]}
		// The known end has its own corners near: the start pattern 0 and 3, the
		// stop pattern 1 and 2.
		if far(turned, known) < far(q, known) {
			return turned
		}
		return q
	}
	return known
}

func far(a, b imaging.Quad) float64 {
	sum := 0.0
	for i := range a {
		sum += side(a[i], b[i])
	}
	return sum
}

// inside reports whether the point lies in the convex quad.
func inside(q imaging.Quad, p imaging.Point) bool {
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			return false
		}
	}
	return true
}
