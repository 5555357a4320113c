package forensic

import (
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How colour is measured, on a copy of the page: in its pixels, called cells, and in parts of the light that white paper returns.
const (
	colourSide   = 160 // longest side of the copy: noise, and the fringes of print, are averaged away
	colourMargin = 25  // of the width and of the height, the part that is left out at each edge: the page may be found a little too large
	colourDark   = 16  // grey levels; darker cells say nothing about colour
	colourBright = 250 // nor do cells that are burnt out
	colourNear   = 6   // cells around one whose mean is its light: no lamp's colour changes within 3 mm
	colourPaper  = .4  // of the white around; what is darker is ink or hair, whose colour is mostly the lens's
	colourBlur   = 1   // cells around one that are averaged with it
	colourLight  = .25 // a light so far from white hides half of what varies along its own colour
	colourTone   = .1  // the most that the camera's curve makes of red or blue, as part of the change in brightness
	colourLeast  = 300 // cells without which nothing is said

	colourAcross, colourDown = 4, 3 // regions
	colourSeen               = 20   // cells that a region needs
	colourPart               = .95  // of a region's cells have less colour than the region
	colourNone               = .01  // is returned at least: 0 says that it cannot be told
	colourRank               = 4    // regions that have at least as much colour as the page: fingers cover three
)

// Colour is how much the colour of a page's print varies from place to place, in per cent of the light that its paper returns.
// Light changes slowly: what all places within 3 mm have in common is the light's, and so is what follows brightness alone. Of what
// is left, the page has as much as its fourth most colourful twelfth, so that a finger in view does not count.
//
// Of 188 photographs of black-and-white copies 95 in 100 have less than 2.1; pages printed in colour have 2 to 16. page is the page
// alone, rectified; 0 for one that is too dark, or too bright, to tell.
func Colour(page *imaging.RGB) float64 {
	small, _ := page.Fit(colourSide)
	f := cellsOf(small)
	f.dropInk()
	red, blue := f.away()
	if len(red) < colourLeast {
		return 0
	}
	var regions [colourAcross * colourDown][]float64
	k := 0
	for i, ok := range f.ok {
		if ok {
			at := i/f.w*colourDown/f.h*colourAcross + i%f.w*colourAcross/f.w
			regions[at] = append(regions[at], 100*math.Hypot(red[k], blue[k]))
			k++
		}
	}
	var all []float64
	for _, r := range regions {
		if len(r) >= colourSeen {
			slices.Sort(r)
			all = append(all, r[int(colourPart*float64(len(r)-1)+.5)])
		}
	}
	if len(all) < len(regions)/2 {
		return 0
	}
	slices.Sort(all)
	return max(colourNone, all[len(all)-colourRank])
}

// cells are a small copy of a page.
type cells struct {
	w, h             int
	red, blue, light []float64 // 0–255; light is brightness
	white            []float64 // light of the paper around
	ok               []bool    // it says something about colour
}

func cellsOf(p *imaging.RGB) *cells {
	n := p.W * p.H
	f := &cells{w: p.W, h: p.H, red: make([]float64, n), blue: make([]float64, n), light: make([]float64, n), ok: make([]bool, n)}
	for i := range n {
		r, g, b := p.Pix[3*i], p.Pix[3*i+1], p.Pix[3*i+2]
		x, y := i%p.W, i/p.W
		inside := x >= p.W/colourMargin && x < p.W-p.W/colourMargin && y >= p.H/colourMargin && y < p.H-p.H/colourMargin
		f.ok[i] = inside && min(r, g, b) >= colourDark && max(r, g, b) <= colourBright
		f.red[i], f.blue[i], f.light[i] = float64(r), float64(b), (float64(r)+2*float64(g)+float64(b))/4
	}
	return f
}

// around is the mean of v over the cells that count, at most r away each way; 0 where there are none.
func (f *cells) around(v []float64, ok []bool, r int) []float64 {
	wide := f.w + 1
	sums, counts := make([]float64, wide*(f.h+1)), make([]float64, wide*(f.h+1))
	for y := range f.h {
		var sum, n float64
		for x := range f.w {
			if i := y*f.w + x; ok[i] {
				sum, n = sum+v[i], n+1
			}
			at := (y+1)*wide + x + 1
			sums[at], counts[at] = sums[at-wide]+sum, counts[at-wide]+n
		}
	}
	out := make([]float64, len(v))
	for y := range f.h {
		top, foot := max(0, y-r)*wide, min(f.h, y+r+1)*wide
		for x := range f.w {
			left, right := max(0, x-r), min(f.w, x+r+1)
			if n := counts[foot+right] - counts[top+right] - counts[foot+left] + counts[top+left]; n > 0 {
				out[y*f.w+x] = (sums[foot+right] - sums[top+right] - sums[foot+left] + sums[top+left]) / n
			}
		}
	}
	return out
}

// dropInk finds the paper's light, the mean of the brighter cells around each, and leaves out what is much darker.
func (f *cells) dropInk() {
	mean := f.around(f.light, f.ok, colourNear)
	bright := make([]bool, len(f.ok))
	for i, ok := range f.ok {
		bright[i] = ok && f.light[i] >= mean[i]
	}
	f.white = f.around(f.light, bright, colourNear)
	for i := range f.ok {
		f.ok[i] = f.ok[i] && f.white[i] > 0 && f.light[i] >= colourPaper*f.white[i]
	}
}

// away is by how much red and blue of each cell that counts differ from what light and tone make of them.
func (f *cells) away() (red, blue []float64) {
	r, b, l := f.around(f.red, f.ok, colourBlur), f.around(f.blue, f.ok, colourBlur), f.around(f.light, f.ok, colourBlur)
	mr, mb, ml := f.around(r, f.ok, colourNear), f.around(b, f.ok, colourNear), f.around(l, f.ok, colourNear)
	var tone []float64
	var at []int
	for i, ok := range f.ok {
		if ok {
			at = append(at, i)
			red = append(red, (r[i]-mr[i]/ml[i]*l[i])/f.white[i])
			blue = append(blue, (b[i]-mb[i]/ml[i]*l[i])/f.white[i])
			tone = append(tone, (l[i]-ml[i])/f.white[i])
		}
	}
	untone(red, tone)
	untone(blue, tone)
	for k, i := range at {
		// A strong light's own colour shows in part of the tones more than in others, by the camera's curve.
		x, y := mr[i]/ml[i]-1, mb[i]/ml[i]-1
		strong := math.Hypot(x, y)
		if strong < 1e-6 {
			continue
		}
		x, y = x/strong, y/strong
		along, across := red[k]*x+blue[k]*y, blue[k]*x-red[k]*y
		along /= 1 + strong*strong/(colourLight*colourLight)
		red[k], blue[k] = along, across
	}
	return red, blue
}

// untone subtracts what is proportional to tone, as far as a camera's curve makes it, by least squares in which what differs most counts least.
func untone(v, tone []float64) {
	weight, apart := make([]float64, len(v)), make([]float64, len(v))
	for i := range weight {
		weight[i] = 1
	}
	slope := 0.
	for range 4 {
		xy, xx := 0., 1e-9
		for i, w := range weight {
			xy, xx = xy+w*v[i]*tone[i], xx+w*tone[i]*tone[i]
		}
		slope = max(-colourTone, min(colourTone, xy/xx))
		for i := range v {
			apart[i] = math.Abs(v[i] - slope*tone[i])
		}
		m := 1e-5
		if len(apart) > 0 {
			m += 1.5 * nth(slices.Clone(apart), len(apart)/2)
		}
		for i, d := range apart {
			weight[i] = 1 / (1 + d*d/(m*m))
		}
	}
	for i := range v {
		v[i] -= slope * tone[i]
	}
}

// nth is the number that would be at a place if the numbers were sorted. It changes their order (Hoare's algorithm 65).
func nth(v []float64, at int) float64 {
	for from, to := 0, len(v)-1; from < to; {
		i, j, middle := from, to, v[(from+to)/2]
		for i <= j {
			for v[i] < middle {
				i++
			}
			for middle < v[j] {
				j--
			}
			if i <= j {
				v[i], v[j] = v[j], v[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case at <= j:
			to = j
		case at >= i:
			from = i
		default:
			return v[at]
		}
	}
	return v[at]
}

// Monochrome is whether a picture has no colour at all, not even that of a sensor's noise: it was taken or stored in
// black and white, and its colours say nothing. It looks at squares all over the picture.
func Monochrome(img Picture) bool {
	const across, side = 5, 48
	all := img.Bounds()
	apart, seen := 0, 0
	for row := range across {
		for col := range across {
			x, y := (2*col+1)*all.Dx()/(2*across), (2*row+1)*all.Dy()/(2*across)
			p := img.Crop(image.Rect(x-side/2, y-side/2, x+side/2, y+side/2).Intersect(all))
			for i := 0; i+2 < len(p.Pix); i += 3 {
				r, g, b := int(p.Pix[i]), int(p.Pix[i+1]), int(p.Pix[i+2])
				if abs(r-g) > 2 || abs(b-g) > 2 {
					apart++
				}
				seen++
			}
		}
	}
	return apart*200 < seen
}
