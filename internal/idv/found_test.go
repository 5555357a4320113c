package idv

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestAPackedTemplateKeepsItsCosines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	unit := func() []float32 {
		out := make([]float32, 512)
		sum := 0.
		for i := range out {
			v := r.NormFloat64()
			out[i], sum = float32(v), sum+v*v
		}
		for i := range out {
			out[i] /= float32(math.Sqrt(sum))
		}
		return out
	}
	dot := func(a, b []float32) (sum float64) {
		for i := range a {
			sum += float64(a[i]) * float64(b[i])
		}
		return sum
	}
	for range 100 {
		a, b := unit(), unit()
		if off := math.Abs(dot(a, b) - dot(a, PackTemplate(3, b).Values())); off > 1e-3 {
			t.Fatalf("the cosine is off by %v", off)
		}
		if off := math.Abs(1 - dot(b, PackTemplate(3, b).Values())); off > 1e-3 {
			t.Fatalf("the cosine with itself is off by %v", off)
		}
	}
	if got := PackTemplate(0, make([]float32, 4)).Values(); len(got) != 4 || got[0] != 0 {
		t.Errorf("nothing is unpacked as %v", got)
	}
}
