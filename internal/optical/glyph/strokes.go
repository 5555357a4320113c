package glyph

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Set on 107 dates of 400 drawn scans (seed 7310001). See ADR 111.
const (
	palest   = 25.0 // grey levels between paper and ink, at least
	apart    = .25  // how much paler it is between two strokes, as a part of the ink
	shortest = .3   // height of the numeral at least, as a part of the crop's
	agreeing = .7   // share of the rows that must show as many strokes,
	crossed  = .5   // the same where strokes run into each other in some of the rows,
	noisy    = .1   // and the share of rows that may show more
	widest   = .35  // mean width of a stroke at most, as a part of the numeral's height: several that run together are wider
)

// bands are parts of a numeral's height in which its strokes are apart: those of V above, those of X above and below. Serifs are above and below them,
// and so are the points before and behind.
func bands(kind string) [][2]float64 {
	switch {
	case strings.Contains(kind, "X"):
		return [][2]float64{{.15, .35}, {.6, .7}}
	case strings.Contains(kind, "V"):
		return [][2]float64{{.15, .4}}
	}
	return [][2]float64{{.2, .7}}
}

// Read counts the strokes of the month on a crop of its line and returns it as the picture shows it; empty if that is not clear. from and to are the
// middles of what parts it from day and year, as parts of the crop's width.
func (m Month) Read(g *imaging.Gray, from, to float64) string {
	x0, x1 := int(from*float64(g.W)), int(to*float64(g.W))+1
	if x0 < 0 || x1 > g.W || x1-x0 < 3 {
		return ""
	}
	ink := inkOf(g, x0, x1)
	top, end := tallest(ink)
	if float64(end-top) < shortest*float64(g.H) {
		return ""
	}
	rows := map[int]int{} // by the strokes that they show
	all := 0
	for _, b := range bands(m.kind) {
		tall := float64(end - top)
		for y := top + int(b[0]*tall); y <= min(top+int(b[1]*tall), g.H-2); y++ {
			if y == 0 {
				continue
			}
			all++
			if n, wide := strokesIn(ink, y); float64(wide) <= widest*tall*float64(n) {
				rows[n]++
			}
		}
	}
	return m.with(m.settled(rows, all))
}

// settled is how many strokes the rows show; -1 if they do not agree.
func (m Month) settled(rows map[int]int, all int) int {
	share := func(n int) float64 { return float64(rows[n]) / float64(max(1, all)) }
	least := agreeing
	if others[m.kind] > 0 {
		least = crossed
	}
	for n := range rows {
		more := 0
		for k, c := range rows {
			if k > n {
				more += c
			}
		}
		if share(n) >= least && float64(more) <= noisy*float64(all) {
			return n
		}
	}
	return -1
}

// inkOf is how dark each pixel between two columns is: 0 as paper, 1 as the ink; nil if there is no ink.
func inkOf(g *imaging.Gray, x0, x1 int) [][]float64 {
	var whole, part [256]int // pixels, by their shade
	for _, v := range g.Pix {
		whole[v]++
	}
	for y := range g.H {
		for _, v := range g.Pix[y*g.W+x0 : y*g.W+x1] {
			part[v]++
		}
	}
	paper := nth(&whole, 7*len(g.Pix)/10)
	contrast := paper - nth(&part, 3*(x1-x0)*g.H/100)
	if contrast < palest {
		return nil
	}
	out := make([][]float64, g.H)
	for y := range out {
		out[y] = make([]float64, x1-x0)
		for x := range out[y] {
			out[y][x] = (paper - float64(g.Pix[y*g.W+x0+x])) / contrast
		}
	}
	return out
}

// nth is the shade of the nth darkest of some pixels, from 0 on.
func nth(pixels *[256]int, n int) float64 {
	for shade, count := range pixels {
		if n -= count; n < 0 {
			return float64(shade)
		}
	}
	return 255
}

// tallest is the longest run of rows with ink.
func tallest(ink [][]float64) (from, to int) {
	start := 0
	for y := range ink {
		if slices.Max(ink[y]) <= .5 {
			start = y + 1
		} else if y+1-start > to-from {
			from, to = start, y+1
		}
	}
	return from, to
}

// strokesIn counts the strokes that a row crosses, on the mean of it and its neighbours: maxima with paler places between them. wide is how many of its
// pixels are ink.
func strokesIn(ink [][]float64, y int) (n, wide int) {
	rising := true
	low, high := 0.0, 0.0
	row := len(ink[y])
	for x := 0; x <= row; x++ {
		v := 0.0 // paper at the end
		if x < row {
			v = (ink[y-1][x] + ink[y][x] + ink[y+1][x]) / 3
		}
		if v > .5 {
			wide++
		}
		low, high = math.Min(low, v), math.Max(high, v)
		switch {
		case rising && v < high-apart:
			n++
			rising, low = false, v
		case !rising && v > low+apart:
			rising, high = true, v
		}
	}
	return n, wide
}
