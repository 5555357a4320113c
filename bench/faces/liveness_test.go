package faces_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// TestLivenessOnTheFewPicturesThereAre repeats what the card of the liveness model says of minivision-3: one person (T)
// and two replays (F). Three pictures prove nothing but that the model is fed as it wants to be.
func TestLivenessOnTheFewPicturesThereAre(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	if _, err := os.Stat(filepath.Join(data, "liveness")); data == "" || err != nil {
		t.Skip("the data set minivision-3 is not here (BONAFIDE_DATA)")
	}
	set, e := engine(t)
	card, _ := set.Card(face.LivenessModel)
	if card.Calibration == nil {
		t.Fatal("the card has no calibration")
	}
	point := card.Calibration.Points[0]
	for name, live := range map[string]bool{"image_T1.jpg": true, "image_F1.jpg": false, "image_F2.jpg": false} {
		b, err := os.ReadFile(filepath.Join(data, "liveness", name))
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := imaging.Decode(b, imaging.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := e.Detect(t.Context(), p)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d faces, %v", name, len(found), err)
		}
		got, err := e.Liveness(t.Context(), p, found[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %.3f", name, got)
		if (got >= point.Threshold) != live {
			t.Errorf("%s: %.3f, live is %v", name, got, live)
		}
	}
	if point.Genuine != 1 || point.Impostors != 2 {
		t.Errorf("the card counts %+v", point)
	}
}
