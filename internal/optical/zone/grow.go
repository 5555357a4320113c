package zone

import (
	"context"
	"math"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How the other lines of a zone are found, given one.
const (
	linesLeast  = 1.15 // lines are apart by at least this many pitches,
	linesMost   = 4.0  // and at most this many
	pitchOff    = 0.15 // the pitches of two lines differ by at most this part
	extendMost  = 0.45 // common ends lengthen a row by at most this part of it where no row is sure
	wholeLength = 0.8  // a line of this part of the common length was seen as a whole
)

// grow returns the zone round a row: its sisters above and below, with common ends. rows are the runs of text or of glyphs in the
// picture.
func (s scanner) grow(ctx context.Context, rows []ocr.Row, anchor scan) (*Zone, error) {
	base := anchor.line()
	found := map[int]scan{0: anchor}
	for _, side := range [2]int{-1, 1} {
		from, apart := base, ocr.LineSpacing*anchor.pitch
		for k := 1; k <= 2; k++ {
			g, ok, err := s.sister(ctx, rows, from, float64(side)*apart, anchor.pitch)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			found[side*k] = g
			next := g.line()
			_, d := from.Locate(next.Centre())
			from, apart = next, math.Abs(d)
		}
	}
	return s.aligned(ctx, &Zone{pitch: anchor.pitch, rows: likeliestRun(found)})
}

// sister returns the line at about the given distance below another (above, where negative): a row that was found there, else what
// is read where the line must be.
func (s scanner) sister(ctx context.Context, rows []ocr.Row, from ocr.Strip, apart, pitch float64) (scan, bool, error) {
	var best scan
	try := func(strip ocr.Strip) error {
		if strip.UX*from.UX+strip.UY*from.UY < 0 {
			strip = strip.Flipped()
		}
		g, err := s.scan(ctx, strip)
		if err == nil && g.likeness > best.likeness {
			best = g
		}
		return err
	}
	for _, w := range rows {
		a, d := from.Locate(w.Strip.Centre())
		if !ocr.Continues(from, w.Strip) || d*apart < 0 || math.Abs(d) < linesLeast*pitch || math.Abs(d) > linesMost*pitch {
			continue
		}
		if math.Abs(a) > (from.Length+w.Length)/2 || w.Length < 4*w.Height {
			continue
		}
		strip := padded(w.Strip)
		strip.Height = from.Height // lines of one zone are equally high, however closely a box fits them
		if err := try(strip); err != nil {
			return scan{}, false, err
		}
	}
	if best.likeness < sisterLikeness {
		strip := from
		m := from.At(0, apart)
		strip.X, strip.Y = m.X, m.Y
		if err := try(margined(strip, pitch)); err != nil {
			return scan{}, false, err
		}
	}
	ok := best.likeness >= sisterLikeness && math.Abs(best.pitch-pitch) < pitchOff*pitch
	return best, ok, nil
}

// padded adds a little paper at both ends of a box, which fits its print.
func padded(s ocr.Strip) ocr.Strip {
	s.Length += s.Height
	return s
}

// likeliestRun returns the run of two or three neighbouring rows that is likeliest as a whole.
func likeliestRun(found map[int]scan) []scan {
	lo, hi := 0, 0
	for found[lo-1].likeness > 0 {
		lo--
	}
	for found[hi+1].likeness > 0 {
		hi++
	}
	for hi-lo > 2 { // four or five: the less likely of the outer rows is none
		if found[lo].likeness < found[hi].likeness {
			lo++
		} else {
			hi--
		}
	}
	var out []scan
	for k := lo; k <= hi; k++ {
		out = append(out, found[k])
	}
	return out
}

// aligned returns the zone with common ends of its rows, each read again from a crop as the reader was trained.
func (s scanner) aligned(ctx context.Context, z *Zone) (*Zone, error) {
	lines := make([]ocr.Strip, len(z.rows))
	sure := false
	for i, g := range z.rows {
		lines[i] = g.line()
		sure = sure || g.likeness >= sureLikeness
	}
	alignEnds(lines, sure)
	for i := range lines {
		lines[i] = margined(lines[i], z.pitch)
	}
	return s.recut(ctx, z, lines)
}

// alignEnds lengthens each line to where the outermost of all begins and ends: by a part of its length at most, unless one of them
// is surely a machine-readable line, which leaves no doubt about the length of the others.
func alignEnds(lines []ocr.Strip, sure bool) {
	if len(lines) == 0 {
		return
	}
	base := lines[0]
	for _, s := range lines {
		if s.Length > base.Length {
			base = s
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range lines {
		a, _ := base.Locate(s.Centre())
		lo, hi = math.Min(lo, a-s.Length/2), math.Max(hi, a+s.Length/2)
	}
	for i, s := range lines {
		a, _ := base.Locate(s.Centre())
		l, h := lo, hi
		if most := extendMost * s.Length; !sure {
			l, h = math.Max(lo, a-s.Length/2-most), math.Min(hi, a+s.Length/2+most)
		}
		// A line that was seen as a whole keeps its own slope; the slope of a part does not reach far.
		if s.Length < wholeLength*(h-l) {
			s.UX, s.UY = base.UX, base.UY
		}
		m := s.At((l+h)/2-a, 0)
		lines[i] = ocr.Strip{X: m.X, Y: m.Y, UX: s.UX, UY: s.UY, Length: h - l, Height: s.Height, Score: s.Score}
	}
}
