package bench

import (
	"math"
	"slices"
)

// Quantiles are the middle and the slow end of a list of measurements, in its unit.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	Max float64 `json:"max"`
}

// QuantilesOf takes the nearest rank; all zero for an empty list.
func QuantilesOf(values []float64) Quantiles {
	if len(values) == 0 {
		return Quantiles{}
	}
	v := slices.Sorted(slices.Values(values))
	at := func(p float64) float64 { return v[max(0, int(math.Ceil(p*float64(len(v))))-1)] }
	return Quantiles{P50: at(.5), P95: at(.95), Max: v[len(v)-1]}
}
