package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// boxAround returns the upright box round a strip as parts of a w by h picture, clipped to it.
func boxAround(s ocr.Strip, w, h int) idv.Box {
	x0, y0, x1, y1 := s.Bounds()
	return boxOf(x0, y0, x1, y1, w, h)
}

// boxOf returns an upright rectangle in pixels as parts of a w by h picture, clipped to it.
func boxOf(x0, y0, x1, y1 float64, w, h int) idv.Box {
	clip := func(v, size float64) float64 { return math.Max(0, math.Min(1, v/size)) }
	fw, fh := math.Max(1, float64(w)), math.Max(1, float64(h))
	b := idv.Box{X: clip(x0, fw), Y: clip(y0, fh)}
	b.Width, b.Height = clip(x1, fw)-b.X, clip(y1, fh)-b.Y
	return b
}
