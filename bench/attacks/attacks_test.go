package attacks

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures/puppet"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// gullible passes every question from its n-th run of frames on, and before fails that of the challenge.
type gullible struct {
	from   int64
	frames atomic.Int64
}

func (g *gullible) Extract(_ context.Context, c idv.Capture) (idv.Extraction, error) {
	if c.Kind == idv.Frames {
		g.frames.Add(1)
	}
	return idv.Extraction{}, nil
}

func (g *gullible) Ask(_ context.Context, k idv.CheckKind, _ idv.Evidence) (idv.Finding, error) {
	f := idv.Finding{Outcome: idv.Pass}
	if k == idv.CheckLiveness && g.frames.Load() < g.from {
		f.Outcome = idv.Inconclusive
	}
	return f, nil
}

// middling sees a face of the usual size in the middle of every picture.
func middling(_ context.Context, p *imaging.RGB) (puppet.Marks, bool, error) {
	var m puppet.Marks
	x, y, px := float64(p.W)/2, float64(p.H)*.45, float64(p.W)/500
	for i := range m {
		m[i] = imaging.Point{X: x + float64(i%7-3)*20*px, Y: y + float64(i/7)*9*px}
	}
	for i := range 6 {
		m[36+i] = imaging.Point{X: x - 31*px + float64(i), Y: y}
		m[42+i] = imaging.Point{X: x + 31*px + float64(i), Y: y}
	}
	return m, true, nil
}

func TestAnAdversaryHasTriesUntilOneIsApproved(t *testing.T) {
	for _, c := range []struct {
		name     string
		from     int64
		tries    int
		approved bool
	}{
		{"the second try is approved", 2, 2, true},
		{"no try is approved", 99, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var kept int
			o := Options{Runs: 1, Seed: 5, Rows: []Row{Adaptive}, Tries: 2, Frames: 8, Keep: func(Case) error { kept++; return nil }}
			cases, err := Run(t.Context(), &gullible{from: c.from}, middling, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := cases[0]; got.Approved() != c.approved || got.Tries != c.tries || got.How == nil || kept != 1 {
				t.Errorf("%+v, %d kept", got, kept)
			}
		})
	}
}

func TestAMeasurementGoesOnWhereItWasStopped(t *testing.T) {
	known := Case{Seed: 5, Row: Row(puppet.GaussianWarp), Outcome: idv.DecideRefer, Tries: 1}
	p := &gullible{}
	o := Options{Runs: 1, Seed: 5, Rows: []Row{Row(puppet.GaussianWarp), EllipsoidGraded}, Frames: 8, Known: []Case{known}}
	cases, err := Run(t.Context(), p, middling, o)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(known, cases[0]); d != "" || p.frames.Load() != 1 || !cases[1].Approved() {
		t.Errorf("%d runs were sent, the last %+v (-want +got)\n%s", p.frames.Load(), cases[1], d)
	}
}

func TestWarpsAreCountedTogetherWhereThereAreSeveral(t *testing.T) {
	thin, round := Case{Row: Row(puppet.ThinPlate), Outcome: idv.DecideApprove}, Case{Row: EllipsoidGraded, Outcome: idv.DecideRefer}
	if got := Summarize([]Case{thin, thin, {Row: Genuine}}).Warps; got != nil {
		t.Errorf("of one row: %+v", got)
	}
	if got := Summarize([]Case{{Row: Genuine}, thin, round, round}).Warps; got == nil || got.Runs != 3 || got.Approved != bench.RateOf(1, 3) {
		t.Errorf("of two rows: %+v", got)
	}
}

func TestAPortraitIsSentAsOnePictureToAWorkflowWithoutAChallenge(t *testing.T) {
	p := &gullible{from: 99}
	cases, err := Run(t.Context(), p, middling, Options{Runs: 1, Seed: 5, Rows: []Row{PortraitAsSelfie}})
	if err != nil {
		t.Fatal(err)
	}
	if p.frames.Load() != 0 || !cases[0].Approved() {
		t.Errorf("%d runs of frames, %+v", p.frames.Load(), cases[0])
	}
}

func TestTheRightPersonAnswersInEveryHonestRow(t *testing.T) {
	for _, row := range Rows() {
		p := &gullible{}
		if !row.Honest() {
			continue
		}
		cases, err := Run(t.Context(), p, middling, Options{Runs: 1, Seed: 5, Rows: []Row{row}, Frames: 8})
		if err != nil {
			t.Fatal(err)
		}
		if !cases[0].Approved() || p.frames.Load() != 1 || !Summarize(cases).Rows[0].Expected {
			t.Errorf("%+v", cases[0])
		}
	}
}

func TestRowsAreCounted(t *testing.T) {
	try := &puppet.Try{Attack: puppet.Attack{Family: puppet.FaceSwap}, Portrait: true}
	got := Summarize([]Case{
		{Row: Adaptive, Outcome: idv.DecideApprove, Tries: 4, How: try},
		{Row: Adaptive, Outcome: idv.DecideRefer, Tries: 20, How: try, Reasons: []string{"face.match: face.too_alike"}},
		{Row: Genuine, Outcome: idv.DecideDecline},
		{Row: Genuine},
	})
	want := &Result{Rows: []Counts{
		{Row: Genuine, Runs: 2, Approved: bench.RateOf(0, 2), Declined: 1, NotAccepted: 1, Reasons: map[string]bench.Rate{}, Expected: true},
		{
			Row: Adaptive, Runs: 2, Approved: bench.RateOf(1, 2), Referred: 1, Tries: &bench.Quantiles{P50: 4, P95: 4, Max: 4},
			Reasons: map[string]bench.Rate{"face.match: face.too_alike": bench.RateOf(1, 2)}, Best: map[string]int{"face_swap of the portrait": 1},
		},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestNothingButFaceAndChallengeIsAskedFor(t *testing.T) {
	for _, k := range []idv.CheckKind{idv.CheckFaceMatch, idv.CheckLiveness, idv.CheckReplay} {
		if !workflow().Requires(k) {
			t.Errorf("%s is not required", k)
		}
	}
	for _, k := range workflow().Required {
		if !k.AboutFace() {
			t.Errorf("%s is required", k)
		}
	}
}
