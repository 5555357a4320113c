package forensic

import (
	"image"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How grain is measured.
const (
	grainCell  = 16  // side of the squares that are compared, in pixels
	grainLeast = 24  // squares that each side of a comparison needs
	grainPart  = .25 // of the squares, the calmest, are taken for flat
	grainNear  = 35. // grey levels by which the brightness of compared squares may differ
)

// square is the grain of one square of the picture.
type square struct{ light, grain float64 }

// Grain compares the grain of the portrait with that of the page round it, where both are flat and about as bright:
// the base-2 logarithm of the ratio of their standard deviations. One sensor and one press leave about 0; a portrait that
// was laid into the file from a smoother source is below −1, a coarser one above 1. Both boxes are in pixels of img, the
// upright picture at full resolution; the portrait's is inside. False where there is too little that compares.
func Grain(img Picture, page, portrait image.Rectangle) (float64, bool) {
	page, portrait = page.Intersect(img.Bounds()), portrait.Intersect(img.Bounds())
	own, others := squares(img, portrait, image.Rectangle{}), squares(img, page, portrait.Inset(-portrait.Dx()/4))
	if len(own) < grainLeast || len(others) < grainLeast {
		return 0, false
	}
	var a, b []float64
	for _, s := range own {
		if near(others, s.light) >= grainLeast/2 {
			a = append(a, s.grain)
		}
	}
	for _, s := range others {
		if near(own, s.light) >= grainLeast/4 {
			b = append(b, s.grain)
		}
	}
	if len(a) < grainLeast || len(b) < grainLeast {
		return 0, false
	}
	slices.Sort(a)
	slices.Sort(b)
	low, high := a[int(grainPart*float64(len(a)))], b[int(grainPart*float64(len(b)))]
	return math.Log2((low + .05) / (high + .05)), true
}

// near counts squares about as bright.
func near(list []square, light float64) int {
	n := 0
	for _, s := range list {
		if math.Abs(s.light-light) < grainNear {
			n++
		}
	}
	return n
}

// squares measures those of a box that are neither dark nor burnt out, without those in the hole. Their number is kept to some
// hundred.
func squares(img Picture, box, hole image.Rectangle) []square {
	step := grainCell
	for box.Dx()/step*(box.Dy()/step) > 900 {
		step += grainCell
	}
	var out []square
	for y := box.Min.Y; y+grainCell <= box.Max.Y; y += step {
		for x := box.Min.X; x+grainCell <= box.Max.X; x += step {
			at := image.Rect(x, y, x+grainCell, y+grainCell)
			if at.Overlaps(hole) {
				continue
			}
			if s := measure(img.CropGray(at)); s.light > 40 && s.light < 245 {
				out = append(out, s)
			}
		}
	}
	return out
}

// measure is the grain of one square at the scale of two pixels, where a JPEG leaves it: the mean absolute second difference over
// means of 2×2 pixels.
func measure(p *imaging.Gray) square {
	const n = grainCell / 2
	var v [n][n]float64
	sum := 0.
	for y := range n {
		for x := range n {
			i := 2*y*p.W + 2*x
			j := i + p.W
			v[y][x] = float64(int(p.Pix[i])+int(p.Pix[i+1])+int(p.Pix[j])+int(p.Pix[j+1])) / 4
			sum += v[y][x]
		}
	}
	grain := 0.
	for y := 0; y+1 < n; y++ {
		for x := 0; x+1 < n; x++ {
			grain += math.Abs(v[y][x] - v[y][x+1] - v[y+1][x] + v[y+1][x+1])
		}
	}
	return square{sum / (n * n), grain / ((n - 1) * (n - 1))}
}
