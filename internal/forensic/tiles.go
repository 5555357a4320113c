package forensic

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Tiles are looked at where the page shows ground, not letters.
const (
	tileColumns, tileRows = 12, 9 // places that are tried, over the page
	tileCount             = 24    // places that are looked at, the calmest
	tileMargin            = .04   // of the page, kept clear of its edges
)

// Picture is an upright picture of any size of which parts are looked at.
type Picture interface {
	Bounds() image.Rectangle
	CropGray(r image.Rectangle) *imaging.Gray // brightness
	Crop(r image.Rectangle) *imaging.RGB
}

// tile is a square of the picture in the page.
type tile struct {
	g     *imaging.Gray
	u, v  float64 // where on the page, 0–1
	rough float64 // how much it varies beyond single pixels, grey levels
}

// Places are the squares of a page that can be looked at, the calmest first: those with the least print in them. Burnt-out
// and black ones are left out.
type Places struct {
	page   frame
	across float64 // of the page, in pixels
	tiles  []tile
}

// Look cuts the places out of the picture. q is where the page's corners are, in its pixels. It costs about 8 ms.
func Look(img Picture, q imaging.Quad) *Places {
	p := &Places{page: frameOf(q), across: (math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y) + math.Hypot(q[2].X-q[3].X, q[2].Y-q[3].Y)) / 2}
	for row := range tileRows {
		for col := range tileColumns {
			u := tileMargin + (1-2*tileMargin)*(float64(col)+.5)/tileColumns
			v := tileMargin + (1-2*tileMargin)*(float64(row)+.5)/tileRows
			if t, ok := cut(img, p.page.at(u, v)); ok {
				t.u, t.v = u, v
				p.tiles = append(p.tiles, t)
			}
		}
	}
	slices.SortStableFunc(p.tiles, func(a, b tile) int { return cmp.Compare(a.rough, b.rough) })
	return p
}

// cut is the tile round a place; false where it leaves the picture or there is no light to look at.
func cut(img Picture, p imaging.Point) (tile, bool) {
	const half = tileSide / 2
	all := img.Bounds()
	if !(p.X >= half && p.Y >= half && p.X <= float64(all.Dx()-half) && p.Y <= float64(all.Dy()-half)) {
		return tile{}, false // also what is not a number
	}
	at := image.Pt(int(p.X)-half, int(p.Y)-half)
	t := tile{g: img.CropGray(image.Rectangle{Min: at, Max: at.Add(image.Pt(tileSide, tileSide))})}
	if t.g.W != tileSide || t.g.H != tileSide {
		return tile{}, false
	}
	var lit bool
	t.rough, lit = roughness(t.g)
	return t, lit
}

// calmest are the tiles whose ground is looked at.
func (p *Places) calmest() []tile { return p.tiles[:min(len(p.tiles), tileCount)] }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// roughness is the standard deviation of means of 8×8 pixels (every other one is counted) from a plane, and whether the
// tile is neither burnt out nor black.
func roughness(p *imaging.Gray) (float64, bool) {
	const cell, n = 8, tileSide / 8
	var means [n * n]float64
	clipped := 0
	for cy := range n {
		for cx := range n {
			sum := 0
			for y := 0; y < cell; y += 2 {
				row := p.Pix[(cy*cell+y)*tileSide+cx*cell:][:cell]
				for x := 0; x < cell; x += 2 {
					g := int(row[x])
					sum += g
					if g >= 252 || g <= 12 {
						clipped++
					}
				}
			}
			means[cy*n+cx] = float64(sum) / (cell * cell / 4)
		}
	}
	return fromPlane(means[:], n), clipped*10 < tileSide*tileSide/4
}

// fromPlane is the standard deviation of an n×n table from the plane that fits it best.
func fromPlane(v []float64, n int) float64 {
	var m, sx, sy, xx float64
	mid := float64(n-1) / 2
	for y := range n {
		for x := range n {
			k := v[y*n+x]
			m += k
			sx += k * (float64(x) - mid)
			sy += k * (float64(y) - mid)
			xx += (float64(x) - mid) * (float64(x) - mid)
		}
	}
	m /= float64(n * n)
	sx, sy = sx/xx, sy/xx
	var sum float64
	for y := range n {
		for x := range n {
			d := v[y*n+x] - m - sx*(float64(x)-mid) - sy*(float64(y)-mid)
			sum += d * d
		}
	}
	return math.Sqrt(sum / float64(n*n))
}

// values are a tile's brightness, 0–255.
func (t tile) values() []float32 {
	out := make([]float32, len(t.g.Pix))
	for i, v := range t.g.Pix {
		out[i] = float32(v)
	}
	return out
}
