package faces_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
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

// TestHowOftenThePassiveSignalDoubtsPicturesOfPeople repeats what internal/liveness/signals.json says of deepface-64 and minivision-3. The
// pictures are single ones, most of them published photographs: how often the signal doubts people before a camera is not known.
func TestHowOftenThePassiveSignalDoubtsPicturesOfPeople(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	known := liveness.Signals()
	set, e := engine(t)
	if card, _ := set.Card(face.LivenessModel); card.SHA256 != known.Model {
		t.Errorf("the signal was measured with model %.12s, the card names %.12s", known.Model, card.SHA256)
	}
	for _, one := range []struct{ name, pattern string }{
		{"deepface-64", "faces/web/*.jpg"}, {"minivision-3", "liveness/image_T*.jpg"},
	} {
		files, err := filepath.Glob(filepath.Join(data, one.pattern))
		if data == "" || err != nil || len(files) == 0 {
			t.Skipf("the data set %s is not here (BONAFIDE_DATA)", one.name)
		}
		var got liveness.Count
		for _, name := range files {
			score, ok := passiveOf(t, e, name)
			if !ok {
				continue
			}
			if got.Of++; score < known.Passive {
				got.Count++
			}
			t.Logf("%s %.3f", filepath.Base(name), score)
		}
		i := slices.IndexFunc(known.Pictures, func(p liveness.PictureRate) bool { return p.DataSet == one.name })
		if i < 0 || known.Pictures[i].Doubted != got {
			t.Errorf("%s: %+v doubted, the record has %+v", one.name, got, known.Pictures)
		}
	}
}

// passiveOf is the signal of the largest face in a picture; false where there is none.
func passiveOf(t *testing.T, e *face.Engine, name string) (float64, bool) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := imaging.Decode(b, imaging.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := e.Detect(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := face.Largest(found)
	if !ok {
		return 0, false
	}
	score, err := e.Liveness(t.Context(), p, f)
	if err != nil {
		t.Fatal(err)
	}
	return score, true
}
