//go:build race

package store

import "testing"

// A hundred thousand rows say how they are found, not what runs beside what: that is asked without the race detector.
func skipUnderRace(t *testing.T) {
	t.Helper()
	t.Skip("tried without the race detector")
}
