package zone

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// scan is one reading of a strip by the first reader, free of any format.
type scan struct {
	strip    ocr.Strip // the crop that was read, margins included
	frames   frames
	width    int // of the crop that was read, in its own pixels
	glyphs   []glyph
	likeness float64 // how much it looks like a machine-readable line, 0–1
	pitch    float64 // pixels of the picture from one character to the next, 0 where unknown
}

// scanner reads strips of one picture with the first reader.
type scanner struct {
	reader recogniser
	img    *imaging.Photo
}

// scan reads a strip in its own direction.
func (s scanner) scan(ctx context.Context, strip ocr.Strip) (scan, error) {
	crop := ocr.CropGray(s.img, strip)
	f, err := s.reader.read(ctx, crop)
	if err != nil {
		return scan{}, err
	}
	g := scan{strip: strip, frames: f, width: crop.W, glyphs: greedy(f)}
	g.pitch = g.spacing()
	g.likeness = g.zoneLikeness()
	return g, nil
}

// scanAll reads strips, each in its own direction.
func (s scanner) scanAll(ctx context.Context, strips []ocr.Strip) ([]scan, error) {
	out := make([]scan, len(strips))
	for i, strip := range strips {
		var err error
		if out[i], err = s.scan(ctx, strip); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// scanEitherWay reads a strip in its own direction and, unless sure says that this leaves no doubt, upside down. It returns the
// scan of the higher score.
func (s scanner) scanEitherWay(ctx context.Context, strip ocr.Strip, sure func(scan) bool, score func(scan) float64) (scan, error) {
	g, err := s.scan(ctx, strip)
	if err != nil || sure(g) {
		return g, err
	}
	return s.orUpsideDown(ctx, g, score)
}

// orUpsideDown returns the scan, or that of the same strip upside down where its score is higher.
func (s scanner) orUpsideDown(ctx context.Context, g scan, score func(scan) float64) (scan, error) {
	f, err := s.scan(ctx, g.strip.Flipped())
	if err != nil || score(f) > score(g) {
		return f, err
	}
	return g, nil
}

// place returns where the middle of a glyph is along the strip, in pixels of the picture from the strip's centre.
func (g scan) place(c glyph) float64 {
	x := float64(c.first+c.last) / 2 * g.frames.step
	return x/math.Max(1, float64(g.width))*g.strip.Length - g.strip.Length/2
}

// spacing returns the median distance of neighbouring glyphs, 0 for fewer than four.
func (g scan) spacing() float64 {
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

// likelyLength is the number of characters from which the length of a line no longer counts against its likeness.
const likelyLength = 28

// zoneLikeness returns how much the scan looks like a machine-readable line, 0–1: many characters, surely read, at one pitch.
// Ordinary print is proportional, has spaces and small letters, and leaves this alphabet's reader unsure.
func (g scan) zoneLikeness() float64 {
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
	many := math.Min(1, n/likelyLength)
	return sure / n * float64(even) / (n - 1) * many
}

// evenness returns the likeness of the scan whatever its length.
func (g scan) evenness() float64 {
	return g.likeness / math.Max(1e-9, math.Min(1, float64(len(g.glyphs))/likelyLength))
}

// byLikeness is the score of a scan where its length counts.
func byLikeness(g scan) float64 { return g.likeness }

// fillers returns the number of fillers.
func (g scan) fillers() int { return strings.Count(glyphText(g.glyphs), "<") }

// extent returns the span of the characters along the strip, half a pitch beyond the first and the last that were surely read.
func (g scan) extent() (lo, hi float64, ok bool) {
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

// line returns the strip of the line that was scanned: as high as its pitch asks for, with its ends at its characters.
func (g scan) line() ocr.Strip {
	s := g.strip
	if lo, hi, ok := g.extent(); ok {
		m := s.At((lo+hi)/2, 0)
		s.X, s.Y, s.Length = m.X, m.Y, hi-lo
	}
	s.Height = ocr.CropHeight * g.pitch
	return s
}

// margined adds to a line the paper left and right of its characters with which the reader was trained.
func margined(line ocr.Strip, pitch float64) ocr.Strip {
	line.Length += 2 * ocr.CropMargin * pitch
	return line
}
