package edge

import (
	"testing"
	"time"
)

// processors are those of a pressure in a test: the test says what goroutines waited for them.
type processors struct {
	pressure  *pressure
	at        time.Time
	late, all uint64
}

func newProcessors() *processors {
	m := &processors{at: time.Unix(0, 0)}
	m.pressure = newPressure(func() time.Time { return m.at })
	m.pressure.read = func() (late, all uint64) { return m.late, m.all }
	m.pressure.procs = 1
	return m
}

// calls makes calls at that rate for a time, while each of share goroutines in one waits too long. It returns how many were accepted.
func (m *processors) calls(d time.Duration, rate float64, working int, share float64) (accepted int) {
	every := time.Duration(float64(time.Second) / rate)
	for until := m.at.Add(d); m.at.Before(until); {
		m.at = m.at.Add(every)
		m.all, m.late = m.all+100, m.late+uint64(100*share)
		if m.pressure.accepts(working) {
			m.pressure.count()
			accepted++
		}
	}
	return accepted
}

func TestWhileTheWaitForAProcessorIsTooLongFewerCallsAreAccepted(t *testing.T) {
	for _, tt := range []struct {
		name        string
		working     int
		share       float64
		least, most int // of 2 000 calls in a second
	}{
		{"short waits: all", 8, .1, 2000, 2000},
		{"long waits, but no crowd: something else keeps the processors busy", 3, .9, 2000, 2000},
		{"long waits in a crowd: nearly none", 8, .5, 20, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newProcessors()
			if got := m.calls(time.Second, 2000, tt.working, tt.share); got < tt.least || got > tt.most {
				t.Errorf("%d of 2000 calls were accepted, want %d to %d", got, tt.least, tt.most)
			}
		})
	}
}

func TestTheRateComesBackWhenTheWaitIsShortAgain(t *testing.T) {
	m := newProcessors()
	m.calls(time.Second, 2000, 8, .5)
	low := m.calls(time.Second, 2000, 2, .5)
	if low > 2*leastRate {
		t.Errorf("%d calls were accepted in a second of long waits, want about %d", low, leastRate)
	}
	m.calls(2*time.Second, 2000, 2, 0)
	if got := m.calls(time.Second, 2000, 2, 0); got < 1900 {
		t.Errorf("%d of 2000 calls were accepted after two seconds without long waits", got)
	}
}

func TestTwoDozenCallsOnABusyMachineAreAccepted(t *testing.T) {
	m := newProcessors()
	if got := m.calls(time.Second, 24, 24, .9); got < 24 {
		t.Errorf("%d of 24 calls were accepted", got)
	}
}

func TestAPageOfTheConsoleIsAcceptedAfterAQuietSecond(t *testing.T) {
	m := newProcessors()
	m.calls(time.Second, 2000, 8, .5)
	m.at = m.at.Add(time.Second)
	for i := range 12 {
		if !m.pressure.accepts(i) {
			t.Fatalf("call %d of 12 was refused", i+1)
		}
	}
}

func TestTheRuntimeCountsSchedulingWaits(t *testing.T) {
	read := schedulingWaits(0)
	for range 10_000 {
		done := make(chan struct{})
		go close(done)
		<-done
	}
	late, all := read()
	if all == 0 || late == 0 || late > all {
		t.Errorf("got %d of %d waits, want some", late, all)
	}
	if late, all := schedulingWaits(time.Hour)(); late != 0 || all == 0 {
		t.Errorf("got %d of %d waits longer than an hour, want none", late, all)
	}
}
