package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// OCR-B, size I, as ICAO 9303-3 §4.3 and -4, -5, -6 place it, in units of the pitch (2.54 mm).
const (
	ocrbCap    = 2.40 / 2.54 // height of a capital
	ocrbLines  = 6.35 / 2.54 // from one line to the next
	cropHeight = ocrbCap / 0.6
	cropMargin = 1.5 * ocrbCap // paper left and right of the outermost characters
)

// glance is one reading of a strip: the characters with their places in the picture.
type glance struct {
	strip  strip // the crop that was read, margins included
	frames frames
	width  int // of the crop that was read, in its own pixels
	glyphs []glyph
	like   float64 // how much it looks like a machine-readable line, 0–1
	pitch  float64 // pixels of the picture from one character to the next, 0 when not told
}

// lineReader reads one upright line of the machine-readable alphabet.
type lineReader interface {
	read(ctx context.Context, crop *imaging.Gray) (frames, error)
}

// readHeight is the height of the crops that are cut for reading, in pixels: as much as the larger of both readers uses.
const readHeight = 48

// cut rectifies a strip to a picture of readHeight.
func cut(img *imaging.Photo, s strip) *imaging.RGB {
	return img.Warp(s.quad(), s.cutWidth(), readHeight)
}

// cutGray is the luma of cut, and cheaper.
func cutGray(img *imaging.Photo, s strip) *imaging.Gray {
	return img.WarpGray(s.quad(), s.cutWidth(), readHeight)
}

// cutWidth keeps the proportions of a strip that is cut to readHeight.
func (s strip) cutWidth() int {
	return max(1, min(int(math.Round(s.length*readHeight/math.Max(1, s.height))), 4096))
}

// look reads a strip as it lies.
func look(ctx context.Context, r lineReader, img *imaging.Photo, s strip) (glance, error) {
	crop := cutGray(img, s)
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
	return x/math.Max(1, float64(g.width))*g.strip.length - g.strip.length/2
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
