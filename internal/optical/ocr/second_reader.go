package ocr

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// SecondModel is the card of the model that SecondReader runs, and SecondCharacters that of its dictionary.
const (
	SecondModel      = "text-second"
	SecondCharacters = "text-second.txt"
)

// SecondReader runs the network text-second (PP-OCRv4), which shares neither weights nor training data with text-line: where both
// read the same characters, neither misread them by a habit of its own. It knows few diacritics, and often loses spaces. It is safe
// for concurrent use.
type SecondReader struct {
	model      *onnx.Model
	dictionary []rune // by class; the first is the blank, the last the space
}

const (
	secondHeight = 48
	secondStride = 8 // columns a frame
)

// secondWidths are the widths of the model's tensors, few for the same reason as lineWidths.
var secondWidths = [...]int{96, 160, 240, 320, 480, 640, 960}

// NewSecondReader returns the reader of a model with its dictionary: a character a line, neither blank nor space among them.
func NewSecondReader(m *onnx.Model, dictionary string) (SecondReader, error) {
	r, err := NewLineReader(m, dictionary)
	return SecondReader{model: m, dictionary: r.Dictionary}, err
}

// Read returns the text of a crop of one upright line, spaces included as far as it sees them.
func (r SecondReader) Read(ctx context.Context, crop *imaging.Gray) (string, error) {
	out, err := r.model.Run(ctx, secondInput(crop))
	if err != nil {
		return "", fmt.Errorf("read line of text a second time: %w", err)
	}
	if len(out) != 1 || len(out[0].Data)%len(r.dictionary) != 0 {
		return "", errLineDictionary
	}
	var text strings.Builder
	before := 0
	for row := range slices.Chunk(out[0].Data, len(r.dictionary)) {
		_, best := BestClass(row)
		if best != 0 && best != before {
			text.WriteRune(r.dictionary[best])
		}
		before = best
	}
	return strings.TrimSpace(text.String()), nil
}

// secondInput resizes a crop to 48 rows, maps it to -1 to 1 in three equal planes, and pads it with zeros to one of secondWidths.
func secondInput(crop *imaging.Gray) onnx.Tensor {
	widest := secondWidths[len(secondWidths)-1]
	w := min(widest, max(secondStride, int(math.Round(float64(crop.W)*secondHeight/math.Max(1, float64(crop.H))))))
	at, _ := slices.BinarySearch(secondWidths[:], w)
	width := secondWidths[at]
	g := crop.Resize(w, secondHeight)
	plane := make([]float32, secondHeight*width)
	for y := range secondHeight {
		for x, v := range g.Pix[y*w : (y+1)*w] {
			plane[y*width+x] = float32(v)/127.5 - 1
		}
	}
	return onnx.Tensor{Shape: []int64{1, 3, secondHeight, int64(width)}, Data: slices.Concat(plane, plane, plane)}
}
