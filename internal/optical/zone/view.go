package zone

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// When a zone is wholly in view. Its check digits cover neither names nor the length of its lines: an MRV-A visa that is cut off
// after 36 characters is an MRV-B visa whose check digits pass.
const (
	viewRoom   = 1.2  // pitches beyond lines that can be part of a larger format, which must be in view and empty
	viewInside = 0.35 // pitches of an outermost character that may be out of view on any other
	viewLook   = 6.0  // pitches beyond the lines that are read in search of more characters
	viewNear   = 2.2  // pitches beyond a line within which a character says that it goes on
	viewSure   = 0.5  // confidence of such a character
	viewPaper  = 0.3  // part of the contrast of ink on paper by which the paper beyond a line may differ from that within
	gapLeast   = 0.45 // least distance of neighbouring characters, in pitches: closer, one of them was made up
	gapMost    = 1.75 // … and most: farther, one was lost
)

// inView reports whether all of the zone is in view: its characters are within the picture, and where a larger format has more of
// them, there is empty paper. lines are those of the decoding, from end to end of their characters.
func (s scanner) inView(ctx context.Context, d decoding, lines []ocr.Strip) (bool, error) {
	part := partOfLarger(d.format)
	room := -viewInside
	if part {
		room = viewRoom
	}
	for i, line := range lines {
		if !s.lineInView(line, len(d.glyphs[i]), room) {
			return false, nil
		}
	}
	if !part {
		return true, nil
	}
	for i, line := range lines {
		alone, err := s.isolated(ctx, line, len(d.glyphs[i]))
		if err != nil || !alone {
			return false, err
		}
	}
	return true, nil
}

// partOfLarger reports whether the lines of a format can be parts of those of another.
func partOfLarger(f mrz.Format) bool {
	lines, width := f.Shape()
	return slices.ContainsFunc(mrz.Formats(), func(o mrz.Format) bool {
		n, wide := o.Shape()
		return n >= lines && wide > width && o.SharesCodes(f)
	})
}

// evenlySpaced reports whether the characters of all lines are about a pitch apart. Where they are not, one was made up or lost to
// reach the number that the format has.
func (d decoding) evenlySpaced(rows []scan) bool {
	for i, glyphs := range d.glyphs {
		if !rows[i].evenlySpaced(glyphs) {
			return false
		}
	}
	return true
}

// evenlySpaced reports whether neighbours among the glyphs of a line are about a pitch apart.
func (g scan) evenlySpaced(glyphs []glyph) bool {
	gaps := make([]float64, 0, len(glyphs))
	for i := 1; i < len(glyphs); i++ {
		gaps = append(gaps, g.place(glyphs[i])-g.place(glyphs[i-1]))
	}
	pitch := median(gaps)
	return !slices.ContainsFunc(gaps, func(v float64) bool { return !(v >= gapLeast*pitch && v <= gapMost*pitch) })
}

// lineInView reports whether a line of n characters is within the picture, with so many pitches beyond both of its ends.
func (s scanner) lineInView(line ocr.Strip, n int, room float64) bool {
	pitch := line.Length / float64(max(1, n))
	line.Length += 2 * room * pitch
	line.Height = ocr.CapHeight * pitch
	for _, p := range line.Quad() {
		if !(p.X >= 0 && p.Y >= 0 && p.X <= float64(s.img.W) && p.Y <= float64(s.img.H)) {
			return false
		}
	}
	return true
}

// isolated reports whether there is paper beyond both ends of a line of n characters, and no further character.
func (s scanner) isolated(ctx context.Context, line ocr.Strip, n int) (bool, error) {
	pitch := line.Length / float64(max(1, n))
	half := line.Length / 2
	wide := line
	wide.Length += 2 * viewLook * pitch
	g, err := s.scan(ctx, wide)
	if err != nil {
		return false, err
	}
	for _, c := range g.glyphs {
		if a := math.Abs(g.place(c)) - half; c.conf >= viewSure && a > pitch/4 && a < viewNear*pitch {
			return false, nil
		}
	}
	return s.paperBeyond(line, -1, pitch) && s.paperBeyond(line, 1, pitch), nil
}

// paperBeyond reports whether the place of the next character beyond an end, -1 or 1, is as light as the paper round the last ones:
// a thumb or the desk is not.
func (s scanner) paperBeyond(line ocr.Strip, end, pitch float64) bool {
	shades := func(from, to float64) []uint8 { // in pitches from the end of the line, outwards
		c := line
		m := line.At(end*(line.Length/2+(from+to)/2*pitch), 0)
		c.X, c.Y, c.Length, c.Height = m.X, m.Y, (to-from)*pitch, ocr.CropHeight*pitch
		return slices.Sorted(slices.Values(s.img.WarpGray(c.Quad(), int(16*(to-from)), 24).Pix))
	}
	within, beyond := shades(-2, 0), shades(.2, 1.2)
	ink, paper := float64(within[len(within)/20]), float64(within[3*len(within)/4])
	return math.Abs(float64(beyond[len(beyond)/2])-paper) <= viewPaper*(paper-ink)
}
