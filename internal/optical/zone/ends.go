package zone

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How the ends of a zone are found where its rows make no whole lines.
const (
	widenPitches = 8.0  // pitches by which all rows are lengthened at both ends at a time
	widenTimes   = 4    // times that they are
	widenLongest = 64.0 // pitches of the longest row that is read
	endNear      = 1.6  // pitches from a crop's end within which a character says that the line goes on
	endSure      = 0.5  // confidence of such a character
	windowMost   = 3    // places of a format along the rows that are read
	windowBeyond = 3.0  // characters right beyond an end that make a row longer, and the pitches within which they are
	windowGoesOn = 0.9  // confidence of such a character
	windowMiss   = 0.5  // cost of a place without a character, in characters that are sure
)

// completed returns the zone with its ends where its lines end: rows that were seen in part are followed as far as characters go,
// and what is beside the lines (the page's edge, the desk) is left out. It returns z itself where that is no better.
func (s scanner) completed(ctx context.Context, z *Zone) (*Zone, error) {
	var wide *Zone
	return untilWhole.improve(z,
		func() (_ *Zone, err error) { wide, err = s.widened(ctx, z); return wide, err },
		func() (*Zone, error) { return s.windowed(ctx, wide) },
		func() (*Zone, error) { return s.windowed(ctx, z) },
	)
}

// widened returns the zone with its rows lengthened at both ends, as long as there are characters. It is nil where the rows cannot
// be read there.
func (s scanner) widened(ctx context.Context, z *Zone) (*Zone, error) {
	wide := z
	for range widenTimes {
		lines := make([]ocr.Strip, len(wide.rows))
		for i, g := range wide.rows {
			lines[i] = g.line()
			lines[i].Length = math.Min(lines[i].Length+2*widenPitches*z.pitch, math.Max(lines[i].Length, widenLongest*z.pitch))
		}
		var err error
		if wide, err = s.recut(ctx, z, lines); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(wide.rows, func(g scan) bool { return g.pitch == 0 }) {
			return nil, nil //nolint:nilnil // no line there, which is no failure
		}
		if !slices.ContainsFunc(wide.rows, func(g scan) bool { return g.reachesEnd() && g.strip.Length < (widenLongest-1)*z.pitch }) {
			break
		}
	}
	return s.aligned(ctx, wide)
}

// reachesEnd reports whether a sure character is at either end of the crop.
func (g scan) reachesEnd() bool {
	half := g.strip.Length/2 - endNear*g.pitch
	for _, c := range g.glyphs {
		if c.conf >= endSure && math.Abs(g.place(c)) > half {
			return true
		}
	}
	return false
}

// window is where the lines of a format may be along the rows.
type window struct {
	from, to float64 // along the rows, from their middle
	score    float64
}

// windowed returns the zone with its rows cut where the lines of a format fit their characters best: most of them inside, few
// outside. It is nil where no format fits, or z is nil.
func (s scanner) windowed(ctx context.Context, z *Zone) (*Zone, error) {
	if z == nil {
		return nil, nil //nolint:nilnil // nothing to cut
	}
	var looks []func() (*Zone, error)
	for _, w := range z.windows() {
		lines := make([]ocr.Strip, len(z.rows))
		for i, g := range z.rows {
			line := g.strip
			m := line.At((w.from+w.to)/2, 0)
			line.X, line.Y, line.Length, line.Height = m.X, m.Y, w.to-w.from, ocr.CropHeight*z.pitch
			lines[i] = margined(line, z.pitch)
		}
		looks = append(looks, func() (*Zone, error) { return s.recut(ctx, z, lines) })
	}
	return untilWhole.improve(nil, looks...)
}

// windows returns the likeliest places of lines of each length, the best first.
func (z *Zone) windows() []window {
	var all []window
	widths := map[int]bool{}
	for _, f := range mrz.Formats() {
		lines, width := f.Shape()
		if lines > len(z.rows) || widths[width] {
			continue
		}
		widths[width] = true
		var own []window
		for _, g := range z.rows {
			for _, c := range g.glyphs {
				from := g.place(c) - z.pitch/2
				w := window{from: from, to: from + float64(width)*z.pitch}
				w.score = z.scoreOf(w, width)
				own = append(own, w)
			}
		}
		slices.SortStableFunc(own, func(a, b window) int { return cmp.Compare(b.score, a.score) })
		for _, w := range own {
			if !slices.ContainsFunc(all, func(o window) bool { return o.same(w, z.pitch) }) {
				all = append(all, w)
				break // the best of each length is enough: its neighbours are the same lines, less well cut
			}
		}
	}
	slices.SortStableFunc(all, func(a, b window) int { return cmp.Compare(b.score, a.score) })
	if fit := slices.DeleteFunc(slices.Clone(all), z.goesOnBeyond); len(fit) > 0 {
		all = fit
	}
	return all[:min(len(all), windowMost)]
}

// goesOnBeyond reports whether a row has several characters right beyond either end of a window, which then holds only a part of
// longer lines.
func (z *Zone) goesOnBeyond(w window) bool {
	for _, g := range z.rows {
		left, right := 0, 0
		for _, c := range g.glyphs {
			p := g.place(c)
			switch {
			case c.conf < windowGoesOn:
			case p < w.from && p > w.from-windowBeyond*z.pitch:
				left++
			case p > w.to && p < w.to+windowBeyond*z.pitch:
				right++
			}
		}
		if max(left, right) >= int(windowBeyond) {
			return true
		}
	}
	return false
}

// same reports whether two windows differ by less than half a character at both ends.
func (w window) same(o window, pitch float64) bool {
	return math.Abs(w.from-o.from) < pitch/2 && math.Abs(w.to-o.to) < pitch/2
}

// scoreOf returns the number of sure characters inside a window, less those outside and a part of those that are missing.
func (z *Zone) scoreOf(w window, width int) float64 {
	sum := 0.0
	for _, g := range z.rows {
		in := 0
		for _, c := range g.glyphs {
			sure := math.Max(0, 2*c.conf-1)
			if p := g.place(c); p > w.from && p < w.to {
				sum += sure
				in++
			} else {
				sum -= sure
			}
		}
		sum -= windowMiss * math.Abs(float64(width-in))
	}
	return sum
}
