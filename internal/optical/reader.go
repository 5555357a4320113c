package optical

import (
	"context"
	"fmt"
	"math"
	"strings"
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

// ppTextReader is PP-OCR: printed text of any kind, and the second reader of machine-readable lines.
type ppTextReader struct {
	model *onnx.Model
	dict  []string // dict[0] is the blank
	fold  []uint8  // for each entry, the class of alphabet that it stands for, 0 for none
}

const (
	textHeight = 48
	textStride = 8   // columns a frame
	textLeast  = 320 // the width below which it was not trained
	textGrid   = 160 // tensors are padded to multiples of this, so that few sizes occur
	textWidest = 1280
)

// lookAlikes are characters of the dictionary that are the same shape as one of the machine-readable alphabet. They
// are other code points for that shape, not guesses between shapes.
const lookAlikes = "<＜く〈‹«《≤"

func newPPTextReader(m *onnx.Model, dictionary string) ppTextReader {
	lines := strings.Split(strings.ReplaceAll(strings.TrimRight(dictionary, "\n"), "\r", ""), "\n")
	r := ppTextReader{model: m, dict: append(append([]string{""}, lines...), " ")}
	r.fold = make([]uint8, len(r.dict))
	for i, s := range r.dict {
		up := strings.ToUpper(s)
		switch {
		case len(up) == 1:
			r.fold[i] = uint8(classOf(up[0]))
		case s != "" && strings.Contains(lookAlikes, s):
			r.fold[i] = uint8(classOf('<'))
		}
	}
	return r
}

// run returns the model's probabilities for a crop of one upright line: n frames of len(dict) values, and the number
// of crop pixels from one frame to the next.
func (r ppTextReader) run(ctx context.Context, crop *imaging.RGB) ([]float32, int, float64, error) {
	w := int(math.Round(float64(crop.W) * textHeight / math.Max(1, float64(crop.H))))
	w = min(textWidest, max(textStride, w))
	tw := max(textLeast, (w+textGrid-1)/textGrid*textGrid)
	p := crop.Resize(w, textHeight)
	data := make([]float32, 3*textHeight*tw)
	for c := range 3 {
		plane := data[c*textHeight*tw:]
		for y := range textHeight {
			src := p.Pix[3*y*w:]
			for x := range w {
				plane[y*tw+x] = float32(src[3*x+2-c])/127.5 - 1
			}
		}
	}
	out, err := r.model.Run(ctx, onnx.Tensor{Shape: []int64{1, 3, textHeight, int64(tw)}, Data: data})
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read text: %w", err)
	}
	n := min(tw/textStride, (w+textStride-1)/textStride+1)
	if len(out) != 1 || len(out[0].Data) < n*len(r.dict) {
		return nil, 0, 0, fmt.Errorf("read text: the model does not fit its dictionary of %d entries", len(r.dict))
	}
	return out[0].Data, n, textStride * float64(crop.W) / float64(w), nil
}

// readMRZ returns probabilities held to the machine-readable alphabet: entries of the same shape are added up, and
// what is left of each frame is scaled to one.
func (r ppTextReader) readMRZ(ctx context.Context, img *imaging.Photo, s strip) (frames, error) {
	raw, n, step, err := r.run(ctx, cut(img, s))
	if err != nil {
		return frames{}, err
	}
	f := frames{p: make([]float32, n*classes), step: step}
	for t := range n {
		row, dst := raw[t*len(r.dict):(t+1)*len(r.dict)], f.p[t*classes:(t+1)*classes]
		dst[0] = row[0]
		sum := row[0]
		for i, class := range r.fold {
			if class > 0 {
				dst[class] += row[i]
				sum += row[i]
			}
		}
		for c := range dst {
			dst[c] /= max(sum, 1e-6)
		}
	}
	return f, nil
}

// printed is a line of ordinary text as it was read.
type printed struct {
	text  string
	conf  float64   // mean over its characters, 0–1
	least float64   // of its least sure character, 0–1
	chars []float64 // for each rune of text, 0–1
	at    []float64 // for each rune of text, where it is along the crop, 0–1
}

// readText reads ordinary text.
func (r ppTextReader) readText(ctx context.Context, img *imaging.Photo, s strip) (printed, error) {
	crop := cut(img, s)
	raw, n, step, err := r.run(ctx, crop)
	if err != nil {
		return printed{}, err
	}
	return r.decode(raw, n, step/math.Max(1, float64(crop.W))), nil
}

// decode is greedy CTC over the whole dictionary; step is the part of the crop from one frame to the next.
func (r ppTextReader) decode(raw []float32, n int, step float64) printed {
	var out printed
	var runes []rune
	before := 0
	for t := range min(n, len(raw)/max(1, len(r.dict))) {
		best := 0
		row := raw[t*len(r.dict) : (t+1)*len(r.dict)]
		for i, v := range row {
			if v > row[best] {
				best = i
			}
		}
		if best != 0 && best != before {
			for _, c := range r.dict[best] {
				runes = append(runes, c)
				out.chars = append(out.chars, float64(row[best]))
				out.at = append(out.at, math.Min(1, (float64(t)+.5)*step))
			}
		}
		before = best
	}
	return out.of(runes)
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
