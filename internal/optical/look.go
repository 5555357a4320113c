package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// glance is one reading of a strip: the characters with their places in the picture.
type glance struct {
	strip  ocr.Strip // the crop that was read, margins included
	frames frames
	width  int // of the crop that was read, in its own pixels
	glyphs []glyph
	like   float64 // how much it looks like a machine-readable line, 0–1
	pitch  float64 // pixels of the picture from one character to the next, 0 when not told
}

// crnn reads one upright line of the machine-readable alphabet: it returns its class probabilities, frame by frame.
type crnn interface {
	read(ctx context.Context, crop *imaging.Gray) (frames, error)
}

// zoneReader holds the two readers of a zone, which differ in architecture, alphabet and training text.
type zoneReader struct {
	first, second crnn
}

// look reads a strip as it lies.
func look(ctx context.Context, r crnn, img *imaging.Photo, s ocr.Strip) (glance, error) {
	crop := ocr.CropGray(img, s)
	f, err := r.read(ctx, crop)
	if err != nil {
		return glance{}, err
	}
	g := glance{strip: s, frames: f, width: crop.W, glyphs: greedy(f)}
	g.pitch = g.spacing()
	g.like = g.likeness()
	return g, nil
}

// place is where a glyph's middle stands along the strip, in pixels of the picture from the strip's centre.
func (g glance) place(c glyph) float64 {
	x := float64(c.first+c.last) / 2 * g.frames.step
	return x/math.Max(1, float64(g.width))*g.strip.Length - g.strip.Length/2
}

// spacing is the median distance of neighbours.
func (g glance) spacing() float64 {
	if len(g.glyphs) < 4 {
		return 0
	}
	gaps := make([]float64, 0, len(g.glyphs))
	for i := 1; i < len(g.glyphs); i++ {
		gaps = append(gaps, g.place(g.glyphs[i])-g.place(g.glyphs[i-1]))
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// likeness is high for many characters, surely read, at one pitch: ordinary print is proportional, has spaces and small
// letters, and leaves this alphabet's reader unsure.
func (g glance) likeness() float64 {
	if len(g.glyphs) < 8 || g.pitch <= 0 {
		return 0
	}
	sure, even := 0.0, 0
	for i, c := range g.glyphs {
		sure += c.conf
		if i > 0 {
			d := (g.place(c) - g.place(g.glyphs[i-1])) / g.pitch
			if math.Abs(d-1) < 0.25 {
				even++
			}
		}
	}
	n := float64(len(g.glyphs))
	many := math.Min(1, n/28)
	return sure / n * float64(even) / (n - 1) * many
}

// extent is the span of the characters along the strip, half a pitch beyond the first and last that were surely read.
func (g glance) extent() (lo, hi float64, ok bool) {
	const sure = 0.5
	for _, c := range g.glyphs {
		if c.conf < sure {
			continue
		}
		p := g.place(c)
		if !ok {
			lo, ok = p-g.pitch/2, true
		}
		hi = p + g.pitch/2
	}
	return lo, hi, ok
}
