package optical

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// A second look at what lies beside the page of the zone that was found. The zone of the document that is meant can be
// the harder one to read: a stamp lies across it, and that of another card is read instead. Its glyphs stand at one pitch between the
// strokes of the stamp, and through them where only what is as dark as print is looked at.
const (
	besideGlyphs = 8    // glyphs that make a chain there: as many as a stamp leaves on either side of it
	besideMost   = 24   // chains that are read, those first that can be of lines as long as the zone's, and of these those of most glyphs
	besideSure   = 0.9  // how sure and even a row is that can be a part of a machine-readable line
	besideLong   = 20   // characters of one that needs no fillers
	besideRoom   = 2.0  // millimetres round the page that are still its own
	besideLines  = 3.0  // pitches between two lines of a zone, at most
	besideTight  = 1.7  // and at least, seen from the side
	besideFar    = 44.0 // characters of the longest line that a row can be part of
)

// besides counts rows of other documents' zones that were not read as whole ones.
func (z *zone) besides(rows []glance) {
	for _, g := range rows {
		if !z.near(g.strip) {
			z.others++
			z.rivals = append(z.rivals, besideFar*g.pitch)
		}
	}
}

// against counts zones of other documents, which are whole: the larger counts, but only a line that is so much longer is surely
// of the larger document.
func (z *zone) against(others []*zone) {
	for _, o := range others {
		if o != z {
			z.others++
			z.rivals = append(z.rivals, zoneLarger*o.long())
		}
	}
}

// long is how long its lines are, in pixels.
func (z *zone) long() float64 { return z.characters() * z.pitch }

// doubtful reports whether it is not clear that this zone is that of the document that is meant: another's lines are about as
// long, or could be, where they were not read as a whole.
func (z *zone) doubtful() bool {
	return slices.ContainsFunc(z.rivals, func(long float64) bool { return long >= z.long() })
}

// beside looks for zones of other documents, and gives the one that counts: the largest that is whole. What it had to leave
// unread may be another's.
func (z *zone) beside(ctx context.Context, r crnn, img *imaging.Photo) (*zone, error) {
	rows, all := z.rowsBeside(img)
	n := neighbours{rows: rows, blind: !all, found: []*zone{z}}
	looks := 0
	for _, w := range n.rows {
		switch {
		case n.knows(w):
		case looks == besideMost:
			n.unread = append(n.unread, w)
		default:
			looks++
			if err := n.look(ctx, r, img, w); err != nil {
				return nil, err
			}
		}
	}
	return n.largest(), nil
}

// neighbours are what was found besides a zone.
type neighbours struct {
	rows   []ocr.Row // all runs of glyphs
	blind  bool      // looking for them was given up
	unread []ocr.Row // those that were not looked at, for there were too many
	found  []*zone   // that zone, and others that are whole
	parts  []glance  // rows that are parts of machine-readable lines
	plain  []glance  // … and rows that can be, where another lies beside them
}

// knows reports whether a row lies on a zone that was found, or was looked at as a part of a longer one.
func (n *neighbours) knows(w ocr.Row) bool {
	return slices.ContainsFunc(n.found, func(z *zone) bool { return z.near(w.Strip) }) ||
		slices.ContainsFunc(slices.Concat(n.parts, n.plain), func(g glance) bool { return g.covers(w) })
}

// look reads a row, and grows a zone round it where it is a part of one.
func (n *neighbours) look(ctx context.Context, r crnn, img *imaging.Photo, w ocr.Row) error {
	g, err := lookEitherWay(ctx, r, img, padded(w.Strip))
	switch {
	case err != nil:
		return err
	case g.quality() < besideSure:
		return nil
	case !g.partly():
		n.plain = append(n.plain, g)
		return nil
	}
	z, err := growZone(ctx, r, img, n.rows, g)
	if err == nil {
		z, err = z.completed(ctx, r, img)
	}
	switch {
	case err != nil:
		return err
	case z.whole():
		n.found = append(n.found, z)
	default:
		n.parts = append(n.parts, g)
	}
	return nil
}

// largest is the zone that counts, the largest: it is of the document that fills most of the picture. Where the first was not
// whole it may have been the larger.
func (n *neighbours) largest() *zone {
	first := n.found[0]
	best := slices.MaxFunc(n.found, func(a, b *zone) int {
		return cmp.Compare(a.rows[0].strip.Length, b.rows[0].strip.Length)
	})
	if best != first {
		best.others, best.rivals = first.others, slices.Clone(first.rivals)
		if !first.whole() {
			best.rivals = append(best.rivals, besideFar*first.pitch)
		}
	}
	best.against(n.found)
	best.besides(slices.DeleteFunc(append(n.parts, stacked(n.plain)...), func(g glance) bool {
		return slices.ContainsFunc(n.found, func(z *zone) bool { return z.near(g.strip) })
	}))
	best.rivals = append(best.rivals, n.unseen()...)
	return best
}

// unseen is how long lines can be of which nothing was read. They are no document that anybody saw, but may be one.
func (n *neighbours) unseen() []float64 {
	var long []float64
	if n.blind {
		long = append(long, math.Inf(1))
	}
	for _, w := range n.unread {
		if !n.knows(w) {
			long = append(long, reach(w))
		}
	}
	return long
}

