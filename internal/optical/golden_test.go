package optical

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// goldenLine is what models/mrz/export.py wrote down for one generated line.
type goldenLine struct {
	File, Text, Decoded string
	Confidence, Frame   []float64
	Width               int
	Mean, Std           float64
}

// TestOwnReaderAnswersAsItDidWhereItWasTrained holds the input (size, normalisation), the runtime and the decoding
// against the trainer's own. Resizing may round differently, so confidences may move a little where the text may not.
func TestOwnReaderAnswersAsItDidWhereItWasTrained(t *testing.T) {
	dir := filepath.Join("..", "..", "models")
	set, err := modelcard.Open(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Missing() {
		if name == "runtime" || name == MRZReadModel {
			t.Skipf("models/pack has no %s: run `make pack`", name)
		}
	}
	golden, lines := goldenLines(t, filepath.Join(dir, "mrz", "testdata"))
	if card, _ := set.Card(MRZReadModel); card.SHA256 != golden {
		t.Fatalf("the golden lines were made with model %.12s, the card names %.12s", golden, card.SHA256)
	}
	own := ownReader{goldenModel(t, set)}
	for _, g := range lines {
		b, err := os.ReadFile(filepath.Join(dir, "mrz", "testdata", g.File))
		if err != nil {
			t.Fatal(err)
		}
		picture, _, err := imaging.Decode(b, imaging.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, own, picture.Gray(), g)
	}
}

func checkGolden(t *testing.T, own ownReader, crop *imaging.Gray, g goldenLine) {
	t.Helper()
	if _, w := ownInput(crop); w != g.Width {
		t.Errorf("%s: resized to %d columns, want %d", g.File, w, g.Width)
	}
	f, err := own.read(t.Context(), crop)
	if err != nil {
		t.Fatal(err)
	}
	got := greedy(f)
	if d := cmp.Diff(g.Decoded, text(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", g.File, d)
		return
	}
	for i, c := range got {
		if math.Abs(c.conf-g.Confidence[i]) > .1 {
			t.Errorf("%s: character %d has confidence %.3f, want about %.3f", g.File, i, c.conf, g.Confidence[i])
		}
		if middle := float64(c.first+c.last) / 2; math.Abs(middle-g.Frame[i]) > 1 {
			t.Errorf("%s: character %d is at frame %.1f, want about %.1f", g.File, i, middle, g.Frame[i])
		}
	}
}

func goldenLines(t *testing.T, dir string) (sha256 string, lines []goldenLine) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		SHA256 string
		Lines  []goldenLine
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	return golden.SHA256, golden.Lines
}

func goldenModel(t *testing.T, set *modelcard.Set) *onnx.Model {
	t.Helper()
	lib, err := set.Bytes("runtime")
	if err != nil {
		t.Fatal(err)
	}
	card, _ := set.Card("runtime")
	rt, err := onnx.Start(filepath.Join(t.TempDir(), "runtime"), card.SHA256, func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(lib)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b, err := set.Bytes(MRZReadModel)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rt.Load(b, onnx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
