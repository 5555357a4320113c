package barcode

import (
	"math"
	"sync"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// grid is a PDF417 set straight: samples pixels a module across, one line or more a module down.
type grid struct {
	columns int
	lines   int
	rows    []strip     // by line
	edges   [][]float64 // by line, where the columns begin and the last ends, in pixels: start, left, data…, right, stop
}

const (
	samples    = 3   // pixels a module
	linesEach  = 1.5 // a module's width
	mostLines  = 420
	leastLines = 12
	drift      = 7  // pixels by which a column may lie aside
	chunkLines = 16 // that share their columns' places
)

// newGrid rectifies what lies under the quad as a code of so many columns. height is in modules.
func newGrid(g *imaging.Gray, q imaging.Quad, columns int, height float64) grid {
	lines := min(mostLines, max(leastLines, int(height*linesEach+.5)))
	// A margin on both sides shows where the first bar begins.
	n := float64(widthOf(columns))
	pic := g.Warp(grow(q, quiet/n, 0), (widthOf(columns)+2*quiet)*samples, lines)
	c := grid{columns: columns, lines: lines}
	for y := range lines {
		c.rows = append(c.rows, stripOf(pic, y, y+1))
	}
	c.align(pic)
	return c
}

// quiet is the margin of a grid in modules.
const quiet = 3

// align finds where the columns begin: each begins with a bar after a space, in every row.
func (c *grid) align(pic *imaging.Gray) {
	whole := c.places(pic, 0, c.lines, nil)
	c.edges = make([][]float64, c.lines)
	chunks := max(1, c.lines/chunkLines)
	for k := range chunks {
		from, to := k*c.lines/chunks, (k+1)*c.lines/chunks
		at := whole
		if chunks > 1 {
			at = c.places(pic, from, to, whole)
		}
		for y := from; y < to; y++ {
			c.edges[y] = at
		}
	}
}

// places finds the columns' beginnings in some lines, near those of a whole code if these are known.
func (c *grid) places(pic *imaging.Gray, from, to int, near []float64) []float64 {
	fall := make([]float64, pic.W)
	most := 1e-9
	for y := from; y < to; y++ {
		row := pic.Pix[y*pic.W:]
		for x := 2; x < pic.W-2; x++ {
			if d := int(row[x-1]) + int(row[x-2]) - int(row[x]) - int(row[x+1]); d > 0 {
				fall[x] += float64(d)
			}
		}
	}
	for _, v := range fall {
		most = max(most, v)
	}
	n := c.columns + 4
	width := 2*drift + 1
	score, back := make([]float64, n*width), make([]int, n*width)
	for j := range n {
		for d := range width {
			at := (quiet+codewordModules*j)*samples + d - drift
			v := 0.0
			if at > 0 && at < pic.W {
				v = fall[at] / most
			}
			if near != nil {
				v -= .12 * math.Abs(float64(at)-near[j])
			} else {
				v -= .02 * math.Abs(float64(d-drift))
			}
			best, arg := 0.0, d
			for e := max(0, d-3); j > 0 && e <= min(width-1, d+3); e++ {
				if s := score[(j-1)*width+e] - .08*math.Abs(float64(d-e)); e == max(0, d-3) || s > best {
					best, arg = s, e
				}
			}
			score[j*width+d], back[j*width+d] = v+best, arg
		}
	}
	d := 0
	for e := range width {
		if score[(n-1)*width+e] > score[(n-1)*width+d] {
			d = e
		}
	}
	out := make([]float64, n+1)
	for j := n - 1; j >= 0; j-- {
		out[j] = float64((quiet+codewordModules*j)*samples + d - drift)
		d = back[j*width+d]
	}
	out[n] = out[n-1] + samples*(codewordModules+1)
	return out
}

// vector is the brightness of a codeword's modules, without its mean and of unit length.
type vector [codewordModules]float32

// raw adds the brightness of a column's modules on a line.
func (c *grid) raw(line, column int, sum *[codewordModules]float64) {
	e := c.edges[line]
	from, width := e[column], (e[column+1]-e[column])/codewordModules
	row := c.rows[line].sum
	at := to(row, from)
	for k := range sum {
		next := to(row, from+float64(k+1)*width)
		sum[k] += next - at
		at = next
	}
}

// at is the vector of a column over the lines from y0 to y1, both included.
func (c *grid) at(y0, y1 float64, column int) vector {
	lo := min(c.lines-1, max(0, int(math.Round(y0))))
	hi := min(c.lines-1, max(lo, int(math.Round(y1))))
	var sum [codewordModules]float64
	for y := lo; y <= hi; y++ {
		c.raw(y, column, &sum)
	}
	return normal(sum)
}

func normal(sum [codewordModules]float64) vector {
	mean := 0.0
	for _, v := range sum {
		mean += v / codewordModules
	}
	length := 0.0
	for _, v := range sum {
		length += (v - mean) * (v - mean)
	}
	length = math.Sqrt(max(length, 1e-6))
	var out vector
	for k, v := range sum {
		out[k] = float32((v - mean) / length)
	}
	return out
}

func (v *vector) dot(o *vector) float32 {
	var a, b, c, d float32
	for k := 0; k < 16; k += 4 {
		a += v[k] * o[k]
		b += v[k+1] * o[k+1]
		c += v[k+2] * o[k+2]
		d += v[k+3] * o[k+3]
	}
	return a + b + c + d + v[16]*o[16]
}

// softness is how much of a module's light comes from each of its neighbours.
type softness int

var softnesses = []float64{.06, .16, .28}

// templates are the vectors of all codewords as a lens of some softness shows them, made when first needed.
var templates [3]struct {
	once sync.Once
	of   [3][929]vector
}

func templatesOf(s softness) *[3][929]vector {
	t := &templates[s]
	t.once.Do(func() {
		for cluster := range symbols {
			for word, bits := range symbols[cluster] {
				t.of[cluster][word] = soften(bits, softnesses[s])
			}
		}
	})
	return &t.of
}

// soften shows a codeword through a lens. Before it stands a space, after it the next one's bar.
func soften(bits uint32, by float64) vector {
	var light [codewordModules + 2]float64
	light[0] = 1
	for i := range codewordModules {
		light[i+1] = 1 - float64(bits>>(codewordModules-1-i)&1)
	}
	var sum [codewordModules]float64
	for i := range sum {
		sum[i] = by*light[i] + (1-2*by)*light[i+1] + by*light[i+2]
	}
	return normal(sum)
}

// reading is what a vector most resembles.
type reading struct {
	word         int
	like, second float32
}

// best compares a vector with every codeword of a cluster.
func best(v *vector, cluster *[929]vector) reading {
	r := reading{like: -2, second: -2}
	for word := range cluster {
		d := v.dot(&cluster[word])
		if d > r.like {
			r.second, r.like, r.word = r.like, d, word
		} else if d > r.second {
			r.second = d
		}
	}
	return r
}
