package bench_test

import (
	"testing"

	"github.com/bonafide-id/bonafide/bench"
)

func TestARateSaysHowManyOfHowManyAndBetweenWhichBounds(t *testing.T) {
	for _, c := range []struct {
		name       string
		count, all int
		want       string
	}{
		{"some", 26, 27, "  26 of 27, 96.3 %  (95 %: 81.7 to 99.3 %)"},
		{"none of many", 0, 48, "   0 of 48, 0.0 %  (95 %: 0.0 to 7.4 %)"},
		{"no cases tell nothing", 0, 0, "   0 of 0, 0.0 %  (95 %: 0.0 to 100.0 %)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := bench.RateOf(c.count, c.all).String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
