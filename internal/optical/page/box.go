package page

import (
	"image"
	"math"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// BoxAround returns the upright box round a strip as parts of the picture, clipped to it.
func BoxAround(s ocr.Strip, img *imaging.Photo) idv.Box {
	x0, y0, x1, y1 := s.Bounds()
	return BoxOf(x0, y0, x1, y1, img)
}

// BoxOf returns an upright rectangle in pixels as parts of the picture, clipped to it.
func BoxOf(x0, y0, x1, y1 float64, img *imaging.Photo) idv.Box {
	clip := func(v, size float64) float64 { return math.Max(0, math.Min(1, v/size)) }
	fw, fh := math.Max(1, float64(img.W)), math.Max(1, float64(img.H))
	b := idv.Box{X: clip(x0, fw), Y: clip(y0, fh)}
	b.Width, b.Height = clip(x1, fw)-b.X, clip(y1, fh)-b.Y
	return b
}

// Union returns the smallest box that holds both.
func Union(a, b idv.Box) idv.Box {
	x0, y0 := min(a.X, b.X), min(a.Y, b.Y)
	x1, y1 := max(a.X+a.Width, b.X+b.Width), max(a.Y+a.Height, b.Y+b.Height)
	return idv.Box{X: x0, Y: y0, Width: x1 - x0, Height: y1 - y0}
}

// boundsOf returns the upright rectangle round a quad, in whole pixels.
func boundsOf(q imaging.Quad) image.Rectangle {
	x0, y0 := min(q[0].X, q[1].X, q[2].X, q[3].X), min(q[0].Y, q[1].Y, q[2].Y, q[3].Y)
	x1, y1 := max(q[0].X, q[1].X, q[2].X, q[3].X), max(q[0].Y, q[1].Y, q[2].Y, q[3].Y)
	return image.Rect(int(x0), int(y0), int(x1), int(y1))
}

// pixels returns the box of a face in whole pixels.
func pixels(b face.Box) image.Rectangle {
	return image.Rect(int(b.X), int(b.Y), int(b.X+b.W), int(b.Y+b.H))
}
