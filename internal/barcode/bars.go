package barcode

import (
	"math"
	"slices"
	"sort"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Where bars are looked for: in cells, at full resolution, where thin bars are still apart, but not at every pixel.
const (
	cellsAcross = 160 // the longer side
	leastCell   = 10  // pixels
	mostSamples = 1.4e6
	mostBars    = 3
)

// texture is the structure of a picture's cells.
type texture struct {
	cells      []tensor
	cols, rows int
	cell       int     // pixels a side
	floor      float64 // energy below which nothing is printed
	busy       float64 // energy of the busiest cells
}

// least is the energy of a pixel below which nothing is printed: contrasts of a few levels.
const least = 60

func textureOf(g *imaging.Gray) texture {
	t := texture{cell: max(leastCell, max(g.W, g.H)/cellsAcross)}
	t.cols, t.rows = g.W/t.cell, g.H/t.cell
	if t.cols < 3 || t.rows < 2 {
		return t
	}
	step := 2
	for float64(g.W)*float64(g.H)/float64(step*step) > mostSamples {
		step++
	}
	t.floor = least * float64(t.cell*t.cell) / float64(step*step)
	t.cells = make([]tensor, t.cols*t.rows)
	for y := 1; y < t.rows*t.cell && y < g.H-1; y += step {
		above, row, below := g.Pix[(y-1)*g.W:y*g.W], g.Pix[y*g.W:(y+1)*g.W], g.Pix[(y+1)*g.W:(y+2)*g.W]
		line := t.cells[(y/t.cell)*t.cols : (y/t.cell+1)*t.cols]
		x := 1
		for i := range line {
			var xx, yy, xy int
			for end := min((i+1)*t.cell, g.W-1); x < end; x += step {
				dx, dy := int(row[x+1])-int(row[x-1]), int(below[x])-int(above[x])
				xx += dx * dx
				yy += dy * dy
				xy += dx * dy
			}
			c := &line[i]
			c.xx, c.yy, c.xy = c.xx+float64(xx), c.yy+float64(yy), c.xy+float64(xy)
		}
	}
	energies := make([]float64, len(t.cells))
	for i, c := range t.cells {
		energies[i] = c.energy()
	}
	slices.Sort(energies)
	t.busy = energies[len(energies)*98/100]
	return t
}

// What cells of bars are like: strong gradients, most in one direction. Rows two modules high have nearly as many edges
// between rows as between bars, which leaves a coherence of .3; rows of three, as licences have, .5.
const (
	barEnergy    = 0.08 // of the busiest cells'
	barCoherence = 0.22
	barAngle     = 0.35 // radians between neighbours
	barCells     = 8
	barSpan      = 0.3 // coherence of a region as a whole: of codes it is .6 and more
)

// strictness is what joins cells: how strong and coherent they are and how far apart they may lie. A lenient look bridges
// the wide bars of a large code, a strict one keeps a code apart from print beside it.
var strictness = []struct {
	energy, coherence float64
	gap               int
}{{barEnergy, barCoherence, 2}, {3 * barEnergy, barCoherence, 1}}

// bars lists the regions of the picture that parallel bars fill, the likeliest first. Print and a desk's grain make regions
// from neighbour to neighbour, too, but turn on the way.
func (t texture) bars() []region {
	var out []region
	for _, s := range strictness {
		limit := max(s.energy*t.busy, t.floor)
		marked := make([]bool, len(t.cells))
		for i, c := range t.cells {
			marked[i] = c.energy() > limit && c.coherence() > s.coherence
		}
		seen := make([]bool, len(marked))
		for start := range marked {
			if !marked[start] || seen[start] {
				continue
			}
			members := t.parallel(start, s.gap, marked, seen)
			if len(members) < barCells {
				continue
			}
			r, ok := fitRegion(members, t.cells, t.cols, t.cell, 1)
			if !ok || r.thin(t.cell) || slices.ContainsFunc(out, r.near) {
				continue
			}
			// Print beside a code leaves much of the rectangle around both empty.
			r.weight *= float64(len(members)*t.cell*t.cell) / (side(r.quad[0], r.quad[1]) * side(r.quad[0], r.quad[3]))
			out = append(out, r)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].weight > out[j].weight })
	out = out[:min(len(out), mostBars)]
	return slices.DeleteFunc(out, func(r region) bool { return r.coherence < barSpan })
}

// near reports whether two regions are nearly the same.
func (r region) near(o region) bool {
	limit := .08 * max(side(r.quad[0], r.quad[1]), side(r.quad[0], r.quad[3]))
	for i, p := range r.quad {
		if side(p, o.quad[i]) > limit {
			return false
		}
	}
	return true
}

// thin reports whether a region is a line rather than an area of bars.
func (r region) thin(cell int) bool {
	w, h := side(r.quad[0], r.quad[1]), side(r.quad[0], r.quad[3])
	return w < float64(5*cell) || h > 2*w
}

// fills reports whether a region is most of the picture.
func (r region) fills(g *imaging.Gray) bool {
	return side(r.quad[0], r.quad[1])*side(r.quad[0], r.quad[3]) > .5*float64(g.W*g.H)
}

// parallel gathers the marked cells around one whose bars run in its direction, up to gap cells apart.
func (t texture) parallel(start, gap int, marked, seen []bool) []int {
	var members []int
	queue := []int{start}
	seen[start] = true
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		members = append(members, i)
		x, y := i%t.cols, i/t.cols
		angle := t.cells[i].angle()
		for dy := -gap; dy <= gap; dy++ {
			for dx := -gap; dx <= gap; dx++ {
				nx, ny := x+dx, y+dy
				if nx < 0 || ny < 0 || nx >= t.cols || ny >= t.rows {
					continue
				}
				j := ny*t.cols + nx
				if !marked[j] || seen[j] || between(angle, t.cells[j].angle()) > barAngle {
					continue
				}
				seen[j] = true
				queue = append(queue, j)
			}
		}
	}
	return members
}

// between is the angle between two directions that have no sense.
func between(a, b float64) float64 {
	d := math.Abs(a - b)
	return math.Min(d, math.Pi-d)
}
