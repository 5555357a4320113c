package text

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/google/go-cmp/cmp"
)

func TestColouredInkFadesAndBlackStays(t *testing.T) {
	p := imaging.NewRGB(4, 1)
	copy(p.Pix, []uint8{230, 225, 220 /* paper */, 210, 120, 125 /* red over paper */, 30, 28, 35 /* black */, 60, 70, 160 /* blue */})
	if d := cmp.Diff([]uint8{230, 210, 35, 160}, brightest(p).Pix); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestTheHeightOfAPagesLinesIsThatOfMost(t *testing.T) {
	of := func(heights ...float64) (out []Line) {
		for _, h := range heights {
			out = append(out, Line{Reading: Reading{Text: "X"}, Strip: ocr.Strip{Length: 300, Height: h}})
		}
		return out
	}
	for name, c := range map[string]struct {
		lines []Line
		want  float64
	}{
		"a heading and a box over two rows": {of(40, 41, 42, 43, 90, 60, 41), 42},
		"too few":                           {of(40, 41, 42, 43, 90), 0},
		"none":                              {nil, 0},
		"what was not read":                 {append(of(40, 41, 42, 43, 44), Line{Strip: ocr.Strip{Length: 300, Height: 90}}), 0},
	} {
		if got := MiddleHeight(c.lines); got != c.want {
			t.Errorf("%s: %.0f, want %.0f", name, got, c.want)
		}
	}
}

func TestManySureCharactersSayMoreThanFew(t *testing.T) {
	few, many, poor := weightOf([]float64{1, 1}), weightOf([]float64{.9, .9, .9, .9}), weightOf([]float64{.3, .4, .5, .5, .4})
	if many <= few || few <= 0 || poor >= 0 {
		t.Errorf("many %.2f, few %.2f, poor %.2f", many, few, poor)
	}
}
