// Package bench holds what all measurements share. The measurements themselves are in its sub-packages.
package bench

import "math"

// Interval is a range that holds the true rate with a confidence of 95 %.
type Interval struct {
	Low  float64 `json:"low"`  // 0–1
	High float64 `json:"high"` // 0–1
}

// Wilson is the score interval of a rate that was hit k times out of n (Wilson 1927), which holds for small n and for
// rates near 0 and 1 too. For n = 0 nothing is known: 0–1.
func Wilson(k, n int64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid := p + z*z/(2*m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return Interval{math.Max(0, (mid-half)/(1+z*z/m)), math.Min(1, (mid+half)/(1+z*z/m))}
}
