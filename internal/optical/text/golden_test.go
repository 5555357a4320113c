package text

import (
	"math"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// TestLinesAreReadAsTheyWereWhereTheReadersWereTrained holds the readers of printed lines against the trainer's own. Resizing may round
// differently, so confidences may move a little where the text may not.
func TestLinesAreReadAsTheyWereWhereTheReadersWereTrained(t *testing.T) {
	for _, tc := range []struct{ model, characters, folder string }{
		{ocr.TextLineModel, ocr.TextLineCharacters, "text/testdata"},
		{ocr.VietnameseModel, ocr.VietnameseCharacters, "text/testdata/text-line-vietnamese"},
	} {
		t.Run(tc.model, func(t *testing.T) {
			set, lines := packtest.GoldenLines(t, tc.model, tc.folder)
			characters, err := set.Bytes(tc.characters)
			if err != nil {
				t.Fatal(err)
			}
			own, err := ocr.NewLineReader(packtest.Load(t, set, tc.model), string(characters))
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range lines {
				readsAsTrained(t, own, g)
			}
		})
	}
}

func readsAsTrained(t *testing.T, own ocr.LineReader, g packtest.GoldenLine) {
	t.Helper()
	scores, n, step, err := own.Scores(t.Context(), g.Picture(t))
	if err != nil {
		t.Fatal(err)
	}
	got := reader{LineReader: own}.decode(scores, n, step)
	if d := cmp.Diff(g.Decoded, got.Text); d != "" {
		if least := slices.Min(g.Confidence); least >= goldenOpen || lexicon.Distance(g.Decoded, got.Text, utf8.UTFMax) > utf8.UTFMax {
			t.Errorf("%s (-want +got):\n%s", g.File, d)
		}
		return
	}
	for i, c := range got.Chars {
		if math.Abs(c-g.Confidence[i]) > .1 {
			t.Errorf("%s: character %d has confidence %.3f, want about %.3f", g.File, i, c, g.Confidence[i])
		}
		if frame := got.At[i] / step; math.Abs(frame-g.Frame[i]) > 1 {
			t.Errorf("%s: character %d is at frame %.1f, want about %.1f", g.File, i, frame, g.Frame[i])
		}
	}
}

// goldenOpen is the confidence below which a character of a golden line is anybody's guess: another rounding of the same
// pixels may turn it.
const goldenOpen = 0.5
