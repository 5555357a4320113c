package text

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// A large word printed across a page, a stamp, or a signature makes the detector see the line under it as a taller one: its box
// holds a piece of the large print, and the line in it is small. Such print is mostly coloured.
const (
	tallRow   = 1.35 // times as tall as most lines of the page
	tallLines = 6    // lines that a page has for that to mean anything
	doubtful  = 0.5  // the confidence at which a character says as much for a reading as against it
)

// tallShifts are where in a tall box the line may lie, in its own heights from the middle.
var tallShifts = [...]float64{0, -0.25, 0.25}

// ReadOverprinted reads a line whose box is taller than the page's others once more, as high as those usually are, in pixels, and without what is
// coloured. What was read more surely counts: a heading, which is really as tall, is not. A line that was read so has another strip, and no box.
func (n *Readers) ReadOverprinted(ctx context.Context, img *imaging.Photo, l Line, usual float64) (Line, error) {
	if l.Text == "" || l.Strip.Height < tallRow*usual {
		return l, nil
	}
	out, best := l, weightOf(l.Chars)
	for _, shift := range tallShifts {
		s := l.Strip
		m := s.At(0, shift*usual)
		s.X, s.Y, s.Height = m.X, m.Y, usual
		p, err := n.readerOf(l).readCrop(ctx, brightest(ocr.Crop(img, s)))
		if err != nil {
			return Line{}, err
		}
		if sure := weightOf(p.Chars); sure > best {
			best = sure
			out = Line{Reading: p, Strip: s, Other: l.Other, toned: l.toned}
		}
	}
	return out, nil
}

// MiddleHeight is the median height in pixels of the lines that were read, 0 for too few.
func MiddleHeight(lines []Line) float64 {
	var all []float64
	for _, l := range lines {
		if l.Text != "" && l.Strip.Length > 2*l.Strip.Height {
			all = append(all, l.Strip.Height)
		}
	}
	if len(all) < tallLines {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// weightOf is how much the characters of a reading say for it: many sure ones more than few.
func weightOf(chars []float64) float64 {
	sum := 0.0
	for _, c := range chars {
		sum += c - doubtful
	}
	return sum
}

// brightest is the strongest of each pixel's colours: black stays black, and red or blue ink fades into the paper.
func brightest(p *imaging.RGB) *imaging.Gray {
	out := imaging.NewGray(p.W, p.H)
	for i := range out.Pix {
		out.Pix[i] = max(p.Pix[3*i], p.Pix[3*i+1], p.Pix[3*i+2])
	}
	return out
}
