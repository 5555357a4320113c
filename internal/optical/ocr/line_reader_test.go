package ocr

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/packtest"
	"github.com/google/go-cmp/cmp"
)

func TestTextLinesDictionaryIsHeldToItsForm(t *testing.T) {
	r, err := NewLineReader(nil, "A\r\nb\n«\né\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]rune{0, 'A', 'b', '«', 'é', ' '}, r.Dictionary); d != "" {
		t.Errorf("classes (-want +got):\n%s", d)
	}
	for name, bad := range map[string]string{"an empty line": "A\n\nB\n", "two characters": "AB\n"} {
		if _, err := NewLineReader(nil, bad); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestTensorsOfTextLineHaveAFewWidths(t *testing.T) {
	for w, want := range map[int]int64{1: 128, 128: 128, 129: 160, 300: 320, 512: 512, 900: 928, 930: 1024, 5000: 1024} {
		in, used := lineInput(imaging.NewGray(w, lineHeight))
		if in.Shape[3] != want || len(in.Data) != int(want)*lineHeight || used > int(want) {
			t.Errorf("%d columns: tensor %v, %d in use, want %d", w, in.Shape, used, want)
		}
	}
}

func TestTextLineSeesLinesAsWideAsItsTrainerDid(t *testing.T) {
	_, lines := packtest.GoldenLines(t, TextLineModel, "text/testdata")
	for _, g := range lines {
		if _, w := lineInput(g.Picture(t)); w != g.Width {
			t.Errorf("%s: resized to %d columns, want %d", g.File, w, g.Width)
		}
	}
}
