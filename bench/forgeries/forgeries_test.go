package forgeries

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestForgeriesAreComparedWithTheirGenuineDocument(t *testing.T) {
	r := Summarize([]Case{
		{Seed: 1, Stage: Genuine, Approved: true, Outcome: idv.DecideApprove},
		{Seed: 2, Stage: Genuine, Outcome: idv.DecideRefer, Reasons: []string{"document.mrz: unsure"}},
		{Seed: 1, Family: forge.Zone, Stage: AfterCapture, Approved: true, Outcome: idv.DecideApprove},
		{Seed: 2, Family: forge.Zone, Stage: AfterCapture, Outcome: idv.DecideRefer, Reasons: []string{"document.mrz: unsure"}},
		{Seed: 2, Family: forge.Zone, Stage: AfterCapture, Outcome: idv.DecideRefer, Reasons: []string{"document.mrz: unsure", "document.facts: differ"}},
	})
	want := &Result{Documents: 2, Rows: []Row{
		{
			Stage: Genuine, Approved: bench.RateOf(1, 2), Passed: bench.RateOf(1, 1), Outcomes: map[string]int{"approved": 1, "referred": 1},
			Unnoticed: bench.RateOf(1, 2), Reasons: map[string]bench.Rate{"document.mrz: unsure": bench.RateOf(1, 2)},
		},
		{
			Family: forge.Zone, Stage: AfterCapture, Approved: bench.RateOf(1, 3), Passed: bench.RateOf(1, 1), Unnoticed: bench.RateOf(2, 3),
			Outcomes: map[string]int{"approved": 1, "referred": 2}, Reasons: map[string]bench.Rate{"document.facts: differ": bench.RateOf(1, 3)},
		},
	}}
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestOverlapComparesARegionWithWhatWasChanged(t *testing.T) {
	mask := imaging.NewGray(100, 100)
	for _, at := range []int{20*100 + 20, 39*100 + 59} { // the corners of 40 × 20
		mask.Pix[at] = 255
	}
	for _, c := range []struct {
		name string
		box  idv.Box
		want float64
	}{
		{"the same place", idv.Box{X: .2, Y: .2, Width: .4, Height: .2}, 1},
		{"half of it", idv.Box{X: .2, Y: .2, Width: .2, Height: .2}, .5},
		{"another place", idv.Box{X: .7, Y: .7, Width: .2, Height: .2}, 0},
		{"the whole picture", idv.Box{Width: 1, Height: 1}, .08},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := overlap(c.box, mask); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if overlap(idv.Box{Width: 1, Height: 1}, nil) != 0 {
		t.Error("a picture that was not edited is overlapped")
	}
}

func TestASideThatIsLeftAloneIsTheGenuinePhotograph(t *testing.T) {
	if err := errors.Join(fixtures.HasOCRB(), fixtures.HasTypefaces()); err != nil {
		t.Skip(err)
	}
	if testing.Short() {
		t.Skip("nightly: photographs of full size")
	}
	s, err := NewSubject(fixtures.IDCard, 11, "scan")
	if err != nil {
		t.Fatal(err)
	}
	for _, stage := range []Stage{BeforePrint, AfterCapture} {
		got, err := s.Forge(forge.Zone, stage) // on the back
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Shots[idv.Front].Raw, s.Genuine[idv.Front].Raw) || got.Shots[idv.Front].Mask != nil {
			t.Errorf("%s: the front was changed", stage)
		}
		if bytes.Equal(got.Shots[idv.Back].Raw, s.Genuine[idv.Back].Raw) || got.Shots.changed() == 0 {
			t.Errorf("%s: the back was not", stage)
		}
	}
}
