package credentials

import (
	"testing"
	"time"
)

func TestWhatIsMeasuredIsAcceptedAndAFewRoundsFillTheResult(t *testing.T) {
	r, err := Run(t.Context(), Options{Rounds: 1, Delay: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Targets) != 4 || len(r.Wallet) != 6 || len(r.Relay) != len(accesses) {
		t.Errorf("%d targets, %d answers, %d reads", len(r.Targets), len(r.Wallet), len(r.Relay))
	}
	for _, one := range r.Relay {
		if one.Bytes < Portrait || one.Trips > MostTrips {
			t.Errorf("%s: %d bytes in %d round trips", one.What, one.Bytes, one.Trips)
		}
	}
}

func TestATargetIsMetByTheSlowestOnly(t *testing.T) {
	all := []Timing{{}, {}}
	all[0].Processor, all[1].Processor = 1, 5.01
	if got := slowest("x", 5, all); got.Met || got.Worst != 5.01 {
		t.Errorf("got %+v", got)
	}
	if got := mostTrips([]Read{{Trips: 25}, {Trips: 3}}); !got.Met || got.Worst != 25 {
		t.Errorf("got %+v", got)
	}
}

func TestNoRoundsAreNoMeasurement(t *testing.T) {
	if _, err := Run(t.Context(), Options{}); err == nil {
		t.Error("no rounds are measured")
	}
}
