package zone

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

func TestATitleIsNoZone(t *testing.T) {
	right := mrz.Document{Issuer: "UTO", Checks: []mrz.Check{{OK: true}}}
	wrong := mrz.Document{Issuer: "UTO", Checks: []mrz.Check{{OK: true}, {}}}
	strange := mrz.Document{Issuer: "SDE", Checks: []mrz.Check{{OK: true}, {}}}
	for name, c := range map[string]struct {
		confidence float64
		document   mrz.Document
		want       bool
	}{
		"surely read":                           {.99, right, false},
		"surely read, a digit wrong":            {.99, wrong, false},
		"hardly read, but the digits are right": {.5, right, false},
		"hardly read, and the digits are wrong": {.5, wrong, true},
		"not quite surely read, a digit wrong":  {.9, wrong, false},
		"and no state's code":                   {.9, strange, true},
		"surely read, and no state's code":      {.99, strange, false},
	} {
		if got := isTitle(decoding{conf: [][]float64{{c.confidence}}}, c.document); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
