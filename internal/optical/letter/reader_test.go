package letter

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestLettersAreReadAsTheyWereWhereTheReaderWasTrained holds the reader of letters against the trainer's own. Resizing may round differently, so that
// what is sure may move a little.
func TestLettersAreReadAsTheyWereWhereTheReaderWasTrained(t *testing.T) {
	set, lines := packtest.GoldenLines(t, Model, "text/testdata/text-letter")
	characters, err := set.Bytes(ocr.VietnameseCharacters)
	if err != nil {
		t.Fatal(err)
	}
	dictionary, err := ocr.NewLineReader(nil, string(characters))
	if err != nil {
		t.Fatal(err)
	}
	r := New(packtest.Load(t, set, Model), dictionary.Dictionary)
	for _, g := range lines {
		var at []float64
		for _, x := range g.Frame {
			at = append(at, (x+.5)/float64(g.Width))
		}
		scores, err := r.scores(t.Context(), g.Picture(t), at)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []rune(g.Decoded) {
			_, best := ocr.BestClass(scores[i])
			sure := ocr.BestProbability(scores[i], best)
			if got := r.dictionary[best]; got != want && g.Confidence[i] > .6 {
				t.Errorf("%s: letter %d is %c, want %c", g.File, i, got, want)
			} else if got == want && math.Abs(sure-g.Confidence[i]) > .15 {
				t.Errorf("%s: letter %d is sure by %.3f, want about %.3f", g.File, i, sure, g.Confidence[i])
			}
		}
	}
}

func TestALineWithoutLettersIsNotLookedAt(t *testing.T) {
	got, err := New(nil, nil).scores(t.Context(), &imaging.Gray{W: 10, H: 10, Pix: make([]uint8, 100)}, nil)
	if err != nil || len(got) != 0 {
		t.Errorf("got %d letters and %v, want none", len(got), err)
	}
}
