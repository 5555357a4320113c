package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestThePageShowsFailuresAndTellsNoneFromNotMeasured(t *testing.T) {
	dir := t.TempDir()
	for _, g := range []struct {
		name     string
		failures []bench.Failure
	}{
		{"zones", []bench.Failure{{Name: "seed-7", What: "one character is wrong", Want: []string{"P<UTO"}, Got: []string{"P<UT0"}, Notes: []string{"glare"}}}},
		{"codes", nil},
	} {
		gallery, err := bench.NewGallery(filepath.Join(dir, g.name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range g.failures {
			if err := gallery.Add(f, imaging.NewRGB(8, 8)); err != nil {
				t.Fatal(err)
			}
		}
		if err := gallery.Close(); err != nil {
			t.Fatal(err)
		}
	}
	err := bench.WritePage(dir, []bench.Section{{Dir: "zones", Title: "Zones"}, {Dir: "codes", Title: "Codes"}, {Dir: "facts", Title: "Facts"}})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, want := range []string{
		"one character is wrong (glare)", "(zones/seed-7.jpg)", "P<UT0", "## Codes\n\n\n\nNone in the last run.",
		"## Facts\n\n\n\nNot measured yet.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
