package face

import (
	"context"
	"errors"
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

var errEmptyFace = errors.New("the face is outside the picture")

// Recipe names the way from a picture to a template, apart from the models. Templates of different recipes do not
// compare, and the calibration holds for one only: change it with every change to detection, landmarks or alignment.
const Recipe = "3"

// Template turns an aligned face (see Align) into a vector of 512 numbers of length 1. Vectors are personal data.
func (e *Engine) Template(ctx context.Context, aligned *imaging.RGB) ([]float32, error) {
	v, err := e.raw(ctx, aligned)
	if err != nil {
		return nil, err
	}
	n := length(v)
	if !(n > 0) || math.IsInf(n, 1) {
		return nil, errors.New("template: the network answered no usable vector")
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / n)
	}
	return out, nil
}

// raw is the network's answer. Its length tells how face-like the picture is: about 4 for a face set upright, 2.5 for
// one upside down.
func (e *Engine) raw(ctx context.Context, aligned *imaging.RGB) ([]float32, error) {
	if aligned.W != alignedSide || aligned.H != alignedSide {
		return nil, errors.New("template: the face is not aligned")
	}
	out, err := e.run(ctx, TemplateModel, planes(aligned, true, 127, 1./128), templateLength)
	if err != nil {
		return nil, err
	}
	return out[0].Data, nil
}

// Mean returns the mean of templates of one person, of unit length. There must be at least one, and all must be of one length.
func Mean(templates [][]float32) []float32 {
	out := make([]float32, len(templates[0]))
	for _, t := range templates {
		for i, v := range t {
			out[i] += v
		}
	}
	if n := length(out); n > 0 {
		for i := range out {
			out[i] = float32(float64(out[i]) / n)
		}
	}
	return out
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

// TemplateOf finds the landmarks of a face, aligns it and returns its template.
func (e *Engine) TemplateOf(ctx context.Context, p *imaging.RGB, f Face) ([]float32, error) {
	m, _, err := e.Mesh(ctx, p, f)
	if err != nil {
		return nil, err
	}
	return e.Template(ctx, Align(p, &m))
}

// Similarity is the cosine (−1 to 1) of two templates; −1 if they cannot be compared.
func Similarity(a, b []float32) float64 {
	if len(a) != len(b) || len(a) == 0 {
		return -1
	}
	var dot, na, nb float64
	for i, v := range a {
		dot += float64(v) * float64(b[i])
		na += float64(v) * float64(v)
		nb += float64(b[i]) * float64(b[i])
	}
	if na == 0 || nb == 0 {
		return -1
	}
	return math.Max(-1, math.Min(1, dot/math.Sqrt(na*nb)))
}

// planes lays a picture out as [1,3,H,W] of (v − mean)·scale, in the order B, G, R if bgr.
func planes(p *imaging.RGB, bgr bool, mean, scale float32) onnx.Tensor {
	n := p.W * p.H
	t := onnx.Tensor{Shape: []int64{1, 3, int64(p.H), int64(p.W)}, Data: make([]float32, 3*n)}
	for i := range n {
		px := p.Pix[3*i : 3*i+3 : 3*i+3]
		for c := range 3 {
			v := (float32(px[c]) - mean) * scale
			if bgr {
				t.Data[(2-c)*n+i] = v
			} else {
				t.Data[c*n+i] = v
			}
		}
	}
	return t
}

// softmax turns logits into probabilities.
func softmax(v []float32) []float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = math.Max(top, float64(x))
	}
	out, sum := make([]float64, len(v)), 0.0
	for i, x := range v {
		out[i] = math.Exp(float64(x) - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
