//go:build race

package store

import "testing"

// What a hundred thousand rows cost to find, and how fifty personas end, says nothing of what runs beside what: that is asked
// without the race detector.
func skipUnderRace(t *testing.T) {
	t.Helper()
	t.Skip("tried without the race detector")
}

// leaveRaceForTheNight skips by day what has run without the race detector: with it, it takes three times as long.
func leaveRaceForTheNight(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("nightly: with the race detector")
	}
}
