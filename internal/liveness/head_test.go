package liveness

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestWhatDoesNotMoveAsAHead(t *testing.T) {
	th := HeadThresholds{Views: 2, Left: .02, Whole: .8, Rim: 1.7, Bared: 1.8, Nose: .15, Chest: -.12}
	head := idv.HeadMotion{Frames: 36, Left: .03, Whole: .9, Views: 5, Rim: 3, Bared: 3, Noses: 5, Nose: .4, Sought: 5, Chests: 5, Chest: .1}
	tests := []struct {
		name   string
		change func(*idv.HeadMotion)
		want   []HeadSign
		ran    bool
	}{
		{"a head", func(*idv.HeadMotion) {}, nil, true},
		{"values at their thresholds", func(h *idv.HeadMotion) {
			h.Left, h.Whole, h.Rim, h.Bared, h.Views = .02, .8, 1.7, 1.8, 2
			h.Noses, h.Nose, h.Sought, h.Chests, h.Chest = 2, .15, 2, 1, -.12
		}, nil, true},
		{"a flat thing", func(h *idv.HeadMotion) { h.Left = .019 }, []HeadSign{NoDepth}, true},
		{"a nose that is pushed", func(h *idv.HeadMotion) { h.Whole = .79 }, []HeadSign{NoseAlone}, true},
		{"a face that turns within hair that does not", func(h *idv.HeadMotion) { h.Rim = 1.6 }, []HeadSign{RimStays}, true},
		{"a head that hides and bares nothing", func(h *idv.HeadMotion) { h.Bared = 1.7 }, []HeadSign{NothingBare}, true},
		{"a face on an ellipsoid", func(h *idv.HeadMotion) { h.Nose = .14 }, []HeadSign{RoundFace}, true},
		{"a picture that is bent from nose to chest", func(h *idv.HeadMotion) { h.Chest = -.13 }, []HeadSign{ChestSwings}, true},
		{"a chest that is bent beyond recognition", func(h *idv.HeadMotion) { h.Chests, h.Chest = 2, 0 }, []HeadSign{ChestSwings}, true},
		{"a face so near that no chest is in view", func(h *idv.HeadMotion) { h.Sought, h.Chests, h.Chest = 0, 0, 0 }, nil, true},
		{"a chest that is seen in one view", func(h *idv.HeadMotion) { h.Sought, h.Chests, h.Chest = 1, 1, -1 }, nil, true},
		{"everything at once", func(h *idv.HeadMotion) { h.Left, h.Whole, h.Rim, h.Bared, h.Nose, h.Chests = 0, 0, 0, 0, 0, 0 }, AllHeadSigns(), true},
		{"what is no number", func(h *idv.HeadMotion) { h.Left, h.Bared = math.NaN(), math.NaN() }, []HeadSign{NoDepth, NothingBare}, true},
		{"a face that is not found again", func(h *idv.HeadMotion) { h.Noses = 1 }, nil, false},
		{"a head that is hardly turned", func(h *idv.HeadMotion) { h.Views, h.Rim, h.Bared = 1, 0, 0 }, nil, false},
		{"nothing was measured", func(h *idv.HeadMotion) { *h = idv.HeadMotion{} }, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := head
			tt.change(&h)
			got, ran := HeadSigns(h, th)
			if d := cmp.Diff(tt.want, got); d != "" || ran != tt.ran {
				t.Errorf("ran %v, signs (-want +got):\n%s", ran, d)
			}
		})
	}
}

func TestTheSignalsAreMeasured(t *testing.T) {
	known := Signals()
	if h := known.Head; h.Views < 1 || h.Left <= 0 || h.Whole <= 0 || h.Rim <= 1 || h.Bared <= 1 || h.Nose <= 0 || h.Chest >= 0 {
		t.Errorf("operating points %+v", h)
	}
	if known.Passive <= 0 || known.Passive >= 1 || len(known.Model) != 64 {
		t.Errorf("passive %v of model %q", known.Passive, known.Model)
	}
	for _, k := range []idv.CheckKind{idv.CheckPassiveLiveness, idv.CheckHead} {
		r, ok := known.Rates[k]
		which, worst := r.Worst()
		if !ok || r.Doubted.Of == 0 || which == "" || worst.Of == 0 || known.DataSet == "" || known.Command == "" || known.Date == "" {
			t.Errorf("%s: %+v of %q by %q, %s", k, r, known.DataSet, known.Command, known.Date)
		}
	}
	for _, p := range known.Pictures {
		if p.Doubted.Of == 0 || p.DataSet == "" || p.Command == "" || p.Date == "" {
			t.Errorf("pictures: %+v", p)
		}
	}
}

func TestTheWorstAttackIsTheOneThatIsNoticedLeast(t *testing.T) {
	r := SignalRates{Passed: map[string]Count{"a": {1, 10}, "b": {2, 10}, "c": {4, 20}, "d": {0, 0}}}
	if which, c := r.Worst(); which != "c" || c != (Count{4, 20}) {
		t.Errorf("%s %+v", which, c)
	}
	if which, c := (SignalRates{}).Worst(); which != "" || c != (Count{}) {
		t.Errorf("of none: %s %+v", which, c)
	}
}
