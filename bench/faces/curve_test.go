package faces

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/face"
)

// bells is a measurement of two overlapping normal distributions.
func bells(n int) *Result {
	r := &Result{curve: newCurve()}
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		r.curve.impostors.add(random.NormFloat64() * .1)
		if random.IntN(100) == 0 {
			r.curve.genuine.add(.6 + random.NormFloat64()*.1)
		}
	}
	return r
}

func TestRatesAreReadOffTheCurve(t *testing.T) {
	r := bells(400_000)
	if err := r.summarize(); err != nil {
		t.Fatal(err)
	}
	// A normal distribution has 1e-2 above 2.326 deviations, 1e-3 above 3.090, 1e-4 above 3.719.
	for key, want := range map[string]float64{"1e-2": .2326, "1e-3": .3090, "1e-4": .3719} {
		if math.Abs(r.Threshold[key]-want) > .01 {
			t.Errorf("threshold at %s: %.4f, want %.4f", key, r.Threshold[key], want)
		}
	}
	if math.Abs(r.EER-.00135) > 5e-4 {
		t.Errorf("equal error rate %v, want about .00135", r.EER)
	}
	if i := r.Interval["1e-3"]; !(i.Low < r.TAR["1e-3"] && r.TAR["1e-3"] < i.High) {
		t.Errorf("interval %+v does not hold %v", i, r.TAR["1e-3"])
	}
	for key, threshold := range r.Threshold {
		fmr := float64(r.curve.impostors.atLeast(threshold)) / float64(r.Impostors)
		below := float64(r.curve.impostors.atLeast(threshold-.01)) / float64(r.Impostors)
		want := map[string]float64{"1e-2": 1e-2, "1e-3": 1e-3, "1e-4": 1e-4, "1e-5": 1e-5}[key]
		if fmr > want || below < want {
			t.Errorf("%s: rate %v at the threshold, %v a little below", key, fmr, below)
		}
	}
}

func TestTooFewPairsGiveNoFigure(t *testing.T) {
	r := bells(5_000)
	if err := r.summarize(); err != nil {
		t.Fatal(err)
	}
	if _, ok := r.Threshold["1e-4"]; ok {
		t.Error("5 000 pairs give a threshold at 1e-4")
	}
	if err := (&Result{curve: newCurve()}).summarize(); err == nil {
		t.Error("no pairs give a result")
	}
}

func TestTheCalibrationGivesTheThresholdsBack(t *testing.T) {
	r := bells(400_000)
	if err := r.summarize(); err != nil {
		t.Fatal(err)
	}
	c := r.Calibration("made up", "none", time.Unix(0, 0))
	for _, want := range Rates {
		got, ok := c.ThresholdAt(want.FMR)
		if threshold, measured := r.Threshold[want.Key]; measured != ok || measured && math.Abs(got-threshold) > .002 {
			t.Errorf("threshold at %s: %.4f (%v), want %.4f", want.Key, got, ok, threshold)
		}
	}
}

func TestIdentityIsTheNameBeforeTheLastUnderscore(t *testing.T) {
	for name, want := range map[string]string{"Ann_Lee_0001.jpg": "Ann_Lee", "x_1": "x", "alone.jpg": "alone.jpg"} {
		if got := identity(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// crowd is n people with six pictures each: noise around a direction of their own.
func crowd(people int) (names []string, templates [][]float32) {
	random := rand.New(rand.NewPCG(3, 4))
	unit := func(v []float32) []float32 { return face.Mean([][]float32{v}) }
	for p := range people {
		own := make([]float32, 64)
		for i := range own {
			own[i] = float32(random.NormFloat64())
		}
		for k := range 6 {
			v := make([]float32, 64)
			for i := range v {
				v[i] = own[i] + 1.5*float32(random.NormFloat64())
			}
			names, templates = append(names, fmt.Sprintf("p%d_%d.jpg", p, k)), append(templates, unit(v))
		}
	}
	return names, templates
}

func TestTheMeanOfSeveralPicturesTellsMoreThanOne(t *testing.T) {
	names, templates := crowd(40)
	names, templates = append(names, "alone_1.jpg", "faceless_1.jpg"), append(templates, templates[0], nil)
	r := bells(400_000)
	if err := r.countSeveral(t.Context(), names, templates); err != nil {
		t.Fatal(err)
	}
	last := 0.
	for i, s := range r.Several {
		if s.Pictures != severalOf[i] || s.People != 40 || s.Genuine != 240 || s.Impostors != 240*(39*6+1) {
			t.Errorf("%d pictures: %d people, %d genuine, %d impostors", s.Pictures, s.People, s.Genuine, s.Impostors)
		}
		if s.TAR["1e-3"] <= last {
			t.Errorf("the mean of %d pictures accepts %.3f at 1e-3, fewer %.3f", s.Pictures, s.TAR["1e-3"], last)
		}
		last = s.TAR["1e-3"]
	}
	if err := r.summarize(); err != nil {
		t.Fatal(err)
	}
	c := r.Calibration("made up", "none", time.Unix(0, 0))
	for _, s := range r.Several[1:] {
		of, n := c.Of(s.Pictures)
		if got, ok := of.ThresholdAt(1e-3); n != s.Pictures || !ok || math.Abs(got-s.Threshold["1e-3"]) > .002 {
			t.Errorf("%d pictures: threshold %.4f of %d (%v), want %.4f", s.Pictures, got, n, ok, s.Threshold["1e-3"])
		}
	}
	if _, n := c.Of(4); n != 3 {
		t.Errorf("four pictures go by the curve of %d, want 3", n)
	}
}
