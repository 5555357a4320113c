package bench

import "fmt"

// Rate is a count of cases, as part of all of them and with its interval of 95 %.
type Rate struct {
	Count    int      `json:"count"`
	Of       int      `json:"of"`
	Rate     float64  `json:"rate"` // 0–1; 0 where there are no cases
	Interval Interval `json:"interval_95"`
}

// RateOf is count cases out of all.
func RateOf(count, all int) Rate {
	return Rate{count, all, float64(count) / float64(max(1, all)), Wilson(int64(count), int64(all))}
}

// String is for people: how many, how many per cent, and between which bounds.
func (r Rate) String() string {
	return fmt.Sprintf("%4d of %d, %.1f %%  (95 %%: %.1f to %.1f %%)", r.Count, r.Of, 100*r.Rate, 100*r.Interval.Low, 100*r.Interval.High)
}
