package optical

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/bonafide-id/bonafide/internal/viz"
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
	set, lines := golden(t, MRZReadModel, "mrz")
	own := ownReader{goldenModel(t, set, MRZReadModel)}
	for _, g := range lines {
		checkGolden(t, own, g.picture(t, "mrz"), g)
	}
}

// TestTextLineAnswersAsItDidWhereItWasTrained does the same for the reader of printed lines.
func TestTextLineAnswersAsItDidWhereItWasTrained(t *testing.T) {
	set, lines := golden(t, TextLineModel, "text")
	characters, err := set.Bytes(TextLineCharacters)
	if err != nil {
		t.Fatal(err)
	}
	own, err := newTextReader(goldenModel(t, set, TextLineModel), string(characters))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range lines {
		crop := g.picture(t, "text")
		if _, w := lineInput(crop); w != g.Width {
			t.Errorf("%s: resized to %d columns, want %d", g.File, w, g.Width)
		}
		scores, n, step, err := own.run(t.Context(), crop)
		if err != nil {
			t.Fatal(err)
		}
		got := own.decode(scores, n, step)
		if d := cmp.Diff(g.Decoded, got.text); d != "" {
			if least := slices.Min(g.Confidence); least >= goldenOpen || viz.Distance(g.Decoded, got.text, utf8.UTFMax) > utf8.UTFMax {
				t.Errorf("%s (-want +got):\n%s", g.File, d)
			}
			continue
		}
		for i, c := range got.chars {
			if math.Abs(c-g.Confidence[i]) > .1 {
				t.Errorf("%s: character %d has confidence %.3f, want about %.3f", g.File, i, c, g.Confidence[i])
			}
			if frame := got.at[i] / step; math.Abs(frame-g.Frame[i]) > 1 {
				t.Errorf("%s: character %d is at frame %.1f, want about %.1f", g.File, i, frame, g.Frame[i])
			}
		}
	}
}

// goldenOpen is the confidence below which a character of a golden line is anybody's guess: another rounding of the same
// pixels may turn it.
const goldenOpen = 0.5

// golden are the cards, and the lines that the trainer of a model in a folder of models/ wrote down.
func golden(t *testing.T, model, folder string) (*modelcard.Set, []goldenLine) {
	t.Helper()
	set := packtest.Models(t, "runtime", model)
	sum, lines := goldenLines(t, filepath.Join(packtest.Dir(t), folder, "testdata"))
	if card, _ := set.Card(model); card.SHA256 != sum {
		t.Fatalf("the golden lines were made with model %.12s, the card names %.12s", sum, card.SHA256)
	}
	return set, lines
}

func (g goldenLine) picture(t *testing.T, folder string) *imaging.Gray {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(packtest.Dir(t), folder, "testdata", g.File))
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := imaging.Decode(b, imaging.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return picture.Gray()
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

func goldenModel(t *testing.T, set *modelcard.Set, name string) *onnx.Model {
	t.Helper()
	_, rt := packtest.Runtime(t, name)
	b, err := set.Bytes(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rt.Load(b, onnx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
