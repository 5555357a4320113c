package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// refitSure is the confidence from which a character says where its line lies.
const refitSure = 0.5

// refit cuts the lines of a reading anew, now that it is known how many characters they have: each crop begins and ends
// at its characters, and what else was in the row (a page's edge, print beside the zone) is left out. The second result
// is false when too few characters are sure.
func refit(rows []glance, r reading) ([]ocr.Strip, bool) {
	out := make([]ocr.Strip, len(rows))
	for i, g := range rows {
		left, right, ok := lineEnds(g, r.glyphs[i])
		if !ok {
			return nil, false
		}
		n := float64(len(r.glyphs[i]))
		pitch := (right - left) / n
		a, b := g.strip.At(left, 0), g.strip.At(right, 0)
		out[i] = ocr.Between(a, b, ocr.CropHeight*pitch, g.strip.Score)
	}
	return out, true
}

// lineEnds are where a line begins and ends along its strip. Perspective squeezes one end of a line, so that each end is
// told by the third of the characters that is nearest to it.
func lineEnds(g glance, glyphs []glyph) (left, right float64, ok bool) {
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

// lineStart fits place = start + pitch·index to the characters that are sure; first is the index of the first.
func lineStart(g glance, glyphs []glyph, first int) (start, pitch float64, ok bool) {
	var at, index []float64
	for i, c := range glyphs {
		if c.conf >= refitSure {
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

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// tighten reads the lines of a reading again from crops that hold them alone, and keeps the surer reading.
func (z *zone) tighten(ctx context.Context, own crnn, img *imaging.Photo, r reading) (reading, []ocr.Strip, error) {
	rows := z.rows[r.from : r.from+len(r.lines)]
	lines, ok := refit(rows, r)
	if !ok {
		lines = make([]ocr.Strip, len(rows))
		for i, g := range rows {
			lines[i] = level(g)
		}
		z.rows = rows
		r.weigh(framesOf(rows))
		return r, lines, nil
	}
	again := make([]glance, len(lines))
	for i, s := range lines {
		pitch := s.Length / float64(len(r.lines[i]))
		s.Length += 2 * ocr.CropMargin * pitch
		g, err := look(ctx, own, img, s)
		if err != nil {
			return r, nil, err
		}
		again[i] = g
	}
	z.rows = rows
	z.pitch = lines[0].Length / math.Max(1, float64(len(r.lines[0])))
	second, ok := holdTo(r.format, framesOf(again))
	if ok && second.confidence() >= r.confidence() {
		z.rows, r = again, second
	}
	r.weigh(framesOf(z.rows))
	r.from = 0
	return r, lines, nil
}

func framesOf(rows []glance) []frames {
	out := make([]frames, len(rows))
	for i, g := range rows {
		out[i] = g.frames
	}
	return out
}
