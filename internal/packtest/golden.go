package packtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// GoldenLine is one generated line of text with what the trainer's export.py decoded from it.
type GoldenLine struct {
	File, Text, Decoded string
	Confidence, Frame   []float64 // of each character of Decoded
	Width               int       // of the resized line
	Mean, Std           float64

	folder string
}

// GoldenLines returns the cards and the golden lines of a model, which are in a folder of models/. It fails the test where the
// lines were made with another model than the card names.
func GoldenLines(t testing.TB, model, folder string) (*modelcard.Set, []GoldenLine) {
	t.Helper()
	set := Models(t, library, model)
	folder = filepath.Join(Dir(t), filepath.FromSlash(folder))
	b, err := os.ReadFile(filepath.Join(folder, "golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		SHA256 string
		Lines  []GoldenLine
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	if card, _ := set.Card(model); card.SHA256 != golden.SHA256 {
		t.Fatalf("the golden lines were made with model %.12s, the card names %.12s", golden.SHA256, card.SHA256)
	}
	for i := range golden.Lines {
		golden.Lines[i].folder = folder
	}
	return set, golden.Lines
}

// Picture returns the line's picture.
func (g GoldenLine) Picture(t testing.TB) *imaging.Gray {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(g.folder, g.File))
	if err != nil {
		t.Fatal(err)
	}
	picture, _, err := imaging.Decode(b, imaging.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return picture.Gray()
}

// Load returns a model of the set on the process's runtime.
func Load(t testing.TB, set *modelcard.Set, name string) *onnx.Model {
	t.Helper()
	_, rt := Runtime(t, name)
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
