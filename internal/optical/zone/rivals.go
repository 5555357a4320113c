package zone

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Other documents in the picture. The zone of the one that is meant can be the harder to read: a stamp covers it in part, and that
// of another card is read instead. Its glyphs are at one pitch between the strokes of the stamp, and through them where only what
// is as dark as print is looked at.
const (
	rivalGlyphs = 8    // glyphs that make a chain there: as many as a stamp leaves on either side of it
	rivalChains = 24   // chains that are read: first those that can be lines as long as the zone's, of these those of most glyphs
	rivalSure   = 0.9  // evenness of a row that can be part of a machine-readable line
	rivalLong   = 20   // characters of one that needs no fillers
	rivalApart  = 3.0  // pitches between two lines of a zone, at most,
	rivalTight  = 1.7  // and at least, seen from the side
	rivalPitch  = 0.1  // the pitches of two lines differ by less than this part
	rivalMost   = 44.0 // characters of the longest line that a row can be part of
)

// addRivalRows counts rows of other documents' zones, which were not read as whole ones.
func (z *Zone) addRivalRows(rows []scan) {
	for _, g := range rows {
		if !z.near(g.strip) {
			z.rivals++
			z.rivalLengths = append(z.rivalLengths, rivalMost*g.pitch)
		}
	}
}

// addRivals counts whole zones of other documents, z itself left out. Only a line that is much longer is surely of the larger
// document.
func (z *Zone) addRivals(others []*Zone) {
	for _, o := range others {
		if o != z {
			z.rivals++
			z.rivalLengths = append(z.rivalLengths, largerLine*o.lineLength())
		}
	}
}

// largestBeside looks for zones of other documents beside z, and returns the largest whole one of all. Rows that it could not read
// may be another document's.
func (s scanner) largestBeside(ctx context.Context, z *Zone) (*Zone, error) {
	rows, all := z.rowsBeside(s.img)
	n := neighbours{rows: rows, blind: !all, found: []*Zone{z}}
	reads := 0
	for _, w := range n.rows {
		switch {
		case n.covers(w):
		case reads == rivalChains:
			n.unread = append(n.unread, w)
		default:
			reads++
			if err := s.readNeighbour(ctx, &n, w); err != nil {
				return nil, err
			}
		}
	}
	return n.largest(), nil
}

// neighbours are the rows and zones beside a zone.
type neighbours struct {
	rows   []ocr.Row // all runs of glyphs
	blind  bool      // the search for them was given up
	unread []ocr.Row // those that were not read, because there were too many
	found  []*Zone   // the zone, and others that are whole
	parts  []scan    // rows that are parts of machine-readable lines
	plain  []scan    // rows that can be, if another is beside them
}

// covers reports whether a row is on a zone that was found, or was read as a part of a longer one.
func (n *neighbours) covers(w ocr.Row) bool {
	within := func(g scan) bool { return g.covers(w) }
	return slices.ContainsFunc(n.found, func(z *Zone) bool { return z.near(w.Strip) }) ||
		slices.ContainsFunc(n.parts, within) || slices.ContainsFunc(n.plain, within)
}

