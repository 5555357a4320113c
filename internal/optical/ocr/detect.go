package ocr

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// TextDetectModel is the name of the detector's model card.
const TextDetectModel = "text-detect"

// The detector sees a small copy of the picture. Larger copies split runs of fillers; smaller ones lose small print.
const (
	DetectSize    = 960  // usual longest side of the copy
	DetectGrid    = 64   // both sides of the tensor are padded to multiples of this, so that few sizes occur
	DetectEnlarge = 2.0  // small pictures are enlarged by at most this
	detectLeast   = 32.0 // a picture with a shorter side than this, once scaled, holds no text
)

// Colour statistics of the detector's training data, in its channel order (blue, green, red).
var (
	detectMean = [3]float32{0.485, 0.456, 0.406}
	detectStd  = [3]float32{0.229, 0.224, 0.225}
)

// Detector finds runs of text.
type Detector struct{ model *onnx.Model }

// NewDetector returns the detector of a model.
func NewDetector(m *onnx.Model) Detector { return Detector{m} }

// Colours says how a picture is shown to the detector.
type Colours bool

const (
	// Unchanged shows the picture as it is.
	Unchanged Colours = false
	// Faded shows ink in colours (patterns, a word across the page, stamps, a hologram) closer to the paper, and leaves black
	// print as it is. Print in colours fades as well.
	Faded Colours = true
)

// fadedParts weighs the brightest of a pixel's channels against its own value in a faded picture. Of 519 facts on generated
// cards 468 were read with a weight of none, 478 with two, 468 of 512 with nothing but the brightest (tried with bench facts
// --generate 60 --seed 95001 --camera scan and text-line 2; no record).
const fadedParts = 2

// Find returns the runs of text in a picture, in its pixels, as seen on a copy whose longest side is size.
func (d Detector) Find(ctx context.Context, img *imaging.Photo, size int, c Colours) ([]Strip, error) {
	scale := math.Min(DetectEnlarge, float64(size)/float64(max(img.W, img.H, 1)))
	w, h := int(math.Round(float64(img.W)*scale)), int(math.Round(float64(img.H)*scale))
	if float64(min(w, h)) < detectLeast {
		return nil, nil
	}
	found, err := d.detect(ctx, img.Resize(w, h), c)
	if err != nil {
		return nil, err
	}
	sx, sy := float64(img.W)/float64(w), float64(img.H)/float64(h)
	for i, s := range found {
		found[i] = s.Scaled((sx + sy) / 2)
	}
	return found, nil
}

// detect returns the runs of text in the picture, in its pixels.
func (d Detector) detect(ctx context.Context, p *imaging.RGB, c Colours) ([]Strip, error) {
	if c == Faded {
		p = fade(p)
	}
	in, tw, th := detectorInput(p)
	out, err := d.model.Run(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("detect text: %w", err)
	}
	if len(out) != 1 || len(out[0].Data) < tw*th {
		return nil, fmt.Errorf("detect text: the model answered %d tensors", len(out))
	}
	return regions(out[0].Data, tw, th), nil
}

// FindLevelled returns the runs of text as Find does, on a copy turned by -tilt degrees, so that lines at that tilt are level.
// The detector was trained on level text and splits slanted lines.
func (d Detector) FindLevelled(ctx context.Context, img *imaging.Photo, size int, tilt float64) ([]Strip, error) {
	small, scale := img.Fit(size)
	sin, cos := math.Sincos(tilt * math.Pi / 180)
	w, h := float64(small.W), float64(small.H)
	ow, oh := w*math.Abs(cos)+h*math.Abs(sin), w*math.Abs(sin)+h*math.Abs(cos)
	m := [6]float64{cos, -sin, w/2 - cos*ow/2 + sin*oh/2, sin, cos, h/2 - sin*ow/2 - cos*oh/2}
	found, err := d.Find(ctx, imaging.PhotoOf(imaging.Affine(small, m, int(ow), int(oh))), size, Unchanged)
	if err != nil {
		return nil, err
	}
	for i, s := range found {
		s.X, s.Y = m[0]*s.X+m[1]*s.Y+m[2], m[3]*s.X+m[4]*s.Y+m[5]
		s.UX, s.UY = cos*s.UX-sin*s.UY, sin*s.UX+cos*s.UY
		found[i] = s.Scaled(1 / scale)
	}
	return found, nil
}

// Skew returns the angle in degrees, clockwise, between the long runs of text and the nearer of the picture's axes: the median,
// weighted by length. It is 0 where no run is long.
func Skew(boxes []Strip) float64 {
	type slant struct{ angle, weight float64 }
	var all []slant
	total := 0.0
	for _, b := range boxes {
		if !b.Directed() {
			continue
		}
		a := math.Mod(b.Angle()+360+45, 90) - 45
		all = append(all, slant{a, b.Length})
		total += b.Length
	}
	slices.SortFunc(all, func(a, b slant) int { return cmp.Compare(a.angle, b.angle) })
	below := 0.0
	for _, s := range all { // the weighted median
		if below += s.weight; 2*below >= total {
			return s.angle
		}
	}
	return 0
}

// fade returns a copy of the picture with its colours faded.
func fade(p *imaging.RGB) *imaging.RGB {
	out := imaging.NewRGB(p.W, p.H)
	for i := 0; i+2 < len(p.Pix); i += 3 {
		most := fadedParts * int(max(p.Pix[i], p.Pix[i+1], p.Pix[i+2]))
		for k := i; k < i+3; k++ {
			out.Pix[k] = uint8((most + int(p.Pix[k])) / (fadedParts + 1)) //nolint:gosec // a mean of bytes is one
		}
	}
	return out
}

// detectorInput pads the picture to the grid and normalises it: [1, 3, th, tw], blue first.
func detectorInput(p *imaging.RGB) (onnx.Tensor, int, int) {
	up := func(v int) int { return (v + DetectGrid - 1) / DetectGrid * DetectGrid }
	tw, th := up(p.W), up(p.H)
	data := make([]float32, 3*tw*th)
	for c := range 3 {
		var table [256]float32
		for v := range table {
			table[v] = (float32(v)/255 - detectMean[c]) / detectStd[c]
		}
		plane := data[c*tw*th:]
		for y := range p.H {
			src := p.Pix[3*y*p.W:]
			dst := plane[y*tw : y*tw+p.W]
			for x := range dst {
				dst[x] = table[src[3*x+2-c]]
			}
		}
	}
	return onnx.Tensor{Shape: []int64{1, 3, int64(th), int64(tw)}, Data: data}, tw, th
}
