//go:build race

package store

import "testing"

// What a hundred thousand rows cost to find, and how fifty personas end, says nothing of what runs beside what: that is asked
// without the race detector.
func skipUnderRace(t *testing.T) {
	t.Helper()
	t.Skip("tried without the race detector")
}
