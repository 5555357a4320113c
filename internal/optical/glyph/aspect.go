package glyph

import (
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// lowest is the height of a sign at least, as a part of the tallest one's: points, commas and hyphens are lower.
const lowest = .5

// Aspects measures the signs of a word, from left to right: width by height of each, between the places where its ink falls to half. from and to are the
// ends of the word as parts of the crop's width. It returns nil if there are not as many as wanted, because two touch or one is broken.
func Aspects(g *imaging.Gray, from, to float64, want int) []float64 {
	x0, x1 := max(0, int(from*float64(g.W))), min(g.W, int(to*float64(g.W))+1)
	if x1-x0 < 3 {
		return nil
	}
	ink := inkOf(g, x0, x1)
	all := connected(ink)
	tall := 0
	for _, s := range all {
		tall = max(tall, s.Dy())
	}
	all = slices.DeleteFunc(all, func(s image.Rectangle) bool { return float64(s.Dy()) < lowest*float64(tall) })
	if len(all) != want || float64(tall) < shortest*float64(g.H) {
		return nil
	}
	slices.SortFunc(all, func(a, b image.Rectangle) int { return a.Min.X + a.Max.X - b.Min.X - b.Max.X })
	out := make([]float64, want)
	for i, s := range all {
		out[i] = aspect(ink, s)
	}
	return out
}

// connected are the boxes of what is connected in ink, at corners, too.
func connected(ink [][]float64) []image.Rectangle {
	var out []image.Rectangle
	seen := make([][]bool, len(ink))
	for y := range ink {
		seen[y] = make([]bool, len(ink[y]))
	}
	for y := range ink {
		for x := range ink[y] {
			var box image.Rectangle
			for next := []image.Point{{X: x, Y: y}}; len(next) > 0; {
				p := next[len(next)-1]
				next = next[:len(next)-1]
				if p.Y < 0 || p.Y >= len(ink) || p.X < 0 || p.X >= len(ink[p.Y]) || seen[p.Y][p.X] || ink[p.Y][p.X] <= .5 {
					continue
				}
				seen[p.Y][p.X] = true
				box = box.Union(image.Rect(p.X, p.Y, p.X+1, p.Y+1))
				for i := range 9 {
					next = append(next, p.Add(image.Pt(i%3-1, i/3-1)))
				}
			}
			if !box.Empty() {
				out = append(out, box)
			}
		}
	}
	return out
}

// aspect is the width of a sign by its height. Both are measured to parts of a pixel.
func aspect(ink [][]float64, s image.Rectangle) float64 {
	columns, rows := make([]float64, s.Dx()+2), make([]float64, s.Dy()+2) // the darkest of each, and of those around the sign
	for y := range rows {
		for x := range columns {
			at := image.Pt(s.Min.X+x-1, s.Min.Y+y-1)
			if at.Y < 0 || at.Y >= len(ink) || at.X < 0 || at.X >= len(ink[at.Y]) {
				continue
			}
			v := ink[at.Y][at.X]
			if y > 0 && y < len(rows)-1 {
				columns[x] = math.Max(columns[x], v)
			}
			if x > 0 && x < len(columns)-1 {
				rows[y] = math.Max(rows[y], v)
			}
		}
	}
	return extent(columns) / extent(rows)
}

// extent is how many pixels of a profile are ink, by what its first and last one have beyond half of it; both are paper.
func extent(profile []float64) float64 {
	last := len(profile) - 1
	part := func(outside, inside float64) float64 { return (inside - .5) / math.Max(inside-outside, .5) }
	return float64(last-2) + part(profile[0], profile[1]) + part(profile[last], profile[last-1])
}
