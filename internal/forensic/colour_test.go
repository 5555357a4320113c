package forensic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestNthIsWhatSortingPutsThere(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 60; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(n)) // some of them twice
		}
		sorted := slices.Sorted(slices.Values(v))
		for at, want := range sorted {
			if got := nth(slices.Clone(v), at); got != want {
				t.Fatalf("%v: number %d is %v, want %v", v, at, got, want)
			}
		}
	}
}
