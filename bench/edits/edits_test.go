package edits

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/forgeries"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestDocumentsAreCountedOnceWhicheverSideAndRegionIsSuspected(t *testing.T) {
	edit := func(sign, region string, suspect bool) idv.Edit {
		return idv.Edit{Sign: sign, Region: region, Suspect: suspect}
	}
	r := Summarize([]Shot{
		{Seed: 1, Side: idv.Front, Stage: forgeries.Genuine, Edits: []idv.Edit{edit(forensic.PrintHistorySign, "sex", false)}},
		{Seed: 2, Side: idv.Front, Stage: forgeries.Genuine, Edits: []idv.Edit{
			edit(forensic.PrintHistorySign, "sex", true), edit(forensic.PrintHistorySign, "issuer", true),
		}},
		{Seed: 2, Side: idv.Back, Stage: forgeries.Genuine, Edits: []idv.Edit{edit(forensic.PortraitHistorySign, "portrait", true)}},
		{Seed: 1, Side: idv.Front, Family: forge.Zone, Stage: forgeries.AfterCapture, Edited: []string{"zone"}, Edits: []idv.Edit{
			edit(forensic.PrintHistorySign, "zone", true), edit(forensic.PortraitHistorySign, "portrait", false),
		}},
		{Seed: 2, Side: idv.Front, Family: forge.Zone, Stage: forgeries.AfterCapture, Edited: []string{"zone"}, Edits: []idv.Edit{
			edit(forensic.PrintHistorySign, "sex", true),
		}},
	})
	located := bench.RateOf(1, 2)
	want := &Result{Documents: 2, Rows: []Row{
		{
			Stage: forgeries.Genuine, Together: bench.RateOf(1, 2), Signs: map[string]bench.Rate{
				forensic.PrintHistorySign: bench.RateOf(1, 2), forensic.PortraitHistorySign: bench.RateOf(1, 1),
			},
		},
		{
			Family: forge.Zone, Stage: forgeries.AfterCapture, Together: bench.RateOf(2, 2), Located: &located, Signs: map[string]bench.Rate{
				forensic.PrintHistorySign: bench.RateOf(2, 2), forensic.PortraitHistorySign: bench.RateOf(0, 1),
			},
		},
	}}
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	m := r.Measured("set", "command", time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)).Signs
	if got := m[forensic.PrintHistorySign].Ranges[0]; got.Genuine != 2 || got.FalseAlarms != 1 {
		t.Errorf("print: %+v", got)
	}
	if got := m[forensic.PrintHistorySign].Ranges[0].Attacks["zone, after_capture"]; got != (forensic.Count{Missed: 0, Of: 2}) {
		t.Errorf("history: %+v", got)
	}
}

func TestAMaskCoversTheRegionsThatWereEdited(t *testing.T) {
	mask := imaging.NewGray(100, 50)
	for y := 10; y < 20; y++ {
		for x := 20; x < 30; x++ {
			mask.Pix[y*100+x] = 255
		}
	}
	for _, c := range []struct {
		name string
		box  idv.Box
		want float64
	}{
		{"the place itself", idv.Box{X: .2, Y: .2, Width: .1, Height: .2}, 1},
		{"twice the place", idv.Box{X: .2, Y: .2, Width: .2, Height: .2}, .5},
		{"another place", idv.Box{X: .6, Y: .6, Width: .2, Height: .2}, 0},
		{"nothing", idv.Box{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := covered(c.box, mask); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
	if covered(idv.Box{Width: 1, Height: 1}, nil) != 0 {
		t.Error("a picture that was not edited is covered")
	}
}

func TestPartsAreThoseOfTheSide(t *testing.T) {
	d := &fixtures.Document{Truth: fixtures.Truth{
		Front:    []fixtures.Claim{{Name: idv.FamilyName, Box: fixtures.Box{X: .5, Y: .1, W: .2, H: .1}}},
		Back:     []fixtures.Claim{{Name: idv.Address, Box: fixtures.Box{X: .1, Y: .1, W: .2, H: .1}}},
		Portrait: fixtures.Box{X: .1, Y: .1, W: .2, H: .4}, Zone: fixtures.Box{X: 0, Y: .8, W: 1, H: .2}, Lines: []string{"P<UTO", "L898902C"},
	}}
	photo := imaging.PhotoOf(imaging.NewRGB(1000, 1000))
	quad := imaging.Quad{{X: 100, Y: 100}, {X: 900, Y: 100}, {X: 900, Y: 700}, {X: 100, Y: 700}}
	for side, want := range map[idv.Side][]string{idv.Front: {"portrait", "family_name", "zone", "zone"}, idv.Back: {"address", "zone", "zone"}} {
		var got []string
		for _, p := range PartsOf(d, side, quad, photo) {
			got = append(got, p.Region)
			if p.Box.X < .1 || p.Box.Y < .1 || p.Box.X+p.Box.Width > .9001 || p.Box.Y+p.Box.Height > .7001 {
				t.Errorf("%s %s is off the page: %+v", side, p.Region, p.Box)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", side, d)
		}
	}
}
