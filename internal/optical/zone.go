package optical

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How a machine-readable zone is found among the rows of a page.
const (
	zoneAspect       = 6.0  // a row this many times as long as high is worth reading
	zoneTries        = 14   // rows that are read in search of the zone, longest first
	zoneAnchor       = 0.45 // likeness at which a row anchors a zone
	zoneSister       = 0.25 // likeness at which a row beside the anchor belongs to it
	zoneSure         = 0.80 // likeness at which hardly anything else is looked at
	zoneOther        = 0.5  // likeness at which a row speaks for a second zone
	zoneLarger       = 1.2  // a line this many times as long is of a larger document
	zoneTurns        = 3    // rows that are then still read upside down
	zoneFillers      = 3    // of a row that is surely one: long names in capitals have none
	zoneOtherFillers = 2    // … and of one that speaks for a second zone
	zoneNear         = 8.0  // pitches round a zone in which no second one can lie
	zoneRoom         = 1.35 // more paper round a row where boxes hug the print
	zoneExtend       = 0.45 // common ends may lengthen a row by at most this part where no row is sure
	zoneLinesLeast   = 1.15 // lines are apart by this many pitches
	zoneLinesMost    = 4.0
	wholeLine        = 0.8 // a line of this part of the common length was seen as a whole
)

// zone is a machine-readable zone as it lies in the picture: its rows from top to bottom, with common ends.
type zone struct {
	rows   []glance
	pitch  float64
	others int       // zones, and rows elsewhere that look like machine-readable lines just as much
	rivals []float64 // how long their lines can be

	best        reading // of these rows, once it is known; see read
	known, some bool
}

// findZone reads the likeliest rows, in both directions, and builds the zone round the best one. It is nil when no row
// looks like a machine-readable line.
func findZone(ctx context.Context, r crnn, img *imaging.Photo, boxes []ocr.Strip) (*zone, error) {
	rows := ocr.JoinRows(boxes, 4)
	anchor, alike, err := findAnchor(ctx, r, img, rows)
	if err != nil || anchor.like < zoneAnchor {
		return nil, err
	}
	z, err := growZone(ctx, r, img, rows, anchor)
	if err == nil && z.promises() {
		z, err = z.completed(ctx, r, img)
	}
	if err != nil {
		return nil, err
	}
	z.besides(alike)
	return z, nil
}

// near reports whether a strip lies on the zone or within a zone's height of it: such a row is of the same document.
func (z *zone) near(s ocr.Strip) bool {
	for _, g := range z.rows {
		a, d := g.strip.Locate(s.Centre())
		if math.Abs(a) < g.strip.Length/2 && math.Abs(d) < zoneNear*z.pitch {
			return true
		}
	}
	return false
}

// findAnchor is the row that looks most like a machine-readable line, in its reading direction, and all rows that surely
// look so.
func findAnchor(ctx context.Context, r crnn, img *imaging.Photo, rows []ocr.Row) (glance, []glance, error) {
	var tries []ocr.Strip
	for _, w := range rows {
		if w.Length >= zoneAspect*w.Height {
			tries = append(tries, w.Strip)
		}
	}
	slices.SortFunc(tries, func(a, b ocr.Strip) int { return cmp.Compare(b.Length, a.Length) })
	tries = tries[:min(len(tries), zoneTries)]
	best, alike, err := searchRows(ctx, r, img, tries)
	if err != nil || best.like >= zoneAnchor {
		return best, alike, err
	}
	// Detected boxes hug the print more or less; where nothing looks right, the crops take in more paper.
	for i := range tries {
		tries[i].Height *= zoneRoom
	}
	return searchRows(ctx, r, img, tries)
}

// searchRows reads rows in both directions. Lines that lie upside down look like lines too, if less so: the likeliest are
// turned over before one is believed.
func searchRows(ctx context.Context, r crnn, img *imaging.Photo, tries []ocr.Strip) (best glance, alike []glance, err error) {
	seen := make([]glance, 0, len(tries))
	for _, s := range tries {
		g, err := look(ctx, r, img, padded(s))
		if err != nil {
			return glance{}, nil, err
		}
		seen = append(seen, g)
	}
	slices.SortStableFunc(seen, func(a, b glance) int { return cmp.Compare(b.like, a.like) })
	turn := len(seen)
	if turn > 0 && seen[0].like >= zoneSure {
		turn = min(turn, zoneTurns)
	}
	for i, g := range seen {
		if i >= turn && (g.like < zoneSure || !larger(g, best)) {
			continue // the smaller of two documents is not turned over
		}
		f, err := look(ctx, r, img, g.strip.Flipped())
		if err != nil {
			return glance{}, nil, err
		}
		if f.like > g.like {
			g, seen[i] = f, f
		}
		if best.like < zoneSure && g.like > best.like || g.like >= zoneSure && larger(g, best) {
			best = g
		}
	}
	for _, g := range seen {
		if g.like >= zoneSure && strings.Count(glyphText(g.glyphs), "<") >= zoneFillers {
			alike = append(alike, g)
		}
	}
	return best, alike, nil
}

