package modelcard

import (
	"errors"
	"math"
	"slices"
	"sort"
)

// Calibration is a measured error curve of a score: the higher, the more alike (or the more live).
type Calibration struct {
	Measure string   `json:"measure"`           // what the score is, for example "cosine of two templates"
	DataSet string   `json:"data_set"`          // its name and what was counted
	Date    string   `json:"date"`              // of the measurement, YYYY-MM-DD
	Command string   `json:"command"`           // how to repeat it
	Points  []Point  `json:"points"`            // by rising threshold
	Ceiling *Ceiling `json:"ceiling,omitempty"` // of comparisons; nil where it was not measured

	Several []Several `json:"several,omitempty"` // curves for the mean of several pictures, by rising number
}

// Several is the error curve for comparing one picture with the mean of several others.
type Several struct {
	Pictures int     `json:"pictures"` // 2 or more
	Points   []Point `json:"points"`   // by rising threshold
}

// Of returns the curve for the mean of that many pictures, or of the most below that were measured, and their number. For one picture,
// and where means were not measured, it returns c itself and 1.
func (c *Calibration) Of(pictures int) (*Calibration, int) {
	for _, s := range slices.Backward(c.Several) {
		if s.Pictures <= pictures {
			of := *c
			of.Points = s.Points
			return &of, s.Pictures
		}
	}
	return c, 1
}

// Ceiling is how alike pictures of one person from two occasions get. Two pictures that are at least as alike as Similarity are
// probably one picture.
type Ceiling struct {
	Similarity float64 `json:"similarity"`
	Genuine    int     `json:"genuine"` // pairs of pictures of one person that were compared
	Above      int     `json:"above"`   // of these, pairs that reach Similarity
	Highest    float64 `json:"highest"` // similarity of the pair that is most alike
}

// Point is what happens when every score at or above Threshold is accepted. For a presentation attack detector FMR is
// the APCER and FNMR the BPCER.
type Point struct {
	Threshold float64 `json:"threshold"`
	FMR       float64 `json:"fmr"`  // false matches among impostors, 0–1
	FNMR      float64 `json:"fnmr"` // false non-matches among genuine pairs, 0–1
	Genuine   int     `json:"genuine"`
	Impostors int     `json:"impostors"`
}

func (c *Calibration) validate() error {
	if err := validatePoints(c.Points); err != nil {
		return err
	}
	for i, s := range c.Several {
		if s.Pictures < 2 || i > 0 && s.Pictures <= c.Several[i-1].Pictures {
			return errors.New("calibration: numbers of pictures are below 2 or not in order")
		}
		if err := validatePoints(s.Points); err != nil {
			return err
		}
	}
	if t := c.Ceiling; t != nil && (t.Genuine <= 0 || t.Above < 0 || t.Above > t.Genuine || !(t.Similarity > c.Points[0].Threshold && t.Similarity <= 1)) {
		return errors.New("calibration: the ceiling has no counts, or a similarity outside of the scale")
	}
	return nil
}

func validatePoints(points []Point) error {
	if len(points) == 0 {
		return errors.New("calibration: no points")
	}
	for i, p := range points {
		if p.Genuine <= 0 || p.Impostors <= 0 || p.FMR < 0 || p.FMR > 1 || p.FNMR < 0 || p.FNMR > 1 {
			return errors.New("calibration: a point has no counts or a rate outside 0–1")
		}
		if i > 0 && (p.Threshold <= points[i-1].Threshold || p.FMR > points[i-1].FMR || p.FNMR < points[i-1].FNMR) {
			return errors.New("calibration: points are not in order of threshold")
		}
	}
	return nil
}

// FMRAt is the false match rate if score were the threshold: what part of impostor pairs is at least this alike. It lies
// between 0 and 1 and is never below one in the number of impostor pairs measured, which is as far as the data carries.
func (c *Calibration) FMRAt(score float64) float64 {
	last := c.Points[len(c.Points)-1]
	floor := 1 / float64(last.Impostors)
	rate := c.at(score, func(p Point) float64 { return math.Log(math.Max(p.FMR, floor)) })
	return math.Min(1, math.Exp(rate))
}

// FNMRAt is the part of genuine pairs (0–1) that a threshold of score would refuse.
func (c *Calibration) FNMRAt(score float64) float64 {
	return c.at(score, func(p Point) float64 { return p.FNMR })
}

// ThresholdAt is the lowest score whose false match rate is at most fmr. False if the data does not reach that far.
func (c *Calibration) ThresholdAt(fmr float64) (float64, bool) {
	i := sort.Search(len(c.Points), func(i int) bool { return c.Points[i].FMR <= fmr })
	if i == len(c.Points) || fmr*float64(c.Points[i].Impostors) < 1 {
		return 0, false
	}
	if i == 0 || c.Points[i].FMR == fmr {
		return c.Points[i].Threshold, true
	}
	a, b := c.Points[i-1], c.Points[i]
	floor := 1 / float64(b.Impostors)
	la, lb := math.Log(math.Max(a.FMR, floor)), math.Log(math.Max(b.FMR, floor))
	if la == lb {
		return b.Threshold, true
	}
	t := (la - math.Log(fmr)) / (la - lb)
	return a.Threshold + math.Min(t, 1)*(b.Threshold-a.Threshold), true
}

// at interpolates between the points and holds the first and last value beyond them.
func (c *Calibration) at(score float64, f func(Point) float64) float64 {
	p := c.Points
	i := sort.Search(len(p), func(i int) bool { return p[i].Threshold >= score })
	switch {
	case math.IsNaN(score), i == 0:
		return f(p[0])
	case i == len(p):
		return f(p[len(p)-1])
	}
	a, b := p[i-1], p[i]
	t := (score - a.Threshold) / (b.Threshold - a.Threshold)
	return f(a) + t*(f(b)-f(a))
}
