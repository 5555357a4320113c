package bench_test

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/bench"
)

func TestProcessorTimeGrowsWithWork(t *testing.T) {
	before, start := bench.Processor(), time.Now()
	for bench.Processor() < before+5*time.Millisecond {
		if time.Since(start) > time.Minute {
			t.Fatal("a minute of work cost no processor time")
		}
	}
}

func TestMillisecondsHaveTwoDecimals(t *testing.T) {
	for d, want := range map[time.Duration]float64{0: 0, 1234567: 1.23, 1235 * time.Microsecond: 1.24, 2 * time.Second: 2000} {
		if got := bench.Milliseconds(d); got != want {
			t.Errorf("%v: got %v, want %v", d, got, want)
		}
	}
}