// larger reports whether a line is of another document than the best so far, of a larger one: so much longer are not two
// lines of the same.
func larger(g, best glance) bool { return g.strip.Length > zoneLarger*best.strip.Length }

// padded leaves a little paper at both ends, as the reader was trained.
func padded(s ocr.Strip) ocr.Strip {
	s.Length += s.Height
	return s
}

// level cuts the anchor's line anew: to the height its pitch asks for, ends at its characters.
func level(g glance) ocr.Strip {
	s := g.strip
	if lo, hi, ok := g.extent(); ok {
		m := s.At((lo+hi)/2, 0)
		s.X, s.Y, s.Length = m.X, m.Y, hi-lo
	}
	s.Height = ocr.CropHeight * g.pitch
	return s
}

// growZone looks for the anchor's sisters above and below and gives all rows common ends.
func growZone(ctx context.Context, r crnn, img *imaging.Photo, rows []ocr.Row, anchor glance) (*zone, error) {
	base := level(anchor)
	found := map[int]glance{0: anchor}
	for _, side := range [2]int{-1, 1} {
		from, apart := base, ocr.LineSpacing*anchor.pitch
		for k := 1; k <= 2; k++ {
			g, ok, err := sister(ctx, r, img, rows, from, float64(side)*apart, anchor.pitch)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			found[side*k] = g
			next := level(g)
			_, d := from.Locate(next.Centre())
			from, apart = next, math.Abs(d)
		}
	}
	z := &zone{pitch: anchor.pitch, rows: choose(found)}
	return z, z.align(ctx, r, img)
}

// sister is the line at about the given distance below a line (above, where negative): a row that was detected there,
// else the place where it must be.
func sister(ctx context.Context, r crnn, img *imaging.Photo, rows []ocr.Row, from ocr.Strip, apart, pitch float64) (glance, bool, error) {
	var best glance
	try := func(s ocr.Strip) error {
		if s.UX*from.UX+s.UY*from.UY < 0 {
			s = s.Flipped()
		}
		g, err := look(ctx, r, img, s)
		if err == nil && g.like > best.like {
			best = g
		}
		return err
	}
	for _, w := range rows {
		a, d := from.Locate(w.Strip.Centre())
		if !ocr.Continues(from, w.Strip) || d*apart < 0 || math.Abs(d) < zoneLinesLeast*pitch || math.Abs(d) > zoneLinesMost*pitch {
			continue
		}
		if math.Abs(a) > (from.Length+w.Length)/2 || w.Length < 4*w.Height {
			continue
		}
		s := padded(w.Strip)
		s.Height = from.Height // lines of one zone are equally high, however closely a box hugs them
		if err := try(s); err != nil {
			return glance{}, false, err
		}
	}
	if best.like < zoneSister {
		s := from
		m := from.At(0, apart)
		s.X, s.Y = m.X, m.Y
		s.Length += 2 * ocr.CropMargin * pitch
		if err := try(s); err != nil {
			return glance{}, false, err
		}
	}
	ok := best.like >= zoneSister && math.Abs(best.pitch-pitch) < 0.15*pitch
	return best, ok, nil
}

// choose takes the run of two or three neighbouring rows that looks best as a whole.
func choose(found map[int]glance) []glance {
	lo, hi := 0, 0
	for found[lo-1].like > 0 {
		lo--
	}
	for found[hi+1].like > 0 {
		hi++
	}
	for hi-lo > 2 { // four or five: the outer row that looks worse is none
		if found[lo].like < found[hi].like {
			lo++
		} else {
			hi--
		}
	}
	var out []glance
	for k := lo; k <= hi; k++ {
		out = append(out, found[k])
	}
	return out
}

// align gives the rows common ends and reads each once more, cut as the reader was trained.
func (z *zone) align(ctx context.Context, r crnn, img *imaging.Photo) error {
	lines := make([]ocr.Strip, len(z.rows))
	sure := false
	for i, g := range z.rows {
		lines[i] = level(g)
		sure = sure || g.like >= zoneSure
	}
	commonEnds(lines, sure)
	for i, s := range lines {
		s.Length += 2 * ocr.CropMargin * z.pitch
		g, err := look(ctx, r, img, s)
		if err != nil {
			return err
		}
		z.rows[i] = g
	}
	return nil
}

// commonEnds lengthens each line to where the outermost of all begins and ends: by a part of its length at most, unless
// one of them is surely a machine-readable line, which leaves no doubt how long its sisters are.
func commonEnds(lines []ocr.Strip, sure bool) {
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
		if most := zoneExtend * s.Length; !sure {
			l, h = math.Max(lo, a-s.Length/2-most), math.Min(hi, a+s.Length/2+most)
		}
		// A line that was seen as a whole keeps its own slope; the slope of a part does not reach far.
		if s.Length < wholeLine*(h-l) {
			s.UX, s.UY = base.UX, base.UY
		}
		m := s.At((l+h)/2-a, 0)
		lines[i] = ocr.Strip{X: m.X, Y: m.Y, UX: s.UX, UY: s.UY, Length: h - l, Height: s.Height, Score: s.Score}
	}
}
