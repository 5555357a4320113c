package face

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestSimilarityTransformRecoversTurnScaleAndShift(t *testing.T) {
	sin, cos := math.Sincos(.4)
	var to [5]imaging.Point
	for i, p := range alignedAt {
		to[i] = imaging.Point{X: 3*(cos*p.X-sin*p.Y) + 20, Y: 3*(sin*p.X+cos*p.Y) - 7}
	}
	want := [6]float64{3 * cos, -3 * sin, 20, 3 * sin, 3 * cos, -7}
	for i, v := range similarity(alignedAt, to) {
		if math.Abs(v-want[i]) > 1e-9 {
			t.Errorf("term %d is %v, want %v", i, v, want[i])
		}
	}
}

func TestSurroundingsStayInside(t *testing.T) {
	tests := []struct {
		name string
		box  Box
		w, h int
	}{
		{"in the middle", Box{40, 40, 20, 20}, 100, 100},
		{"in a corner", Box{0, 0, 20, 20}, 100, 100},
		{"over the edge", Box{-5, 90, 20, 20}, 100, 100},
		{"as large as the picture", Box{0, 0, 100, 100}, 100, 100},
		{"larger", Box{-50, -50, 200, 200}, 100, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := tt.box.surroundings(tt.w, tt.h)
			if g.X < 0 || g.Y < 0 || g.X+g.W > float64(tt.w) || g.Y+g.H > float64(tt.h) || g.W < 1 {
				t.Errorf("%+v", g)
			}
			if math.Abs(g.W/g.H-tt.box.W/tt.box.H) > 1e-9 {
				t.Errorf("%+v has another shape", g)
			}
		})
	}
}
