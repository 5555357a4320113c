package liveness

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// FuzzJudge keeps that whatever a track holds, the measures are numbers, and that a track of nothing never passes.
func FuzzJudge(f *testing.F) {
	for _, t := range []idv.Track{track(right), {}, {Challenge: challenge}} {
		raw, err := json.Marshal(t)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var tr idv.Track
		if json.Unmarshal(raw, &tr) != nil {
			return
		}
		th := Calibration().Thresholds
		m := Measure(tr, th)
		for name, v := range m.Table() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s is %v", name, v)
			}
		}
		if faults := Judge(m, th); len(tr.Frames) < idv.LeastFrames && len(faults) == 0 {
			t.Errorf("%d frames pass", len(tr.Frames))
		}
	})
}
