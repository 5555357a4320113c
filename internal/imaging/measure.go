package imaging

import (
	"math/bits"
	"slices"
)

// Sharpness tells how crisp the best-focused part of g is: the tenth-sharpest of a hundred tiles of 32×32 pixels (90th
// percentile), each measured by the variance of its Laplacian in grey levels squared. g is shrunk to at most 1 024
// pixels first, so that cameras can be compared. 0 is a flat picture; sharp print or a sharp face gives several hundred
// to several thousand, focus blur of 3 pixels some tens. Unknown (0) for pictures smaller than a tile.
func Sharpness(g *Gray) float64 {
	g, _ = g.Fit(1024)
	const tile = 32
	var scores []float64
	for y := 0; y+tile <= g.H; y += tile {
		for x := 0; x+tile <= g.W; x += tile {
			scores = append(scores, laplacianVariance(g, x, y, tile))
		}
	}
	if len(scores) == 0 {
		return 0
	}
	slices.Sort(scores)
	return scores[len(scores)*9/10]
}

func laplacianVariance(g *Gray, x0, y0, tile int) float64 {
	var sum, squares int64
	n := int64(0)
	for y := max(y0, 1); y < min(y0+tile, g.H-1); y++ {
		up, row, down := g.Pix[(y-1)*g.W:], g.Pix[y*g.W:], g.Pix[(y+1)*g.W:]
		for x := max(x0, 1); x < min(x0+tile, g.W-1); x++ {
			v := 4*int64(row[x]) - int64(row[x-1]) - int64(row[x+1]) - int64(up[x]) - int64(down[x])
			sum += v
			squares += v * v
			n++
		}
	}
	mean := float64(sum) / float64(n)
	return float64(squares)/float64(n) - mean*mean
}

// GlareArea is the part of p (0–1) that is burnt out: cells of 8×8 pixels, after shrinking to at most 512, in which nine
// tenths of the pixels have every channel at 250 or more. White paper in ordinary light stays below that.
func GlareArea(p *RGB) float64 {
	p, _ = p.Fit(512)
	const cell, floor = 8, 250
	burnt, cells := 0, 0
	for y := 0; y+cell <= p.H; y += cell {
		for x := 0; x+cell <= p.W; x += cell {
			n := 0
			for dy := range cell {
				row := p.Pix[3*((y+dy)*p.W+x):][:3*cell]
				for i := 0; i < len(row); i += 3 {
					if row[i] >= floor && row[i+1] >= floor && row[i+2] >= floor {
						n++
					}
				}
			}
			cells++
			if n*10 >= cell*cell*9 {
				burnt++
			}
		}
	}
	if cells == 0 {
		return 0
	}
	return float64(burnt) / float64(cells)
}

// Darkness tells how little light g caught: 1 minus the 90th percentile of luma over 255. 0 is a picture with white in
// it, 1 is black; an indoor photo lies between 0.1 and 0.5, above 0.7 little can be read.
func Darkness(g *Gray) float64 {
	if len(g.Pix) == 0 {
		return 1
	}
	var counts [256]int
	for _, v := range g.Pix {
		counts[v]++
	}
	above := len(g.Pix) / 10
	for v := 255; v >= 0; v-- {
		if above -= counts[v]; above < 0 {
			return 1 - float64(v)/255
		}
	}
	return 1
}

// DHash is a perceptual digest of 64 bits: bit 8·y+x tells whether luma grows from cell x to x+1 in row y of g shrunk to
// 9×8. Pictures of the same view differ in few bits (HashDistance ≤ 10), however compressed or scaled.
func DHash(g *Gray) uint64 {
	s := g.Resize(9, 8)
	var h uint64
	for y := range 8 {
		for x := range 8 {
			if s.Pix[9*y+x] < s.Pix[9*y+x+1] {
				h |= 1 << (8*y + x)
			}
		}
	}
	return h
}

// HashDistance is the number of bits (0–64) in which two digests of DHash differ.
func HashDistance(a, b uint64) int { return bits.OnesCount64(a ^ b) }
