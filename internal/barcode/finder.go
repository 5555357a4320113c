package barcode

import (
	"bytes"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// This file finds QR codes: three finder patterns of one size, the outer two as far from the third as a square has it. Rows
// of the whole picture are looked at, dark and bright by the light around, so that a small code in a large picture, at any
// angle, is found at no great cost; the library then sees it upright with a few pixels a module.

// Search of finder patterns.
const (
	scanRows   = 900 // at most, spread over the picture's height
	lightReach = 40  // pixels of a row, to either side, whose mean tells dark from bright
	lightGap   = 5   // levels by which dark is darker than that
	leastScans = 2   // rows that must show a pattern,
	scansPart  = .12 // and of the rows of a large one: upright, its inner square takes three sevenths of them
	mostFound  = 24  // patterns that are combined
	mostCorner = 3   // triples that are tried
	mostMiss   = 0.8 // from a square
)

// spot is a finder pattern: its middle, its width in pixels, and how many rows showed it.
type spot struct {
	x, y, size float64
	n          int
}

// spots are the finder patterns of a picture, those that most rows show first.
func spots(g *imaging.Gray) []spot {
	var found []spot
	dark := make([]uint8, g.W)
	step := max(2, g.H/scanRows)
	for y := step; y < g.H-step; y += step {
		darker(dark, g.Pix[y*g.W:(y+1)*g.W])
		var runs [5]int
		for x, n := 0, 0; x < g.W; n++ {
			end := bytes.IndexByte(dark[x:], 1-dark[x])
			if end < 0 {
				end = g.W - x
			}
			copy(runs[:], runs[1:])
			runs[4] = end
			if dark[x] == 1 && n >= 4 && runs[2] > runs[1] && runs[2] > runs[3] && ratios(runs) {
				found = note(found, g, x+end, y, runs)
			}
			x += end
		}
	}
	found = slices.DeleteFunc(found, func(f spot) bool { return float64(f.n) < max(leastScans, scansPart*f.size/float64(step)) })
	sort.SliceStable(found, func(i, j int) bool { return found[i].n > found[j].n })
	return found[:min(len(found), mostFound)]
}

// darker marks the pixels of a row that are darker than what lies on either side, by 1.
func darker(dark, row []uint8) {
	const window = 2*lightReach + 1
	var sum int32 // of the row from lo to hi
	lo, hi := 0, 0
	at := func(x int) {
		for ; hi < min(len(row), x+lightReach+1); hi++ {
			sum += int32(row[hi])
		}
		for ; lo < x-lightReach; lo++ {
			sum -= int32(row[lo])
		}
		dark[x] = 0
		if (int32(row[x])+lightGap)*int32(hi-lo) < sum {
			dark[x] = 1
		}
	}
	x := 0
	for ; x < min(lightReach, len(row)); x++ {
		at(x)
	}
	if n := len(row) - window; n > 0 { // the window's left end goes from the first pixel to this one
		at(x)
		behind, next, middle, out := row[:n], row[window:][:n], row[lightReach+1:][:n], dark[lightReach+1:][:n]
		for i := range out {
			sum += int32(next[i]) - int32(behind[i])
			// The sign of the difference, without a branch: pixels are as often dark as not.
			out[i] = uint8(uint32((int32(middle[i])+lightGap)*window-sum) >> 31)
		}
		x, lo, hi = x+1+n, n, len(row)
	}
	for ; x < len(row); x++ {
		at(x)
	}
}

// mostNoted bounds a picture that is full of patterns.
const mostNoted = 400

// note adds a row's pattern to the one that it belongs to, or begins another if the column through it shows it too.
func note(found []spot, g *imaging.Gray, end, y int, runs [5]int) []spot {
	size := float64(runs[0] + runs[1] + runs[2] + runs[3] + runs[4])
	x := float64(end) - size/2
	for i := range found {
		f := &found[i]
		if math.Abs(f.x-x) < f.size*.4 && math.Abs(f.y-float64(y)) < f.size*.6 {
			f.n++
			k := 1 / float64(f.n)
			f.x, f.y, f.size = f.x+(x-f.x)*k, f.y+(float64(y)-f.y)*k, f.size+(size-f.size)*k
			return found
		}
	}
	if len(found) >= mostNoted || !upright(g, int(x), y, int(size)) {
		return found
	}
	return append(found, spot{x, float64(y), size, 1})
}

// upright looks along the column through a pattern's middle for the same runs.
func upright(g *imaging.Gray, x, y, size int) bool {
	lo, hi := 255, 0
	from, to := max(0, y-size), min(g.H-1, y+size)
	for yy := from; yy <= to; yy++ {
		v := int(g.Pix[yy*g.W+x])
		lo, hi = min(lo, v), max(hi, v)
	}
	if hi-lo < 2*lightGap {
		return false
	}
	dark := func(yy int) bool { return int(g.Pix[yy*g.W+x]) < (lo+hi)/2 }
	if !dark(y) {
		return false
	}
	var runs [5]int
	for _, way := range []struct{ step, first int }{{-1, 2}, {1, 2}} {
		at, black := way.first, true
		for yy := y; yy >= from && yy <= to; yy += way.step {
			if dark(yy) != black {
				at, black = at+way.step, !black
				if at < 0 || at > 4 {
					break
				}
			}
			runs[at]++
		}
	}
	runs[2]-- // the middle was counted twice
	// Seen from the side, or at an angle, the outer runs may reach into what is dark beside them.
	runs[0], runs[4] = min(runs[0], 2*runs[1]), min(runs[4], 2*runs[3])
	return ratios(runs)
}

// corner is three finder patterns that may be those of one code: bottom left, top left, top right.
type corner struct {
	p    [3]spot
	miss float64 // from a square
}

// cornersOf combines patterns, the likeliest first.
func cornersOf(found []spot) []corner {
	var out []corner
	for i, at := range found {
		for j, a := range found {
			for k, b := range found {
				if i == j || i == k || j >= k {
					continue
				}
				if c, ok := cornerOf(at, a, b); ok {
					out = append(out, c)
				}
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].miss < out[j].miss })
	return out[:min(len(out), mostCorner)]
}

// cornerOf judges whether two patterns stand to a third as in a code of 21 to 177 modules.
func cornerOf(at, a, b spot) (corner, bool) {
	ax, ay, bx, by := a.x-at.x, a.y-at.y, b.x-at.x, b.y-at.y
	u, v := math.Hypot(ax, ay), math.Hypot(bx, by)
	size := (at.size + a.size + b.size) / 3
	small, large := min(at.size, a.size, b.size), max(at.size, a.size, b.size)
	if u == 0 || v == 0 || large > 1.8*small || u > 1.6*v || v > 1.6*u || u < 1.6*size || u > 30*size {
		return corner{}, false
	}
	slant := (ax*bx + ay*by) / (u * v)
	if math.Abs(slant) > .4 {
		return corner{}, false
	}
	if ax*by-ay*bx > 0 { // seen upright, going from the top right by the corner to the bottom left turns left
		a, b = b, a
	}
	miss := math.Abs(slant) + math.Abs(math.Log(u/v)) + math.Log(large/small)
	return corner{[3]spot{a, at, b}, miss}, miss < mostMiss
}

// readSquares looks for a QR code.
func readSquares(ctx context.Context, g *imaging.Gray) (Code, bool) {
	for _, k := range cornersOf(spots(g)) {
		bl, tl, tr := k.p[0], k.p[1], k.p[2]
		leg := (math.Hypot(tr.x-tl.x, tr.y-tl.y) + math.Hypot(bl.x-tl.x, bl.y-tl.y)) / 2
		// A pattern seen at an angle is wider along a row than along the code, by up to √2.
		angle := math.Abs(math.Mod(math.Abs(math.Atan2(tr.y-tl.y, tr.x-tl.x))+math.Pi/4, math.Pi/2) - math.Pi/4)
		module := (bl.size + tl.size + tr.size) / 21 * math.Cos(angle)
		q := around(bl, tl, tr, 7.5*module/leg)
		for _, pixels := range []float64{4, 6} {
			size := int(math.Round((leg/module + 15) * pixels))
			if size > 1600 {
				break
			}
			v := rectified(g, q, size, size)
			seen := false
			for _, bin := range binarizers {
				if ctx.Err() != nil {
					return Code{}, false
				}
				c, finders, ok := lookQR(v.pic, bin)
				if ok {
					return v.home(c), true
				}
				seen = seen || finders
			}
			if !seen {
				break // upright and large it shows no patterns: print that looked like some
			}
		}
	}
	return Code{}, false
}

// around is the square that the patterns' middles span, grown by a part of its side.
func around(bl, tl, tr spot, by float64) imaging.Quad {
	br := imaging.Point{X: tr.x + bl.x - tl.x, Y: tr.y + bl.y - tl.y}
	return grow(imaging.Quad{{X: tl.x, Y: tl.y}, {X: tr.x, Y: tr.y}, br, {X: bl.x, Y: bl.y}}, by, by)
}
