package ocr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// The cards of the models that LineReader runs, and of their dictionaries.
const (
	TextLineModel         = "text-line"
	TextLineCharacters    = "text-line.txt"
	OtherScriptModel      = "text-line-cyrillic-greek"
	OtherScriptCharacters = "text-line-cyrillic-greek.txt"
	VietnameseModel       = "text-line-vietnamese"
	VietnameseCharacters  = "text-line-vietnamese.txt"
)

// LineReader runs the network text-line, which reads lines of Latin print with diacritics, 32 pixels high, in tensors of a few
// widths, or one of the readers of other letters, which are made alike. It is safe for concurrent use.
type LineReader struct {
	model      *onnx.Model
	Dictionary []rune // by class; the first is the blank, the last the space
}

const (
	lineHeight = 32
	lineStride = 2 // columns a frame
	lineLeast  = 16
)

// lineWidths are the widths of the model's tensors; a longer line is squeezed into the last. They are few, so that the runtime's
// memory stays flat, and so close that a line is rarely a fifth padding.
var lineWidths = [...]int{128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 928, 1024}

var errLineDictionary = errors.New("the model for printed lines does not fit its dictionary")

// NewLineReader returns the reader of a model with its dictionary: a character a line, neither blank nor space among them.
func NewLineReader(m *onnx.Model, dictionary string) (LineReader, error) {
	r := LineReader{model: m, Dictionary: []rune{0}}
	for text := range strings.Lines(dictionary) {
		c := []rune(strings.TrimRight(text, "\r\n"))
		if len(c) != 1 {
			return r, fmt.Errorf("%w: line %d holds %d characters", errLineDictionary, len(r.Dictionary), len(c))
		}
		r.Dictionary = append(r.Dictionary, c[0])
	}
	r.Dictionary = append(r.Dictionary, ' ')
	return r, nil
}

// Scores returns the network's scores for a crop of one upright line: n frames of len(Dictionary) values, and the step from one
// frame to the next as a part of the crop's width.
func (r LineReader) Scores(ctx context.Context, crop *imaging.Gray) (scores []float32, n int, step float64, err error) {
	in, w := lineInput(crop)
	out, err := r.model.Run(ctx, in)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read line of text: %w", err)
	}
	n = min(int(in.Shape[3])/lineStride, (w+2*lineStride-1)/lineStride)
	if len(out) != 1 || len(out[0].Data) < n*len(r.Dictionary) {
		return nil, 0, 0, errLineDictionary
	}
	return out[0].Data, n, lineStride / float64(w), nil
}

// lineInput resizes a crop to 32 rows, normalises it over its own pixels and pads it with zeros to one of lineWidths. The second
// result is the number of columns that the line takes.
func lineInput(crop *imaging.Gray) (onnx.Tensor, int) {
	widest := lineWidths[len(lineWidths)-1]
	w := int(math.Round(float64(crop.W) * lineHeight / math.Max(1, float64(crop.H))))
	w = min(widest, max(lineLeast, w))
	at, _ := slices.BinarySearch(lineWidths[:], w)
	return Normalised(crop.Resize(w, lineHeight), lineWidths[at]), w
}

// Normalised returns a picture as a tensor [1, 1, H, width]: its pixels less their mean and divided by their standard deviation,
// padded with zeros on the right.
func Normalised(g *imaging.Gray, width int) onnx.Tensor {
	var sum, squares float64
	for _, v := range g.Pix {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := math.Max(1, float64(len(g.Pix)))
	mean := sum / n
	std := math.Max(1, math.Sqrt(math.Max(0, squares/n-mean*mean)))
	var table [256]float32
	for v := range table {
		table[v] = float32((float64(v) - mean) / std)
	}
	data := make([]float32, g.H*width)
	for y := range g.H {
		row := data[y*width : y*width+g.W]
		for x, v := range g.Pix[y*g.W : (y+1)*g.W] {
			row[x] = table[v]
		}
	}
	return onnx.Tensor{Shape: []int64{1, 1, int64(g.H), int64(width)}, Data: data}
}

// BestClass returns the highest of a frame's scores and its class.
func BestClass(scores []float32) (float32, int) {
	best, arg := float32(math.Inf(-1)), 0
	for c, x := range scores {
		if x > best {
			best, arg = x, c
		}
	}
	return best, arg
}

// BestProbability returns the probability of the class best, which has the highest score of the frame.
func BestProbability(scores []float32, best int) float64 {
	const nothing = 20 // e^-20 of the best adds nothing
	sum, top := 0.0, scores[best]
	for _, v := range scores {
		if d := top - v; d < nothing {
			sum += math.Exp(-float64(d))
		}
	}
	return 1 / math.Max(1, sum)
}
