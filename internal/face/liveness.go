package face

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

const (
	livenessSide = 128
	livenessArea = 2.7 // of the face box, in each direction
)

// Liveness is a passive sign (0–1, higher is more live) of whether the face belongs to a person in front of the camera.
// It needs the full frame of the camera: on a crop around the face it is worthless. It is one signal and never decides;
// its measured errors are on the card "face-liveness".
func (e *Engine) Liveness(ctx context.Context, p *imaging.RGB, f Face) (float64, error) {
	r := f.Pixel.surroundings(p.W, p.H).rect().Intersect(p.Bounds())
	if r.Empty() {
		return 0, errEmptyFace
	}
	out, err := e.run(ctx, LivenessModel, planes(p.Crop(r).Resize(livenessSide, livenessSide), true, 0, 1), 3)
	if err != nil {
		return 0, err
	}
	return softmax(out[0].Data)[0], nil
}

// surroundings is the box grown by livenessArea, less where the picture is not that large, shifted to stay inside.
func (b Box) surroundings(w, h int) Box {
	factor := math.Min(livenessArea, math.Min((float64(w)-1)/b.W, (float64(h)-1)/b.H))
	g := b.grown(factor)
	g.X = math.Max(0, math.Min(g.X, float64(w)-g.W))
	g.Y = math.Max(0, math.Min(g.Y, float64(h)-g.H))
	return g
}
