package zone

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// MRZReadModel is the name of the model card of the first reader.
const MRZReadModel = "mrz-read"

// recogniser reads one upright line of the machine-readable alphabet: it returns its class probabilities, frame by frame.
type recogniser interface {
	read(ctx context.Context, crop *imaging.Gray) (frames, error)
}

// mrzReader runs the network mrz-read, which reads one line of OCR-B, 32 pixels high.
type mrzReader struct{ model *onnx.Model }

const (
	mrzHeight = 32
	mrzWidth  = 768 // of the tensor at most
	mrzGrid   = 64  // its width is a multiple of this, so that few sizes occur
	mrzBeyond = 48  // columns beyond the line that the last frame sees, and that a narrower tensor has: it answers what a wider one does
	mrzStride = 4   // columns a frame
)

// read returns the class probabilities along a crop that shows one upright line.
func (r mrzReader) read(ctx context.Context, crop *imaging.Gray) (frames, error) {
	in, w := mrzInput(crop)
	out, err := r.model.Run(ctx, in)
	if err != nil {
		return frames{}, fmt.Errorf("read line: %w", err)
	}
	all := int(in.Shape[3]) / mrzStride
	if len(out) != 1 || len(out[0].Data) < all*classes {
		return frames{}, fmt.Errorf("read line: the model answered %d tensors", len(out))
	}
	// Frame t is centred on column 4t; beyond the line there is only padding.
	n := min(all, (w+mrzStride+mrzStride-1)/mrzStride)
	p := out[0].Data[:n*classes]
	for t := range n {
		softmax(p[t*classes : (t+1)*classes])
	}
	return frames{p: p, step: mrzStride * float64(crop.W) / float64(w)}, nil
}

// mrzInput resizes a crop to 32 rows, normalises it over its own pixels and pads it with zeros. The second result is the number of
// columns that the line takes.
func mrzInput(crop *imaging.Gray) (onnx.Tensor, int) {
	w := int(math.Round(float64(crop.W) * mrzHeight / math.Max(1, float64(crop.H))))
	w = min(mrzWidth, max(mrzHeight, w))
	wide := min(mrzWidth, (w+mrzBeyond+mrzGrid-1)/mrzGrid*mrzGrid)
	return ocr.Normalised(crop.Resize(w, mrzHeight), wide), w
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

// heldReader is a reader of ordinary print held to the machine-readable alphabet.
type heldReader struct {
	ocr.LineReader
	fold    []uint8 // for each class, the class of alphabet that it stands for: 0 for the blank and for the space
	machine []int   // the classes that a machine-readable line may show
}

// newHeldReader returns r held to the machine-readable alphabet: in any case, and with « for two fillers.
func newHeldReader(r ocr.LineReader) heldReader {
	h := heldReader{LineReader: r, fold: make([]uint8, len(r.Dictionary))}
	for i, c := range r.Dictionary {
		switch {
		case c == '«':
			h.fold[i] = uint8(classOf('<'))
		case c < 128:
			h.fold[i] = uint8(classOf(strings.ToUpper(string(c))[0]))
		}
		if h.fold[i] > 0 || i == 0 || c == ' ' {
			h.machine = append(h.machine, i)
		}
	}
	return h
}

// read returns the class probabilities along a crop that shows one upright line: those of classes of the same shape are added up,
// and what is left of each frame is scaled to one. Frames are joined in pairs, which leaves five for a character.
func (r heldReader) read(ctx context.Context, crop *imaging.Gray) (frames, error) {
	scores, n, step, err := r.Scores(ctx, crop)
	if err != nil {
		return frames{}, err
	}
	f := frames{p: make([]float32, (n+1)/2*classes), step: 2 * step * float64(crop.W)}
	for t := range n {
		r.addFrame(f.p[t/2*classes:][:classes], scores[t*len(r.Dictionary):(t+1)*len(r.Dictionary)])
	}
	for t := range f.count() {
		one := f.p[t*classes : (t+1)*classes]
		sum := float32(0)
		for _, v := range one {
			sum += v
		}
		for c := range one {
			one[c] /= max(sum, 1e-6)
		}
	}
	return f, nil
}

// addFrame adds a frame's probabilities, among the classes that a machine-readable line may show, to out.
func (r heldReader) addFrame(out, scores []float32) {
	top := float32(math.Inf(-1))
	for _, i := range r.machine {
		top = max(top, scores[i])
	}
	var p [classes]float64
	sum := 0.0
	for _, i := range r.machine {
		v := math.Exp(float64(scores[i] - top))
		p[r.fold[i]] += v
		sum += v
	}
	for c, v := range p {
		out[c] += float32(v / sum)
	}
}
