package faces_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/bench/faces"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestTheCardHoldsWhatIsMeasured recomputes the calibration of the template model on lfw-1-5 and compares the thresholds.
func TestTheCardHoldsWhatIsMeasured(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	if _, err := os.Stat(filepath.Join(data, "faces", "lfw")); data == "" || err != nil {
		t.Skip("the data set lfw-1-5 is not here (BONAFIDE_DATA)")
	}
	if testing.Short() {
		t.Skip("lfw-1-5 takes minutes where its templates are not cached")
	}
	set, e := engine(t)
	r, err := faces.Run(t.Context(), filepath.Join(data, "faces", "lfw"), "", e, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", *r)
	card, _ := set.Card(face.TemplateModel)
	if card.Calibration == nil {
		t.Fatal("the card has no calibration")
	}
	for _, want := range faces.Rates {
		got, ok := card.Calibration.ThresholdAt(want.FMR)
		if !ok || math.Abs(got-r.Threshold[want.Key]) > .003 {
			t.Errorf("threshold at FMR %s: the card says %.4f (%v), measured %.4f", want.Key, got, ok, r.Threshold[want.Key])
		}
		if tar := 1 - card.Calibration.FNMRAt(got); math.Abs(tar-r.TAR[want.Key]) > .003 {
			t.Errorf("TAR at FMR %s: the card says %.4f, measured %.4f", want.Key, tar, r.TAR[want.Key])
		}
	}
	if r.TAR["1e-3"] < .970 || r.TAR["1e-4"] < .945 {
		t.Errorf("TAR %.4f at 1e-3, %.4f at 1e-4: below the floor of 0.970 and 0.945", r.TAR["1e-3"], r.TAR["1e-4"])
	}
}

// engine is one with the models of the pack, and their cards.
func engine(t *testing.T) (*modelcard.Set, *face.Engine) {
	t.Helper()
	set, r := packtest.Runtime(t, face.DetectModel, face.MeshModel, face.TemplateModel, face.LivenessModel)
	return set, face.New(set, r, face.Options{})
}
