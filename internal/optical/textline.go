package optical

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

// textReader is text-line: lines of Latin print with diacritics, 32 pixels high, in tensors of a few widths. It is the second
// reader of machine-readable rows, too.
type textReader struct {
	model   *onnx.Model
	dict    []rune  // by class; the first is the blank, the last the space
	fold    []uint8 // for each class, the class of alphabet that it stands for: 0 for the blank and for the space
	machine []int   // the classes that a machine-readable row may show
}

const (
	lineHeight = 32
	lineStride = 2 // columns a frame
	lineLeast  = 16
)

// lineWidths are the widths of tensors; a longer line is squeezed into the last. They are few, so that the runtime's memory
// stays flat, and close enough that a line is rarely a fifth padding.
var lineWidths = [...]int{128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 768, 896, 928, 1024}

var errLineDictionary = errors.New("the model for printed lines does not fit its dictionary")

// newTextReader takes the dictionary as it is packed: a character a line, neither blank nor space among them.
func newTextReader(m *onnx.Model, dictionary string) (textReader, error) {
	r := textReader{model: m, dict: []rune{0}}
	for text := range strings.Lines(dictionary) {
		c := []rune(strings.TrimRight(text, "\r\n"))
		if len(c) != 1 {
			return r, fmt.Errorf("%w: line %d holds %d characters", errLineDictionary, len(r.dict), len(c))
		}
		r.dict = append(r.dict, c[0])
	}
	r.dict = append(r.dict, ' ')
	r.fold = make([]uint8, len(r.dict))
	for i, c := range r.dict {
		switch {
		case c == '«':
			r.fold[i] = uint8(classOf('<'))
		case c < 128:
			r.fold[i] = uint8(classOf(strings.ToUpper(string(c))[0]))
		}
		if r.fold[i] > 0 || i == 0 || c == ' ' {
			r.machine = append(r.machine, i)
		}
	}
	return r, nil
}

// run returns the model's scores for a crop of one upright line: n frames of len(dict) values, and the part of the crop
// from one frame to the next.
func (r textReader) run(ctx context.Context, crop *imaging.Gray) (scores []float32, n int, step float64, err error) {
	in, w := lineInput(crop)
	out, err := r.model.Run(ctx, in)
	if err != nil {
		return nil, 0, 0, fmt.Errorf("read line of text: %w", err)
	}
	n = min(int(in.Shape[3])/lineStride, (w+2*lineStride-1)/lineStride)
	if len(out) != 1 || len(out[0].Data) < n*len(r.dict) {
		return nil, 0, 0, errLineDictionary
	}
	return out[0].Data, n, lineStride / float64(w), nil
}

// lineInput resizes to 32 rows, normalises over the line's own pixels and pads with zeros to one of the widths. The second
// result is how many columns the line takes.
func lineInput(crop *imaging.Gray) (onnx.Tensor, int) {
	widest := lineWidths[len(lineWidths)-1]
	w := int(math.Round(float64(crop.W) * lineHeight / math.Max(1, float64(crop.H))))
	w = min(widest, max(lineLeast, w))
	at, _ := slices.BinarySearch(lineWidths[:], w)
	return normalised(crop.Resize(w, lineHeight), lineWidths[at]), w
}

// normalised lays a picture out as [1, 1, H, width]: its pixels less their mean and divided by their standard deviation,
// zeros to the right.
func normalised(g *imaging.Gray, width int) onnx.Tensor {
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

// readText reads ordinary print.
func (r textReader) readText(ctx context.Context, img *imaging.Photo, s strip) (printed, error) {
	return r.readCrop(ctx, cutGray(img, s))
}

// readCrop is readText of a line that is cut already.
func (r textReader) readCrop(ctx context.Context, crop *imaging.Gray) (printed, error) {
	scores, n, step, err := r.run(ctx, crop)
	if err != nil {
		return printed{}, err
	}
	return r.decode(scores, n, step), nil
}

// decode takes the best class of each frame, merges equal neighbours and drops blanks. A character is as sure as in the
// surest frame of its run, and stands in the middle of it.
func (r textReader) decode(scores []float32, n int, step float64) printed {
	var out printed
	var runes []rune
	before, first := 0, 0
	for t := range min(n, len(scores)/len(r.dict)) {
		row := scores[t*len(r.dict) : (t+1)*len(r.dict)]
		_, best := bestOf(row, -1)
		switch last := len(runes) - 1; {
		case best == 0:
		case best == before:
			out.chars[last] = math.Max(out.chars[last], share(row, best))
			out.at[last] = math.Min(1, float64(first+t)/2*step)
		default:
			first = t
			runes = append(runes, r.dict[best])
			out.chars = append(out.chars, share(row, best))
			out.at = append(out.at, math.Min(1, float64(t)*step))
		}
		before = best
	}
	return out.of(out.undouble(runes))
}

// share is the probability of the class with the highest score.
func share(scores []float32, best int) float64 {
	const nothing = 20 // e^-20 of the best adds nothing
	sum, top := 0.0, scores[best]
	for _, v := range scores {
		if d := top - v; d < nothing {
			sum += math.Exp(-float64(d))
		}
	}
	return 1 / math.Max(1, sum)
}

// readMRZ returns probabilities held to the machine-readable alphabet: classes of the same shape are added up, and what is
// left of each frame is scaled to one. Frames are joined in pairs, which leaves five for a character.
func (r textReader) readMRZ(ctx context.Context, img *imaging.Photo, s strip) (frames, error) {
	crop := cutGray(img, s)
	scores, n, step, err := r.run(ctx, crop)
	if err != nil {
		return frames{}, err
	}
	f := frames{p: make([]float32, (n+1)/2*classes), step: 2 * step * float64(crop.W)}
	for t := range n {
		r.held(f.p[t/2*classes:][:classes], scores[t*len(r.dict):(t+1)*len(r.dict)])
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

// held adds a frame's probabilities, among the classes that a machine-readable row may show, to out.
func (r textReader) held(out, scores []float32) {
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
