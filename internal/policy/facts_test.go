package policy

import (
	"testing"
	"time"
)

func TestAgesAreKeptInBandsOnly(t *testing.T) {
	now := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	for birth, want := range map[string]string{
		"2008-06-15": "18-24", "2008-06-16": "0-17", "1974-08-12": "45-54", "1974-XX-XX": "45-54", "1930-01-01": "75+",
		"2026-01-01": "0-17", "2027-01-01": "", "XXXX-01-01": "", "": "", "74": "",
	} {
		if got := AgeBand(birth, now); got != want {
			t.Errorf("AgeBand(%q) = %q, want %q", birth, got, want)
		}
	}
}
