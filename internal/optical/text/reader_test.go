package text

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTextLineMergesFramesAndKeepsTheSurest(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\nb\n")
	if err != nil {
		t.Fatal(err)
	}
	r := reader{LineReader: text}
	scores := []float32{ // blank, A, b, space
		0, 0, 0, 30,
		0, 2, 0, 0,
		0, 30, 0, 0, // the same character goes on, surer
		30, 0, 0, 0,
		0, 30, 0, 0, // another of the same
		0, 0, 0, 30,
		0, 0, 30, 0,
		30, 0, 0, 0,
	}
	want := Reading{Text: "AA b", Confidence: 1, Least: 1, Chars: []float64{1, 1, 1, 1}, At: []float64{1.5 / 8, 4. / 8, 5. / 8, 6. / 8}}
	near := cmpopts.EquateApprox(0, 1e-6)
	if d := cmp.Diff(want, r.decode(scores, 8, 1./8), cmp.AllowUnexported(Reading{}), near); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestScoresThatAreNoNumbersReadAsNothing(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\n")
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	if d := cmp.Diff(Reading{}, reader{LineReader: text}.decode([]float32{nan, nan, nan}, 9, 1), cmp.AllowUnexported(Reading{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
