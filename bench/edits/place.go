package edits

import (
	"math"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// within returns the upright box round a box of the page, as parts of its photograph.
func within(quad imaging.Quad, b fixtures.Box, photo *imaging.Photo) idv.Box {
	to := quad.Projection()
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range []imaging.Point{to.At(b.X, b.Y), to.At(b.X+b.W, b.Y), to.At(b.X+b.W, b.Y+b.H), to.At(b.X, b.Y+b.H)} {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	w, h := float64(photo.W), float64(photo.H)
	return idv.Box{X: x0 / w, Y: y0 / h, Width: (x1 - x0) / w, Height: (y1 - y0) / h}
}

// faceOf is about where the detector finds the face in a portrait.
func faceOf(b fixtures.Box) fixtures.Box {
	return fixtures.Box{X: b.X + .22*b.W, Y: b.Y + .22*b.H, W: .56 * b.W, H: .56 * b.H}
}

// covered is the part of a box's pixels that a mask marks.
func covered(b idv.Box, mask *imaging.Gray) float64 {
	if mask == nil {
		return 0
	}
	w, h := float64(mask.W), float64(mask.H)
	on, all := 0, 0
	for y := max(0, int(b.Y*h)); y < min(mask.H, int((b.Y+b.Height)*h)); y++ {
		for x := max(0, int(b.X*w)); x < min(mask.W, int((b.X+b.Width)*w)); x++ {
			all++
			if mask.Pix[y*mask.W+x] != 0 {
				on++
			}
		}
	}
	return float64(on) / float64(max(1, all))
}

// acrossOf is the mean length of the upper and the lower edge.
func acrossOf(q imaging.Quad) float64 {
	return (math.Hypot(q[1].X-q[0].X, q[1].Y-q[0].Y) + math.Hypot(q[2].X-q[3].X, q[2].Y-q[3].Y)) / 2
}
