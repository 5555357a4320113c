package reading

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// captions returns a page of values with their labels step pixels below them, or above them if step is negative.
func captions(step float64) Page {
	var lines []printed
	for i, f := range []struct{ value, label string }{
		{"KUOPIO", "Issuing authority"}, {"HAKKARAINEN", "Surname"}, {"ILKKA JUHANI", "Given names"}, {"12.06.1989", "Date of birth"},
		{"BP0001254", "Document number"}, {"09.07.2030", "Date of expiry"},
	} {
		y := 100 + 80*float64(i)
		lines = append(lines, printed{x: 300, y: y, text: f.value, h: 36}, printed{x: 300, y: y + step, text: f.label, h: 26})
	}
	return sheet(lines...)
}

func TestLabelsBelowTheirValuesAreRead(t *testing.T) {
	names := []idv.ClaimName{idv.FamilyName, idv.GivenNames, idv.Authority, idv.DateOfBirth, idv.DateOfExpiry, idv.DocumentNumber}
	want := map[idv.ClaimName]string{
		idv.FamilyName: "HAKKARAINEN", idv.GivenNames: "ILKKA JUHANI", idv.Authority: "KUOPIO", idv.DateOfBirth: "1989-06-12",
		idv.DateOfExpiry: "2030-07-09", idv.DocumentNumber: "BP0001254",
	}
	for name, step := range map[string]float64{"below": 34, "above": -34} {
		if d := cmp.Diff(want, valuesOf(Read(captions(step)), names...)); d != "" {
			t.Errorf("labels %s (-want +got):\n%s", name, d)
		}
	}
}

func TestOnlyLabelsAreRaised(t *testing.T) {
	below, above := viewOf(captions(34)), viewOf(captions(-34))
	for k, r := range below.rows {
		if want := above.rows[k].y; r.y != want {
			t.Errorf("%q is seen at %g, want %g", string(r.runes), r.y, want)
		}
		if want := captions(34).Lines[k].Strip; r.strip != want {
			t.Errorf("%q is placed at %v, want %v, where it is printed", string(r.runes), r.strip, want)
		}
	}
}
