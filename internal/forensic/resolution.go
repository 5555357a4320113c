package forensic

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How the width of an edge is measured.
const (
	edgeTiles    = 8    // places that are looked at, those with the most print
	edgeContrast = 40   // grey levels that an edge must step at least
	edgeSteep    = 6.   // grey levels a pixel at its steepest, at least
	edgeLongest  = 14   // pixels that an edge may take to either side
	edgeStraight = .4   // most slope along the edge, as part of that across
	edgeLeast    = 60   // edges without which nothing is said
	edgePart     = .2   // of the edges are sharper than the measure: the rest may be soft in print
	halfContrast = .187 // √(ln 2 / 2π²): at this frequency times sigma a Gaussian blur halves contrast
)

// Sharpness is the finest pattern that the picture shows of the page with half its contrast, in line pairs a pixel, at
// most 0.5: measured on the edges of its print, whatever camera, distance or size. Times the page's pixels a millimetre
// it is line pairs a millimetre. 0 where there are too few edges to tell.
func (p *Places) Sharpness() float64 {
	var widths []float64
	for i := len(p.tiles) - 1; i >= 0 && i >= len(p.tiles)-edgeTiles; i-- {
		widths = edges(p.tiles[i].g, widths)
	}
	if len(widths) < edgeLeast {
		return 0
	}
	slices.Sort(widths)
	return math.Min(.5, halfContrast/widths[int(edgePart*float64(len(widths)))])
}

// edges appends the blur, as sigma in pixels, of each clear edge that runs along a row or a column.
func edges(g *imaging.Gray, out []float64) []float64 {
	for y := 2; y < g.H-2; y++ {
		for x := 2; x < g.W-2; x++ {
			i := y*g.W + x
			across := int(g.Pix[i+1]) - int(g.Pix[i-1])
			down := int(g.Pix[i+g.W]) - int(g.Pix[i-g.W])
			switch {
			case math.Abs(float64(across)) >= 2*edgeSteep && math.Abs(float64(down)) <= edgeStraight*math.Abs(float64(across)):
				out = edge(g.Pix[y*g.W:], 1, g.W, x, g.W, out)
			case math.Abs(float64(down)) >= 2*edgeSteep && math.Abs(float64(across)) <= edgeStraight*math.Abs(float64(down)):
				out = edge(g.Pix[x:], g.W, 1, y, g.H, out)
			}
		}
	}
	return out
}

// edge measures one that is steepest at place at of a line of n pixels, which are stride apart. Its neighbour, beside
// away, is averaged with it against noise.
func edge(pix []uint8, stride, beside, at, n int, out []float64) []float64 {
	v := func(i int) int { return int(pix[i*stride]) + int(pix[i*stride+beside]) }
	slope := func(i int) int { return v(i+1) - v(i-1) }
	peak := slope(at)
	sign := 1
	if peak < 0 {
		sign = -1
	}
	if at < 2 || at > n-3 || sign*slope(at-1) > sign*peak || sign*slope(at+1) >= sign*peak {
		return out
	}
	from, to := at, at
	for from > 0 && at-from < edgeLongest && sign*(v(from)-v(from-1)) > 0 {
		from--
	}
	for to < n-1 && to-at < edgeLongest && sign*(v(to+1)-v(to)) > 0 {
		to++
	}
	step := sign * (v(to) - v(from))
	if step < 2*edgeContrast {
		return out
	}
	// A Gaussian edge of that step is step/(σ√2π) steep; the difference over two pixels blurs by 1/3 of its own.
	sigma := float64(step) / (math.Sqrt(2*math.Pi) * float64(sign*peak) / 2)
	return append(out, math.Sqrt(math.Max(.14, sigma*sigma-1./3)))
}
