package faces

import (
	"math"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// histogram counts scores from −1 to 1 in steps of 2⁻¹⁹, so that any number of pairs takes the same memory.
type histogram struct {
	bins  []int64
	total int64
}

const steps = 1 << 19 // for each unit of the score

func newHistogram() *histogram { return &histogram{bins: make([]int64, 2*steps+1)} }

func (h *histogram) add(score float64) {
	h.bins[bin(score)]++
	h.total++
}

func bin(score float64) int {
	if !(score > -1) {
		return 0
	}
	return int((math.Min(score, 1) + 1) * steps)
}

// atLeast counts the scores at or above t.
func (h *histogram) atLeast(t float64) int64 {
	n := int64(0)
	for i := len(h.bins) - 1; i >= bin(t); i-- {
		n += h.bins[i]
	}
	return n
}

// threshold is the lowest step above which at most the given part of the scores lies.
func (h *histogram) threshold(rate float64) float64 {
	room := int64(rate * float64(h.total))
	n := int64(0)
	for i := len(h.bins) - 1; i >= 0; i-- {
		if n += h.bins[i]; n > room {
			return float64(i+1)/steps - 1
		}
	}
	return -1
}

// curve is the distributions that every rate is read from.
type curve struct {
	genuine, impostors *histogram
	alike              *histogram // all pairs of pictures of one person, also those that the list leaves out
}

func newCurve() *curve { return &curve{newHistogram(), newHistogram(), newHistogram()} }

// eer is the rate at which false matches and false non-matches are equally frequent.
func (c *curve) eer() float64 {
	var refused, accepted int64 = 0, c.impostors.total
	for i := range c.genuine.bins {
		refused += c.genuine.bins[i]
		accepted -= c.impostors.bins[i]
		fnmr, fmr := float64(refused)/float64(c.genuine.total), float64(accepted)/float64(c.impostors.total)
		if fnmr >= fmr {
			return (fnmr + fmr) / 2
		}
	}
	return 0
}

// Calibration turns the measurement into the curves of a model card.
func (r *Result) Calibration(dataSet, command string, day time.Time) *modelcard.Calibration {
	c := &modelcard.Calibration{
		Measure: "cosine of two templates", DataSet: dataSet, Command: command, Date: day.UTC().Format(time.DateOnly),
	}
	if r.Ceiling.Genuine > 0 {
		c.Ceiling = &r.Ceiling
	}
	c.Points, c.Several = r.curve.points(), calibrations(r.Several)
	return c
}

// points are ten for each factor of ten of the false match rate, as far down as one impostor pair carries.
func (c *curve) points() (out []modelcard.Point) {
	genuine, impostors := int(c.genuine.total), int(c.impostors.total)
	last := math.Inf(-1)
	for k := 0; ; k++ {
		rate := math.Pow(10, -float64(k)/10)
		if rate*float64(impostors) < 1 {
			return out
		}
		t := math.Ceil(c.impostors.threshold(rate)*1e4) / 1e4
		if t <= last {
			continue
		}
		last = t
		out = append(out, modelcard.Point{
			Threshold: t,
			FMR:       rounded(float64(c.impostors.atLeast(t)) / float64(impostors)),
			FNMR:      rounded(1 - float64(c.genuine.atLeast(t))/float64(genuine)),
			Genuine:   genuine,
			Impostors: impostors,
		})
	}
}

// rates reads the figures at Rates off the curve; none where there are too few impostor pairs to say anything.
func (c *curve) rates() (tar, threshold map[string]float64, interval map[string]bench.Interval) {
	tar, threshold, interval = map[string]float64{}, map[string]float64{}, map[string]bench.Interval{}
	for _, want := range Rates {
		if want.FMR*float64(c.impostors.total) < 1 {
			continue
		}
		t := c.impostors.threshold(want.FMR)
		hits := c.genuine.atLeast(t)
		threshold[want.Key] = t
		tar[want.Key] = float64(hits) / float64(c.genuine.total)
		interval[want.Key] = bench.Wilson(hits, c.genuine.total)
	}
	return tar, threshold, interval
}

func rounded(v float64) float64 { return math.Round(v*1e8) / 1e8 }
