package bench

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	tests := []struct {
		name      string
		k, n      int64
		low, high float64
	}{
		{"nothing measured says nothing", 0, 0, 0, 1},
		{"no error in ten leaves up to 28 %", 0, 10, 0, .2775},
		{"half of hundred", 50, 100, .4038, .5962},
		{"all of three", 3, 3, .4385, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Wilson(tt.k, tt.n)
			if math.Abs(got.Low-tt.low) > 1e-4 || math.Abs(got.High-tt.high) > 1e-4 {
				t.Errorf("got %.4f–%.4f, want %.4f–%.4f", got.Low, got.High, tt.low, tt.high)
			}
		})
	}
}
