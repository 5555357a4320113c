package zone

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// fitSure is the confidence from which the place of a character determines that of its line.
const fitSure = 0.5

// fitLines returns the lines of a decoding, now that the number of their characters is known: each begins and ends at its
// characters, and what else was in the row (a page's edge, print beside the zone) is left out. It is false where too few
// characters are sure.
func fitLines(rows []scan, d decoding) ([]ocr.Strip, bool) {
	out := make([]ocr.Strip, len(rows))
	for i, g := range rows {
		left, right, ok := lineEnds(g, d.glyphs[i])
		if !ok {
			return nil, false
		}
		n := float64(len(d.glyphs[i]))
		pitch := (right - left) / n
		a, b := g.strip.At(left, 0), g.strip.At(right, 0)
		out[i] = ocr.Between(a, b, ocr.CropHeight*pitch, g.strip.Score)
	}
	return out, true
}

// lineEnds returns where a line begins and ends along its strip. Perspective shortens one end of a line, so that each end is
// determined by the third of the characters that is nearest to it.
func lineEnds(g scan, glyphs []glyph) (left, right float64, ok bool) {
	n := len(glyphs)
	third := n / 3
	a, pitchA, ok := lineStart(g, glyphs[:third], 0)
	b, pitchB, ok2 := lineStart(g, glyphs[n-third:], n-third)
	if !ok || !ok2 {
		a, pitchA, ok = lineStart(g, glyphs, 0) // fillers at one end may be all but invisible
		b, pitchB = a, pitchA
	}
	left, right = a-pitchA/2, b+pitchB*(float64(n)-0.5)
	return left, right, ok && right > left
}

// lineStart fits place = start + pitch·index to the characters that are sure, by the medians of pairs (Theil–Sen); first is the
// index of the first.
func lineStart(g scan, glyphs []glyph, first int) (start, pitch float64, ok bool) {
	var at, index []float64
	for i, c := range glyphs {
		if c.conf >= fitSure {
			at, index = append(at, g.place(c)), append(index, float64(first+i))
		}
	}
	if len(at) < 5 {
		return 0, 0, false
	}
	var slopes []float64
	for i := range at {
		for j := i + 3; j < len(at); j++ {
			slopes = append(slopes, (at[j]-at[i])/(index[j]-index[i]))
		}
	}
	pitch = median(slopes)
	starts := make([]float64, len(at))
	for i := range at {
		starts[i] = at[i] - pitch*index[i]
	}
	return median(starts), pitch, pitch > 0
}

// median returns the upper median, 0 for no values.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// refit reads the lines of a decoding again from crops that hold them alone, and returns the surer decoding with the lines from end
// to end of their characters. The zone then has the rows of that decoding.
func (s scanner) refit(ctx context.Context, z *Zone, d decoding) (decoding, []ocr.Strip, error) {
	rows := z.rows[d.from : d.from+len(d.lines)]
	lines, ok := fitLines(rows, d)
	if !ok {
		lines = make([]ocr.Strip, len(rows))
		for i, g := range rows {
			lines[i] = g.line()
		}
		z.rows = rows
		d.addPosteriors(framesOf(rows))
		return d, lines, nil
	}
	crops := make([]ocr.Strip, len(lines))
	for i, line := range lines {
		crops[i] = margined(line, line.Length/float64(len(d.lines[i])))
	}
	again, err := s.scanAll(ctx, crops)
	if err != nil {
		return d, nil, err
	}
	z.rows = rows
	z.pitch = lines[0].Length / math.Max(1, float64(len(d.lines[0])))
	second, ok := decodeAs(d.format, framesOf(again))
	if ok && second.confidence() >= d.confidence() {
		z.rows, d = again, second
	}
	d.addPosteriors(framesOf(z.rows))
	d.from = 0
	return d, lines, nil
}

// framesOf returns the frames of some rows.
func framesOf(rows []scan) []frames {
	out := make([]frames, len(rows))
	for i, g := range rows {
		out[i] = g.frames
	}
	return out
}
