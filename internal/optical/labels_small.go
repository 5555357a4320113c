package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Labels are often set half as high as the values beside them. One crop round both shows the label too small to be read.
const (
	smallMost  = 0.82 // a label is at most so many times as high as what stands behind it,
	smallLeast = 0.25 // and at least so many: what is lower is no print
	smallPaper = 0.4  // of its height, added above and below
	smallSure  = 0.7  // the mean confidence from which it counts
	inkEdge    = 0.04 // the part of the ink that lies above its top, and below its foot: marks, descenders, dirt
)

// readSmallLabels reads what stands before larger print on its line once more, from a crop of its own. It counts where it is a
// label, and was read more surely than before.
func (w printedText) readSmallLabels(ctx context.Context, lines []line) error {
	return each(ctx, len(lines), func(ctx context.Context, i int) error {
		l := lines[i]
		crop := ocr.CropGray(w.img, l.strip)
		for k, c := range slices.Backward([]rune(l.text)) {
			if c != ' ' || k == 0 || k+1 >= len(l.at) {
				continue
			}
			x := (l.at[k-1] + l.at[k+1]) / 2
			s, ok := smallBefore(l.strip, crop, x)
			if !ok {
				continue
			}
			p, err := w.readerOf(l).readText(ctx, w.img, s)
			if err != nil {
				return err
			}
			if p.conf >= max(smallSure, mean(l.chars[:k])) && len([]rune(p.text)) >= k-1 && reading.Labelled(p.text) {
				lines[i] = l.beginning(k, p, x)
			}
			return nil
		}
		return nil
	})
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(max(1, len(all)))
}

// smallBefore is the strip round the print left of x, a part of the line's length, where that is clearly lower than what is
// right of it.
func smallBefore(s ocr.Strip, crop *imaging.Gray, x float64) (ocr.Strip, bool) {
	at := int(x * float64(crop.W))
	top, foot := inkRows(crop, 0, at)
	top2, foot2 := inkRows(crop, at, crop.W)
	small, tall := float64(foot-top), float64(foot2-top2)
	if tall == 0 || small > smallMost*tall || small < smallLeast*tall {
		return s, false
	}
	step := s.Height / float64(crop.H)
	m := s.At((x-1)/2*s.Length, ((float64(top+foot))/2-float64(crop.H)/2)*step)
	s.X, s.Y, s.Length, s.Height = m.X, m.Y, x*s.Length, small*step*(1+2*smallPaper)
	return s, true
}

// inkRows is between which rows the dark print of some columns lies.
func inkRows(g *imaging.Gray, from, to int) (top, foot int) {
	paper, ink, ok := shades(g, from, to)
	if !ok {
		return 0, 0
	}
	rows, all := make([]int, g.H), 0
	for y := range g.H {
		for _, v := range g.Pix[y*g.W+from : y*g.W+to] {
			if 2*int(v) < paper+ink {
				rows[y]++
				all++
			}
		}
	}
	seen := 0
	for y, n := range rows {
		if float64(seen) <= inkEdge*float64(all) && float64(seen+n) > inkEdge*float64(all) {
			top = y
		}
		if float64(seen) < (1-inkEdge)*float64(all) && float64(seen+n) >= (1-inkEdge)*float64(all) {
			foot = y + 1
		}
		seen += n
	}
	return top, foot
}

// shades are the middle and nearly the darkest grey of some columns.
func shades(g *imaging.Gray, from, to int) (paper, ink int, ok bool) {
	var counts [256]int
	n := max(0, to-from) * g.H
	for y := range g.H {
		for _, v := range g.Pix[y*g.W+from : y*g.W+max(from, to)] {
			counts[v]++
		}
	}
	below := 0
	for v, count := range counts {
		if below <= n/50 {
			ink = v
		}
		if below <= n/2 {
			paper = v
		}
		below += count
	}
	return paper, ink, n > 0
}

// beginning is the line with another reading of its first characters, which end at x, a part of its length.
func (l line) beginning(n int, p printed, x float64) line {
	var at []float64
	for _, v := range p.at {
		at = append(at, v*x)
	}
	runes := slices.Concat([]rune(p.text), []rune(l.text)[n:])
	all := printed{chars: slices.Concat(p.chars, l.chars[n:]), at: slices.Concat(at, l.at[n:])}.of(runes)
	l.text, l.conf, l.least, l.chars, l.at = all.text, all.conf, all.least, all.chars, all.at
	return l
}
