package aamva

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/aamva"
)

// TestEveryFaultIsReadAroundInText holds the spoiled texts against the parser without a camera: what a measurement then
// loses, the camera lost.
func TestEveryFaultIsReadAroundInText(t *testing.T) {
	for seed := range int64(40) {
		c, err := newText(seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range faults {
			got, err := aamva.Parse(f.spoil(c.text))
			if err != nil {
				t.Errorf("seed %d, %s: %v", seed, f.name, err)
				continue
			}
			if d := differences(c.payload, got); len(d) > 0 {
				t.Errorf("seed %d, %s: %v differ", seed, f.name, d)
			}
			if len(got.Faults) == 0 && f.name != "line ends after the terminator" {
				t.Errorf("seed %d, %s: not flagged", seed, f.name)
			}
		}
	}
}

func TestACardIsReadFromItsPicture(t *testing.T) {
	r, err := Run(t.Context(), Options{First: 3, Pictures: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Equal.Count != 2 {
		t.Errorf("%+v", r.Missed)
	}
}
