package barcode

import (
	"math"
	"sort"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// strip is the brightness along a line of a patch, as sums from its left end, so that a span of any length costs two
// looks.
type strip struct {
	sum, squares []float64 // one more than the strip is long
}

// stripOf averages the rows y0 to y1-1 of a picture.
func stripOf(g *imaging.Gray, y0, y1 int) strip {
	y0, y1 = max(y0, 0), min(y1, g.H)
	s := strip{make([]float64, g.W+1), make([]float64, g.W+1)}
	if y0 >= y1 {
		return s
	}
	total := make([]int, g.W)
	for y := y0; y < y1; y++ {
		row := g.Pix[y*g.W : (y+1)*g.W]
		for x, v := range row {
			total[x] += int(v)
		}
	}
	for x, t := range total {
		v := float64(t) / float64(y1-y0)
		s.sum[x+1], s.squares[x+1] = s.sum[x]+v, s.squares[x]+v*v
	}
	return s
}

// backwards is the strip as seen from its other end.
func (s strip) backwards() strip {
	n := len(s.sum) - 1
	o := strip{make([]float64, n+1), make([]float64, n+1)}
	for i := range o.sum {
		o.sum[i], o.squares[i] = s.sum[n]-s.sum[n-i], s.squares[n]-s.squares[n-i]
	}
	return o
}

func (s strip) length() float64 { return float64(len(s.sum) - 1) }

// to is the sum from the left end to x, which may lie within a pixel.
func to(sum []float64, x float64) float64 {
	if !(x > 0) {
		return 0
	}
	i := int(x)
	if i >= len(sum)-1 {
		return sum[len(sum)-1]
	}
	return sum[i] + (x-float64(i))*(sum[i+1]-sum[i])
}

// pattern is a guard pattern with what its comparison needs.
type pattern struct {
	runs    []int
	edges   []float64 // in modules from the left
	modules float64
	dark    float64 // part of the modules
}

func newPattern(runs []int) pattern {
	p := pattern{runs: runs, edges: make([]float64, len(runs)+1)}
	for i, n := range runs {
		p.edges[i+1] = p.edges[i] + float64(n)
		if i%2 == 0 {
			p.dark += float64(n)
		}
	}
	p.modules = p.edges[len(runs)]
	p.dark /= p.modules
	return p
}

var startPattern, stopPattern = newPattern(startRuns), newPattern(stopRuns)

// flat is the variance below which nothing is printed.
const flat = 9

// likeness is the correlation, −1 to 1, of the strip at x with the pattern in modules of m pixels.
func (p pattern) likeness(s strip, x, m float64) float64 {
	like, _ := p.compare(s, x, m)
	return like
}

// compare also answers the variance of what is compared, its contrast.
func (p pattern) compare(s strip, x, m float64) (like, variance float64) {
	n := p.modules * m
	if x < 0 || x+n > s.length() {
		return -1, 0
	}
	left := to(s.sum, x)
	dark, at := 0.0, left
	for i, e := range p.edges[1:] {
		next := to(s.sum, x+e*m)
		if i%2 == 0 {
			dark += next - at
		} else if i == 1 && dark/p.edges[1] > (next-at)/(e-p.edges[1])+30*m {
			return -1, 0 // the wide bar is brighter than the space after it
		}
		at = next
	}
	all := at - left
	variance = (to(s.squares, x+n)-to(s.squares, x))/n - all*all/(n*n)
	if variance < flat {
		return -1, 0
	}
	return (p.dark*all - dark) / n / math.Sqrt(variance*p.dark*(1-p.dark)), variance
}

// hit is a place that looks like a guard pattern.
type hit struct {
	x, m  float64 // left edge and module, in pixels
	score float64
}

// Search of guard patterns.
const (
	finest    = 1.0  // pixels a module, below which nothing can be read
	coarser   = 1.07 // from one width of modules to the next
	leastLike = 0.55
	mostHits  = 5
)

// search finds the best places of a pattern with modules of lo to hi pixels.
func (p pattern) search(s strip, lo, hi float64) []hit {
	var found []hit
	for m := max(lo, finest); m <= hi; m *= coarser {
		for x := 0.0; x+p.modules*m <= s.length(); x += m / 3 {
			if v := p.likeness(s, x, m); v > leastLike {
				found = append(found, hit{x, m, v})
			}
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].score > found[j].score })
	var out []hit
	for _, h := range found {
		apart := true
		for _, o := range out {
			apart = apart && math.Abs(h.x-o.x) > 3*min(h.m, o.m)
		}
		if apart {
			out = append(out, h)
		}
		if len(out) == mostHits {
			break
		}
	}
	return out
}

// guard is where a guard pattern runs in a patch: its left edge is at x0 + xs·y, its modules are m0 + ms·y wide.
type guard struct {
	x0, xs, m0, ms float64
	score          float64
}

func (g guard) x(y float64) float64 { return g.x0 + g.xs*y }
func (g guard) m(y float64) float64 { return g.m0 + g.ms*y }

// Agreement of hits on one guard pattern.
const (
	asideModules = 0.9
	moduleOff    = 0.1
	mostGuards   = 3
)

// guardsOf lays straight lines through hits of several bands, the best supported first. ys are the bands' middles.
func guardsOf(bands [][]hit, ys []float64) []guard {
	var all []guard
	for i := range bands {
		for j := i + max(1, len(bands)/4); j < len(bands); j++ {
			for _, a := range bands[i] {
				for _, b := range bands[j] {
					if math.Abs(a.m-b.m) > 2*moduleOff*a.m {
						continue
					}
					g := guard{xs: (b.x - a.x) / (ys[j] - ys[i]), ms: (b.m - a.m) / (ys[j] - ys[i])}
					if math.Abs(g.xs) > 1 {
						continue
					}
					g.x0, g.m0 = a.x-g.xs*ys[i], a.m-g.ms*ys[i]
					g.score = g.support(bands, ys)
					all = append(all, g)
				}
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].score > all[j].score })
	var out []guard
	mid := ys[len(ys)/2]
	for _, g := range all {
		apart := true
		for _, o := range out {
			apart = apart && math.Abs(g.x(mid)-o.x(mid)) > 3*o.m(mid)
		}
		if apart {
			out = append(out, g)
		}
		if len(out) == mostGuards {
			break
		}
	}
	return out
}

func (g guard) support(bands [][]hit, ys []float64) float64 {
	sum := 0.0
	for i, hits := range bands {
		best := 0.0
		m := g.m(ys[i])
		for _, h := range hits {
			if math.Abs(h.x-g.x(ys[i])) < asideModules*m && math.Abs(h.m-m) < moduleOff*m {
				best = max(best, h.score)
			}
		}
		sum += best
	}
	return sum
}
