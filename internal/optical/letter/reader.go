// Package letter reads single letters of a line from close by. The readers of lines see a line small and know words, so they lose rare marks and are sure
// of it. The network here sees a letter twice as large, and knows no words.
package letter

import (
	"context"
	"errors"
	"fmt"
	"math"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Model is the card of the model that Reader runs. Its characters are those of ocr.VietnameseModel.
const Model = "text-letter"

// Reader runs the network text-letter, which reads the letter in the middle of a window 64 pixels high and wide. It is safe for concurrent use.
type Reader struct {
	model      *onnx.Model
	dictionary []rune         // by class; the first stands for nothing, the last is the space
	families   map[rune][]int // classes of a letter without its mark, of those with marks and of its look-alike; of a figure and its twin
}

const (
	side  = 64
	batch = 8 // windows of a tensor, so that the runtime's memory stays flat
)

var errDictionary = errors.New("the model for letters does not fit its dictionary")

// New returns the reader of a model with the dictionary of an ocr.LineReader.
func New(m *onnx.Model, dictionary []rune) Reader {
	r := Reader{m, dictionary, map[rune][]int{}}
	for i, c := range dictionary {
		if unicode.IsLetter(c) {
			r.families[Bare(c)] = append(r.families[Bare(c)], i)
		}
		for taken, lookAlike := range lookAlikes {
			if c == lookAlike {
				r.families[taken] = append(r.families[taken], i)
			}
		}
		if figure := Figure(c); figure != 0 {
			r.families[figure] = append(r.families[figure], i)
		}
	}
	return r
}

// scores returns the network's scores for letters in the crop of an upright line: for each letter a value for each class, before softmax. at holds the
// middle of each letter as a part of the width.
func (r Reader) scores(ctx context.Context, crop *imaging.Gray, at []float64) ([][]float32, error) {
	w := max(1, int(math.Round(float64(crop.W)*side/math.Max(1, float64(crop.H)))))
	line := ocr.Normalised(crop.Resize(w, side), w).Data
	var out [][]float32
	for from := 0; from < len(at); from += batch {
		in := onnx.Tensor{Shape: []int64{batch, 1, side, side}, Data: make([]float32, batch*side*side)}
		n := min(batch, len(at)-from)
		for i, x := range at[from : from+n] {
			window(in.Data[i*side*side:], line, w, int(math.RoundToEven(x*float64(w)-.5))-side/2)
		}
		got, err := r.model.Run(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("read letters: %w", err)
		}
		k := len(r.dictionary)
		if len(got) != 1 || len(got[0].Data) != batch*k {
			return nil, errDictionary
		}
		for i := range n {
			out = append(out, got[0].Data[i*k:(i+1)*k])
		}
	}
	return out, nil
}

// window copies the columns of a line of width w from column first on; what lies beyond its ends stays nought.
func window(to, line []float32, w, first int) {
	a, b := max(0, first), min(w, first+side)
	for y := 0; y < side && a < b; y++ {
		copy(to[y*side+a-first:y*side+b-first], line[y*w+a:y*w+b])
	}
}
