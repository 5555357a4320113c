package ocr

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestRewrittenNetworksAnswerAsTheirSourcesDo holds what models/fuse.mjs wrote to the file of the package that it read, on a page of lines.
func TestRewrittenNetworksAnswerAsTheirSourcesDo(t *testing.T) {
	page := imaging.NewRGB(520, 448)
	for i := range page.Pix {
		page.Pix[i] = 255
	}
	_, lines := packtest.GoldenLines(t, TextLineModel, "text/testdata")
	y := 8
	for _, l := range lines {
		if g := l.Picture(t); y+g.H < page.H {
			paste(page, g, 10, y)
			y += g.H + 20
		}
	}
	set, runtime := packtest.Runtime(t, TextDetectModel, SecondModel)
	onPage, _, _ := detectorInput(page)
	for name, in := range map[string]onnx.Tensor{TextDetectModel: onPage, SecondModel: secondInput(lines[0].Picture(t))} {
		t.Run(name, func(t *testing.T) {
			card, _ := set.Card(name)
			if card.Fused == nil {
				t.Fatal("its card does not say that it was rewritten")
			}
			folder, _, _ := strings.Cut(card.Package[1:], "@") // @scope/name@version
			source, err := os.ReadFile(filepath.Join(packtest.Dir(t), "node_modules", "@"+folder, filepath.FromSlash(card.Source)))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("models/node_modules has no such package: run `make pack`") // `make test` packs first, so that it never skips there
			}
			if err != nil {
				t.Fatal(err)
			}
			before, err := runtime.Load(source, onnx.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want, err := before.Run(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := packtest.Load(t, set, name).Run(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Max(want[0].Data) < .9 {
				t.Fatal("nothing is on the picture")
			}
			for i, v := range want[0].Data {
				if math.Abs(float64(v-got[0].Data[i])) > 1e-3 {
					t.Fatalf("number %d is %g, before %g", i, got[0].Data[i], v)
				}
			}
		})
	}
}

// paste puts a line on a page.
func paste(page *imaging.RGB, g *imaging.Gray, x, y int) {
	for row := range g.H {
		for col := range min(g.W, page.W-x) {
			v := g.Pix[row*g.W+col]
			copy(page.Pix[3*((y+row)*page.W+x+col):], []uint8{v, v, v})
		}
	}
}
