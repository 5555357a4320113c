package gallery_test

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// measured is a curve with a tenth of the false matches each 0.1 of similarity, down to 1e-7 among ten million impostor pairs.
func measured() *modelcard.Calibration {
	c := &modelcard.Calibration{}
	for i := range 8 {
		c.Points = append(c.Points, modelcard.Point{
			Threshold: float64(i) / 10, FMR: math.Pow(10, -float64(i)), FNMR: float64(i) / 100, Genuine: 1000, Impostors: 10_000_000,
		})
	}
	return c
}

func TestTheThresholdFollowsFromTheSize(t *testing.T) {
	tests := []struct {
		name           string
		size           int
		target         float64
		alone, beside  float64
		closed         bool
		strangers      float64
		mostBeforeShut int
	}{
		{"an empty gallery is searched no more loosely than beside another fact", 0, 0.01, 0.4, 0.4, false, 0, 3333},
		{"few faces, too", 50, 0.01, 0.4, 0.4, false, 0.005, 3333},
		{"a thousand ask for a stricter threshold", 1000, 0.01, 0.5, 0.4, false, 0.01, 3333},
		{"the last size that the measured rates carry", 3333, 0.01, 0.552, 0.4, false, 0.01, 3333},
		{"one more shuts the face by itself, and leaves it beside a fact", 3334, 0.01, 0, 0.4, true, 3334 * 1e-4 / 2200, 3333},
		{"a laxer target carries further", 20_000, 0.1, 0.53, 0.4, false, 0.1, 33_333},
		{"so many that even a fact beside is not enough", 300_000, 0.01, 0, 0, true, 0, 3333},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := gallery.PlanFor(measured(), tt.size, tt.target)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(p.Alone-tt.alone) > 0.002 || math.Abs(p.Beside-tt.beside) > 1e-9 || p.Closed() != tt.closed {
				t.Errorf("alone %.4f, beside %.4f, closed %t; want %.4f, %.4f, %t", p.Alone, p.Beside, p.Closed(), tt.alone, tt.beside, tt.closed)
			}
			if math.Abs(p.Strangers-tt.strangers) > 1e-3 || p.MostAlone != tt.mostBeforeShut {
				t.Errorf("%.5f strangers, at most %d faces; want %.5f, %d", p.Strangers, p.MostAlone, tt.strangers, tt.mostBeforeShut)
			}
		})
	}
}

func TestNothingIsSearchedWithoutMeasuredRates(t *testing.T) {
	few := measured()
	for i := range few.Points {
		few.Points[i].Impostors = 100_000
	}
	for name, try := range map[string]func() (gallery.Plan, error){
		"no calibration":        func() (gallery.Plan, error) { return gallery.PlanFor(nil, 10, 0.01) },
		"too few pairs":         func() (gallery.Plan, error) { return gallery.PlanFor(few, 10, 0.01) },
		"a target of nothing":   func() (gallery.Plan, error) { return gallery.PlanFor(measured(), 10, 0) },
		"a target of certainty": func() (gallery.Plan, error) { return gallery.PlanFor(measured(), 10, 1) },
	} {
		if p, err := try(); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
