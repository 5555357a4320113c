package text

import (
	"slices"
	"testing"
)

func TestAnUnsureFirstCharacterIsNoneOfTheLine(t *testing.T) {
	for _, tc := range []struct {
		name string
		line []string
		sure float64
		gap  float64 // pixels that the first character is further from the others
		want string
	}{
		{"a piece of a number that runs up the page", []string{"8014", "898"}, .3, 0, "014 898"},
		{"and the space behind it", []string{"S", "MARTA"}, .3, 0, "MARTA"},
		{"a surer one", []string{"8014", "898"}, .5, 0, "8014 898"},
		{"a surer one that stands apart", []string{"8014", "898"}, .5, 8, "014 898"},
		{"a sure one that stands apart", []string{"8014", "898"}, .8, 8, "8014 898"},
		{"a letter with a mark, which is often unsure", []string{"Örjan"}, .5, 0, "Örjan"},
		{"a short text", []string{"4B1"}, .3, 0, "4B1"},
		{"two spaces and one character", []string{"S", "", "B"}, .3, 0, "S  B"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := setLine(tc.line, slices.Repeat([]float64{16}, len(tc.line)))
			l = moved(l, len(l.At)-1, tc.gap)
			l.Chars[0] = tc.sure
			first := l.Strip.At((l.At[0]-.5)*l.Strip.Length, 0).X
			got := l.withoutStray()
			if got.Text != tc.want || len(got.Chars) != len(got.At) || len(got.At) != len([]rune(got.Text)) {
				t.Fatalf("got %q with %d places, want %q", got.Text, len(got.At), tc.want)
			}
			if begins := got.Strip.At(-got.Strip.Length/2, 0).X; (begins > first) != (got.Text != l.Text) {
				t.Errorf("the strip begins at %g, the first character was at %g", begins, first)
			}
		})
	}
	l := setLine([]string{"NAKURU"}, []float64{16})
	l.Chars[0] = .3
	other, toned := l, l
	other.Other, toned.toned = true, true
	for name, l := range map[string]Line{"of another script": other, "of Vietnamese": toned} {
		if got := l.withoutStray().Text; got != "NAKURU" {
			t.Errorf("a line %s: got %q", name, got)
		}
	}
}
