package forensic

import (
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How colour is measured.
const (
	colourSide  = 160 // longest side of the copy: noise is averaged away
	colourFloor = 60  // darker places say nothing about colour
	colourPart  = .95 // of all places have less colour than the measure
)

// Colour is how colourful a page is, in per cent: how far the ratio of red to green and of blue to green strays from
// that of its paper, at the place that exceeds 95 of 100. The light's own colour, and its change over the page, are taken
// out. Print in colour gives 8 to 60, a copy in black and white 0.5 to 3. page is the page alone, rectified; 0 for one
// that is too dark to tell.
func Colour(page *imaging.RGB) float64 {
	small, _ := page.Fit(colourSide)
	var at [][2]float64
	var red, blue []float64
	for y := range small.H {
		for x := range small.W {
			r, g, b := small.At(x, y)
			if g < colourFloor || max(r, g, b) > 250 {
				continue
			}
			at = append(at, [2]float64{float64(x) / colourSide, float64(y) / colourSide})
			red = append(red, math.Log(float64(max(r, 1))/float64(g)))
			blue = append(blue, math.Log(float64(max(b, 1))/float64(g)))
		}
	}
	if len(at) < 100 {
		return 0
	}
	flatten(at, red)
	flatten(at, blue)
	away := make([]float64, len(at))
	for i := range away {
		away[i] = 100 * math.Hypot(red[i], blue[i])
	}
	slices.Sort(away)
	return away[int(colourPart*float64(len(away)-1))]
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

// flatten subtracts the plane that fits v best by least squares.
func flatten(at [][2]float64, v []float64) {
	n := float64(len(v))
	var mx, my, mv float64
	for i, p := range at {
		mx, my, mv = mx+p[0]/n, my+p[1]/n, mv+v[i]/n
	}
	var xx, xy, yy, xv, yv float64
	for i, p := range at {
		x, y := p[0]-mx, p[1]-my
		xx, xy, yy, xv, yv = xx+x*x, xy+x*y, yy+y*y, xv+x*(v[i]-mv), yv+y*(v[i]-mv)
	}
	var sx, sy float64
	if d := xx*yy - xy*xy; d > 1e-9 {
		sx, sy = (xv*yy-yv*xy)/d, (yv*xx-xv*xy)/d
	}
	for i, p := range at {
		v[i] -= mv + sx*(p[0]-mx) + sy*(p[1]-my)
	}
}