// reach is how long a line can be that a row is a part of, as far as its glyphs say before they are read.
func reach(w ocr.Row) float64 { return zoneLarger * besideFar * w.Height / ocr.CropHeight }

// covers reports whether a row is a part of the scan, or the same.
func (g glance) covers(r ocr.Row) bool {
	a, d := g.strip.Locate(r.Strip.Centre())
	return math.Abs(a) < g.strip.Length/2 && math.Abs(d) < g.strip.Height/3
}

// stacked are those of some rows that lie as two lines of a zone do.
func stacked(rows []glance) []glance {
	var out []glance
	for i, g := range rows {
		if slices.ContainsFunc(rows[i+1:], g.sisterOf) || slices.ContainsFunc(rows[:i], g.sisterOf) {
			out = append(out, g)
		}
	}
	return out
}

// sisterOf reports whether two rows lie as two lines of a zone do.
func (g glance) sisterOf(o glance) bool {
	a, d := g.strip.Locate(o.strip.Centre())
	d = math.Abs(d) / math.Max(1e-9, g.pitch)
	return ocr.Continues(g.strip, o.strip) && math.Abs(g.pitch-o.pitch) < 0.1*g.pitch &&
		d > besideTight && d < besideLines && math.Abs(a) < (g.strip.Length+o.strip.Length)/2
}

// quality is how surely and evenly a row was read, however short it is.
func (g glance) quality() float64 {
	return g.like / math.Max(1e-9, math.Min(1, float64(len(g.glyphs))/28))
}

// partly reports whether a row that was surely read is a part of a machine-readable line, by its fillers or by its length.
func (g glance) partly() bool {
	return strings.Count(glyphText(g.glyphs), "<") >= zoneOtherFillers || len(g.glyphs) >= besideLong
}

// lookEitherWay reads a strip as it lies and upside down, and gives what was read the more surely.
func lookEitherWay(ctx context.Context, r crnn, img *imaging.Photo, s ocr.Strip) (glance, error) {
	g, err := look(ctx, r, img, s)
	if err != nil || g.quality() >= besideSure && g.partly() && strings.Contains(glyphText(g.glyphs), "<") {
		return g, err
	}
	f, err := look(ctx, r, img, s.Flipped())
	if err != nil || f.quality() > g.quality() {
		return f, err
	}
	return g, nil
}

// rowsBeside are the runs of glyphs that lie off the zone's page: those first that can be parts of lines as long as its own,
// and of these those of most glyphs. It is not all where there is so much that looking for them was given up.
func (z *zone) rowsBeside(img *imaging.Photo) (rows []ocr.Row, all bool) {
	small, scale := img.Halved(quickSide)
	g := small.Gray()
	own := z.page()
	var chains []ocr.Chain
	all = true
	for _, ink := range []ocr.Ink{ocr.PrintInk, ocr.AnyInk} {
		blobs := slices.DeleteFunc(ocr.FindBlobs(g, ink), func(b ocr.Blob) bool { return own(imaging.Point{X: b.X / scale, Y: b.Y / scale}) })
		found, done := z.chainsBeside(blobs, g, scale)
		chains = append(chains, found...)
		all = all && done
	}
	slices.SortStableFunc(chains, func(a, b ocr.Chain) int { return b.Glyphs - a.Glyphs })
	var less []ocr.Row
	for _, c := range chains {
		if w := (ocr.Row{Strip: c.Strip.Scaled(1 / scale)}); reach(w) >= z.long() {
			rows = append(rows, w)
		} else {
			less = append(less, w)
		}
	}
	return append(rows, less...), all
}

// chainsBeside are the runs of some glyphs; where these are too many, of those alone that are as large as the letters of a line as
// long as the zone's: the dots of a cloth are smaller. The answer is whether that was enough.
func (z *zone) chainsBeside(blobs []ocr.Blob, g *imaging.Gray, scale float64) (found []ocr.Chain, all bool) {
	if found, all = ocr.FindChains(blobs, g.W, g.H, besideGlyphs); all {
		return found, true
	}
	letter := z.long() / (zoneLarger * besideFar) / ocr.PitchMost * scale
	return ocr.FindChains(slices.DeleteFunc(blobs, func(b ocr.Blob) bool { return b.Size < letter }), g.W, g.H, besideGlyphs)
}

// page tells whether a place is on the zone's page, as large as the format says and leaned as far as the lines are closer than
// they should be.
func (z *zone) page() func(imaging.Point) bool {
	r, _ := z.read()
	size, ok := zonePages[r.format]
	if !ok {
		size = zonePages[mrz.TD1]
	}
	n := len(z.rows)
	last := z.rows[n-1].strip
	mm := z.pitch / pitchMillimetres
	tall := mm
	if n > 1 {
		_, d := last.Locate(z.rows[0].strip.Centre())
		tall = math.Abs(d) / float64(n-1) / (ocr.LineSpacing * pitchMillimetres)
	}
	aside, above, below := (size[0]/2+besideRoom)*mm, (size[1]-size[2]+besideRoom)*tall, (size[2]+besideRoom)*tall
	return func(p imaging.Point) bool {
		a, d := last.Locate(p)
		return math.Abs(a) < aside && d < below && d > -above
	}
}
