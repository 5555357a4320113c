package optical

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// When a zone is wholly in view. Its check digits cover neither names nor how long its lines are: an MRV-A visa that is cut
// off after 36 characters is an MRV-B visa whose check digits pass.
const (
	viewRoom   = 1.2  // pitches beyond the lines of what can be part of a larger format that must be in view, and empty
	viewInside = 0.35 // pitches of an outermost character that may be out of view on any
	viewLook   = 6.0  // pitches beyond the lines that are read in search of more characters
	viewNear   = 2.2  // pitches beyond a line within which a character says that it goes on
	viewSure   = 0.5  // confidence of such a character
	viewPaper  = 0.3  // of the contrast of ink on paper, by which the paper beyond a line may differ from that within
	viewTight  = 0.45 // of the pitch, by which neighbouring characters must be apart: closer, one of them was made up
	viewLoose  = 1.75 // … and may be: farther, one was lost
)

// wholly reports whether all of the zone is in view: its characters stand within the picture, and where a larger format has
// more of them, there is empty paper. lines are those of the reading, from end to end of their characters.
func (w *work) wholly(ctx context.Context, r reading, lines []ocr.Strip) (bool, error) {
	part := partOfLarger(r.format)
	room := -viewInside
	if part {
		room = viewRoom
	}
	for i, s := range lines {
		if !w.inView(s, len(r.glyphs[i]), room) {
			return false, nil
		}
	}
	if !part {
		return true, nil
	}
	for i, s := range lines {
		alone, err := w.alone(ctx, s, len(r.glyphs[i]))
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

// evenly reports whether the characters of all lines stand about a pitch apart, as neighbours do. Where they do not, one was
// made up, or one was lost, to reach the number that the format has.
func (r reading) evenly(rows []glance) bool {
	for i, glyphs := range r.glyphs {
		if !evenly(rows[i], glyphs) {
			return false
		}
	}
	return true
}

// evenly reports whether neighbours are a pitch apart, about.
func evenly(g glance, glyphs []glyph) bool {
	gaps := make([]float64, 0, len(glyphs))
	for i := 1; i < len(glyphs); i++ {
		gaps = append(gaps, g.place(glyphs[i])-g.place(glyphs[i-1]))
	}
	pitch := median(gaps)
	return !slices.ContainsFunc(gaps, func(v float64) bool { return !(v >= viewTight*pitch && v <= viewLoose*pitch) })
}

// inView reports whether a line of n characters is within the picture, with so many pitches beyond both of its ends.
func (w *work) inView(s ocr.Strip, n int, room float64) bool {
	pitch := s.Length / float64(max(1, n))
	s.Length += 2 * room * pitch
	s.Height = ocr.CapHeight * pitch
	for _, p := range s.Quad() {
		if !(p.X >= 0 && p.Y >= 0 && p.X <= float64(w.img.W) && p.Y <= float64(w.img.H)) {
			return false
		}
	}
	return true
}

// alone reports whether beyond both ends of a line of n characters there is paper, and no further character.
func (w *work) alone(ctx context.Context, s ocr.Strip, n int) (bool, error) {
	pitch := s.Length / float64(max(1, n))
	half := s.Length / 2
	wide := s
	wide.Length += 2 * viewLook * pitch
	g, err := look(ctx, w.models.zone.first, w.img, wide)
	if err != nil {
		return false, err
	}
	for _, c := range g.glyphs {
		if a := math.Abs(g.place(c)) - half; c.conf >= viewSure && a > pitch/4 && a < viewNear*pitch {
			return false, nil
		}
	}
	return w.onPaper(s, -1, pitch) && w.onPaper(s, 1, pitch), nil
}

// onPaper reports whether the place of the next character beyond an end, -1 or 1, is as light as the paper round the last
// ones: a thumb or the desk is not.
func (w *work) onPaper(s ocr.Strip, end, pitch float64) bool {
	shades := func(from, to float64) []uint8 { // in pitches from the end of the line, outwards
		c := s
		m := s.At(end*(s.Length/2+(from+to)/2*pitch), 0)
		c.X, c.Y, c.Length, c.Height = m.X, m.Y, (to-from)*pitch, ocr.CropHeight*pitch
		return slices.Sorted(slices.Values(w.img.WarpGray(c.Quad(), int(16*(to-from)), 24).Pix))
	}
	within, beyond := shades(-2, 0), shades(.2, 1.2)
	ink, paper := float64(within[len(within)/20]), float64(within[3*len(within)/4])
	return math.Abs(float64(beyond[len(beyond)/2])-paper) <= viewPaper*(paper-ink)
}
