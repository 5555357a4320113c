package optical

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// TestTheSecondReaderReadsPlainLinesAlike holds the second reader against what the first reads surely; one that is fed wrongly agrees
// with nothing.
func TestTheSecondReaderReadsPlainLinesAlike(t *testing.T) {
	set, lines := packtest.GoldenLines(t, ocr.TextLineModel, "text/testdata")
	characters, err := set.Bytes(ocr.SecondCharacters)
	if err != nil {
		t.Fatal(err)
	}
	second, err := ocr.NewSecondReader(packtest.Load(t, set, ocr.SecondModel), string(characters))
	if err != nil {
		t.Fatal(err)
	}
	sure, alike := 0, 0
	for _, g := range lines {
		if slices.Min(g.Confidence) < goldenSure || lexicon.Alphanumerics(g.Decoded) == "" {
			continue
		}
		got, err := second.Read(t.Context(), g.Picture(t))
		if err != nil {
			t.Fatal(err)
		}
		sure++
		if lexicon.Alphanumerics(got) == lexicon.Alphanumerics(g.Decoded) {
			alike++
		} else {
			t.Logf("%q is read as %q", g.Decoded, got)
		}
	}
	if sure == 0 || alike < sure {
		t.Errorf("%d of %d lines are read alike, want all", alike, sure)
	}
}

// goldenSure is the confidence of its least sure character from which a golden line counts as read surely.
const goldenSure = 0.9
