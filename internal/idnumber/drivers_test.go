package idnumber

import (
	"slices"
	"testing"
)

func TestTheShapesOfDriversNumbers(t *testing.T) {
	for _, tc := range []struct {
		what, jurisdiction string
		signs              int
		want               []string
	}{
		{"a letter and seven digits", "CA", 8, []string{"LDDDDDDD"}},
		{"no number of California has nine", "CA", 9, nil},
		{"a range", "TX", 8, []string{"DDDDDDDD"}},
		{"below a range", "TX", 6, nil},
		{"above a range", "UT", 11, nil},
		{"letters among digits", "IA", 9, []string{"DDDDDDDDD", "DDDLLDDDD"}},
		{"a range behind letters", "OH", 7, []string{"LDDDDDD", "LLDDDDD"}},
		{"a letter behind digits", "VT", 8, []string{"DDDDDDDD", "DDDDDDDL"}},
		{"a place that has no row", "XX", 8, nil},
	} {
		if got := DriverShapes(tc.jurisdiction, tc.signs); !slices.Equal(got, tc.want) {
			t.Errorf("%s: DriverShapes(%q, %d) = %q, want %q", tc.what, tc.jurisdiction, tc.signs, got, tc.want)
		}
	}
}

func TestEveryFormIsWritten(t *testing.T) {
	for jurisdiction := range driverForms {
		n := 0
		for signs := range 25 {
			n += len(DriverShapes(jurisdiction, signs))
		}
		if n == 0 {
			t.Errorf("%s has no shape", jurisdiction)
		}
	}
}