// readNeighbour reads a row, and grows the zone round it where it is part of one.
func (s scanner) readNeighbour(ctx context.Context, n *neighbours, w ocr.Row) error {
	g, err := s.scanEitherWay(ctx, padded(w.Strip), scan.surelyPart, scan.evenness)
	switch {
	case err != nil:
		return err
	case g.evenness() < rivalSure:
		return nil
	case !g.partOfLine():
		n.plain = append(n.plain, g)
		return nil
	}
	z, err := s.grow(ctx, n.rows, g)
	if err == nil {
		z, err = s.completed(ctx, z)
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

// largest returns the largest zone, that of the document that fills most of the picture, with its rivals. Where the first zone was
// not whole it may have been the larger.
func (n *neighbours) largest() *Zone {
	first, best := n.found[0], largestOf(n.found)
	if best != first {
		best.rivals, best.rivalLengths = first.rivals, slices.Clone(first.rivalLengths)
		if !first.whole() {
			best.rivalLengths = append(best.rivalLengths, rivalMost*first.pitch)
		}
	}
	best.addRivals(n.found)
	best.addRivalRows(slices.DeleteFunc(append(n.parts, stacked(n.plain)...), func(g scan) bool {
		return slices.ContainsFunc(n.found, func(z *Zone) bool { return z.near(g.strip) })
	}))
	best.rivalLengths = append(best.rivalLengths, n.unseen()...)
	return best
}

// unseen returns how long the lines can be that were not read. They are no document that was found, but may be one.
func (n *neighbours) unseen() []float64 {
	var long []float64
	if n.blind {
		long = append(long, math.Inf(1))
	}
	for _, w := range n.unread {
		if !n.covers(w) {
			long = append(long, reach(w))
		}
	}
	return long
}

// reach returns how long the line can be that a row is part of, estimated from the row's height before it is read.
func reach(w ocr.Row) float64 { return largerLine * rivalMost * w.Height / ocr.CropHeight }

// covers reports whether a row is part of the scan, or the same.
func (g scan) covers(r ocr.Row) bool {
	a, d := g.strip.Locate(r.Strip.Centre())
	return math.Abs(a) < g.strip.Length/2 && math.Abs(d) < g.strip.Height/3
}

// stacked returns those of some rows that lie as two lines of a zone do.
func stacked(rows []scan) []scan {
	var out []scan
	for i, g := range rows {
		if slices.ContainsFunc(rows[i+1:], g.sisterOf) || slices.ContainsFunc(rows[:i], g.sisterOf) {
			out = append(out, g)
		}
	}
	return out
}

// sisterOf reports whether two rows lie as two lines of a zone do.
func (g scan) sisterOf(o scan) bool {
	a, d := g.strip.Locate(o.strip.Centre())
	d = math.Abs(d) / math.Max(1e-9, g.pitch)
	return ocr.Continues(g.strip, o.strip) && math.Abs(g.pitch-o.pitch) < rivalPitch*g.pitch &&
		d > rivalTight && d < rivalApart && math.Abs(a) < (g.strip.Length+o.strip.Length)/2
}

// partOfLine reports whether a row that was surely read is part of a machine-readable line, by its fillers or by its length.
func (g scan) partOfLine() bool { return g.fillers() >= secondFillers || len(g.glyphs) >= rivalLong }

// surelyPart reports whether a row is part of a machine-readable line that is read the right way up.
func (g scan) surelyPart() bool {
	return g.evenness() >= rivalSure && g.partOfLine() && g.fillers() > 0
}

// rowsBeside returns the runs of glyphs off the zone's page: first those that can be parts of lines as long as its own, of these
// those of most glyphs. The second result is false where the search was given up, and some may be missing.
func (z *Zone) rowsBeside(img *imaging.Photo) (rows []ocr.Row, all bool) {
	small, scale := img.Halved(glyphSide)
	g := small.Gray()
	onPage := z.Placement().OnPage()
	var chains []ocr.Chain
	all = true
	for _, ink := range []ocr.Ink{ocr.PrintInk, ocr.AnyInk} {
		blobs := slices.DeleteFunc(ocr.FindBlobs(g, ink), func(b ocr.Blob) bool {
			return onPage(imaging.Point{X: b.X / scale, Y: b.Y / scale})
		})
		found, done := z.chainsBeside(blobs, g, scale)
		chains = append(chains, found...)
		all = all && done
	}
	slices.SortStableFunc(chains, func(a, b ocr.Chain) int { return b.Glyphs - a.Glyphs })
	var less []ocr.Row
	for _, c := range chains {
		if w := (ocr.Row{Strip: c.Strip.Scaled(1 / scale)}); reach(w) >= z.lineLength() {
			rows = append(rows, w)
		} else {
			less = append(less, w)
		}
	}
	return append(rows, less...), all
}

// chainsBeside returns the runs of some glyphs; where these are too many, only of those as large as the letters of a line as long
// as the zone's: the dots of cloth are smaller. The second result is false where the search was given up all the same.
func (z *Zone) chainsBeside(blobs []ocr.Blob, g *imaging.Gray, scale float64) (found []ocr.Chain, all bool) {
	if found, all = ocr.FindChains(blobs, g.W, g.H, rivalGlyphs); all {
		return found, true
	}
	letter := z.lineLength() / (largerLine * rivalMost) / ocr.PitchMost * scale
	return ocr.FindChains(slices.DeleteFunc(blobs, func(b ocr.Blob) bool { return b.Size < letter }), g.W, g.H, rivalGlyphs)
}
