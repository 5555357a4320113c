package screening

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/names"
)

func TestTheSameSeedMakesTheSamePeople(t *testing.T) {
	a, b, other := newInventor(3), newInventor(3), newInventor(4)
	differs := false
	for id := range 500 {
		x, y := a.entity(id), b.entity(id)
		if d := cmp.Diff(x, y); d != "" {
			t.Fatalf("entry %d differs:\n%s", id, d)
		}
		differs = differs || cmp.Diff(x.Names, other.entity(id).Names) != ""
		for _, n := range x.Names {
			if !names.Parse(n.Text).Usable() {
				t.Errorf("entry %d: nobody can be searched for by %q", id, n.Text)
			}
		}
	}
	if !differs {
		t.Error("another seed makes the same people")
	}
}

func TestASmallMeasurementFindsWhomItSearchesFor(t *testing.T) {
	r, err := MeasureSpeed(SpeedOptions{Names: 3000, Searches: 120, Subjects: 200, Changed: 5, Runs: 1, Seed: 1, List: 300_000}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Names < 3000 || r.IndexBytes == 0 || r.ListEntries < 100 || r.ListBytes < 300_000 {
		t.Errorf("got %d names in %d bytes, a list of %d entries in %d bytes", r.Names, r.IndexBytes, r.ListEntries, r.ListBytes)
	}
	if r.Found.Count < r.Found.Of*9/10 || r.Found.Of == 0 {
		t.Errorf("found %s, want nine of ten at least", r.Found)
	}
	if r.Searched >= r.Subjects/2 {
		t.Errorf("the probe left %d of %d subjects to be searched for", r.Searched, r.Subjects)
	}
}
