package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

func TestATitleIsNoZone(t *testing.T) {
	right := mrz.Document{Checks: []mrz.Check{{OK: true}}}
	wrong := mrz.Document{Checks: []mrz.Check{{OK: true}, {}}}
	for name, c := range map[string]struct {
		confidence float64
		document   mrz.Document
		want       bool
	}{
		"surely read":                           {.99, right, false},
		"surely read, a digit wrong":            {.99, wrong, false},
		"hardly read, but the digits are right": {.5, right, false},
		"hardly read, and the digits are wrong": {.5, wrong, true},
	} {
		if got := isTitle(reading{conf: [][]float64{{c.confidence}}}, c.document); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
