package optical

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How the ends of a zone are found where its rows make no whole lines.
const (
	zoneWiden    = 8.0  // pitches by which all rows are lengthened at both ends at a time
	zoneWidenMax = 4    // times
	zoneLongest  = 64.0 // pitches of the longest row that is read
	endNear      = 1.6  // pitches from a crop's end within which a character says that the line goes on
	endSure      = 0.5  // confidence of such a character
	windowMost   = 3    // places of a format along the rows that are read
	windowBeyond = 3.0  // characters right beyond an end that make a row longer, and the pitches within which they are
	windowGoesOn = 0.9  // confidence of such a character
	windowMiss   = 0.5  // what a place without a character costs, in characters that are sure
)

// completed is the zone with its ends where its lines end: rows that were seen in part are followed as far as characters
// go, and what is beside the lines (the page's edge, what lies beyond) is left out. It is the zone itself where that is
// no better.
func (z *zone) completed(ctx context.Context, r crnn, img *imaging.Photo) (*zone, error) {
	if z.whole() {
		return z, nil
	}
	wide, err := z.widened(ctx, r, img)
	if err != nil {
		return nil, err
	}
	best := z
	if wide != nil && wide.better(best) {
		best = wide
	}
	if best.whole() {
		return best, nil
	}
	for _, from := range []*zone{wide, z} {
		if from == nil {
			continue
		}
		cut, err := from.windowed(ctx, r, img)
		if err != nil {
			return nil, err
		}
		if cut != nil && cut.better(best) {
			best = cut
		}
		if best.whole() {
			break
		}
	}
	return best, nil
}

// better reports whether rows are read better than others of the same zone.
func (z *zone) better(than *zone) bool {
	before, ok := than.read()
	after, ok2 := z.read()
	return ok2 && (!ok || z.whole() || after.score > before.score)
}

// widened looks for characters beyond the ends of all rows, as long as there are some. It is nil where the rows cannot
// be read there.
func (z *zone) widened(ctx context.Context, r crnn, img *imaging.Photo) (*zone, error) {
	wide := &zone{pitch: z.pitch, others: z.others, rivals: z.rivals, rows: slices.Clone(z.rows)}
	for range zoneWidenMax {
		goesOn := false
		for i, g := range wide.rows {
			s := level(g)
			s.Length = math.Min(s.Length+2*zoneWiden*z.pitch, math.Max(s.Length, zoneLongest*z.pitch))
			w, err := look(ctx, r, img, s)
			if err != nil {
				return nil, err
			}
			if w.pitch == 0 {
				return nil, nil //nolint:nilnil // no line there, which is no failure
			}
			wide.rows[i] = w
			goesOn = goesOn || w.reachesEnd() && s.Length < (zoneLongest-1)*z.pitch
		}
		if !goesOn {
			break
		}
	}
	return wide, wide.align(ctx, r, img)
}

// reachesEnd reports whether a sure character stands at either end of the crop.
func (g glance) reachesEnd() bool {
	half := g.strip.Length/2 - endNear*g.pitch
	for _, c := range g.glyphs {
		if c.conf >= endSure && math.Abs(g.place(c)) > half {
			return true
		}
	}
	return false
}

// window is where the lines of a format may lie along the rows.
type window struct {
	from, to float64 // along the rows, from their middle
	score    float64
}

// windowed cuts the rows where the lines of a format lie best among their characters: with most of them inside and few
// outside. It is nil where no format fits.
func (z *zone) windowed(ctx context.Context, r crnn, img *imaging.Photo) (*zone, error) {
	var best *zone
	for _, w := range z.windows() {
		cut := &zone{pitch: z.pitch, others: z.others, rivals: z.rivals}
		for _, g := range z.rows {
			s := g.strip
			m := s.At((w.from+w.to)/2, 0)
			s.X, s.Y, s.Length = m.X, m.Y, w.to-w.from+2*ocr.CropMargin*z.pitch
			s.Height = ocr.CropHeight * z.pitch
			seen, err := look(ctx, r, img, s)
			if err != nil {
				return nil, err
			}
			cut.rows = append(cut.rows, seen)
		}
		if best == nil || cut.better(best) {
			best = cut
		}
		if best.whole() {
			break
		}
	}
	return best, nil
}

// windows are the likeliest places of lines of each length, the best first.
func (z *zone) windows() []window {
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
				w.score = z.inside(w, width)
				own = append(own, w)
			}
		}
		slices.SortStableFunc(own, func(a, b window) int { return cmp.Compare(b.score, a.score) })
		for _, w := range own {
			if !slices.ContainsFunc(all, func(o window) bool { return o.beside(w, z.pitch) }) {
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

// goesOnBeyond reports whether a row has characters right beyond either end of a window, one after the other: it is a part
// of longer lines.
func (z *zone) goesOnBeyond(w window) bool {
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

// beside reports whether two windows are the same but for half a character.
func (w window) beside(o window, pitch float64) bool {
	return math.Abs(w.from-o.from) < pitch/2 && math.Abs(w.to-o.to) < pitch/2
}

// inside counts the sure characters inside a window, less those outside and those missing.
func (z *zone) inside(w window, width int) float64 {
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
