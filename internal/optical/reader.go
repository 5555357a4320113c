package optical

import (
	"context"
	"fmt"
	"math"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// ownReader is mrz-read: one line of OCR-B, 32 pixels high, in a tensor of fixed width.
type ownReader struct{ model *onnx.Model }

const (
	ownHeight = 32
	ownWidth  = 768
	ownStride = 4 // columns a frame
)

// read returns the class probabilities along a crop that shows one upright line.
func (r ownReader) read(ctx context.Context, crop *imaging.Gray) (frames, error) {
	in, w := ownInput(crop)
	out, err := r.model.Run(ctx, in)
	if err != nil {
		return frames{}, fmt.Errorf("read line: %w", err)
	}
	if len(out) != 1 || len(out[0].Data) < ownWidth/ownStride*classes {
		return frames{}, fmt.Errorf("read line: the model answered %d tensors", len(out))
	}
	// Frame t is centred on column 4t; beyond the line there is only padding.
	n := min(ownWidth/ownStride, (w+ownStride+ownStride-1)/ownStride)
	p := out[0].Data[:n*classes]
	for t := range n {
		softmax(p[t*classes : (t+1)*classes])
	}
	return frames{p: p, step: ownStride * float64(crop.W) / float64(w)}, nil
}

// ownInput resizes to 32 rows, normalises over the line's own pixels and pads with zeros.
func ownInput(crop *imaging.Gray) (onnx.Tensor, int) {
	w := int(math.Round(float64(crop.W) * ownHeight / math.Max(1, float64(crop.H))))
	w = min(ownWidth, max(ownHeight, w))
	return normalised(crop.Resize(w, ownHeight), ownWidth), w
}

// softmax turns scores into probabilities in place.
func softmax(s []float32) {
	top := s[0]
	for _, v := range s {
		top = max(top, v)
	}
	var sum float64
	for i, v := range s {
		e := math.Exp(float64(v - top))
		s[i] = float32(e)
		sum += e
	}
	for i := range s {
		s[i] = float32(float64(s[i]) / sum)
	}
}

// printed is a line of ordinary text as it was read.
type printed struct {
	text  string
	conf  float64   // mean over its characters, 0–1
	least float64   // of its least sure character, 0–1
	chars []float64 // for each rune of text, 0–1
	at    []float64 // for each rune of text, where it is along the crop, 0–1
}

// of completes a reading whose characters have been noted: without spaces at either end.
func (p printed) of(runes []rune) printed {
	for len(runes) > 0 && unicode.IsSpace(runes[0]) {
		runes, p.chars, p.at = runes[1:], p.chars[1:], p.at[1:]
	}
	for n := len(runes); n > 0 && unicode.IsSpace(runes[n-1]); n-- {
		runes, p.chars, p.at = runes[:n-1], p.chars[:n-1], p.at[:n-1]
	}
	if len(runes) == 0 {
		return printed{}
	}
	sum := 0.0
	p.least = 1
	for _, c := range p.chars {
		sum += c
		p.least = math.Min(p.least, c)
	}
	p.text, p.conf = string(runes), sum/float64(len(runes))
	return p
}
