package zone

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How a zone is found by its glyphs.
const (
	glyphSide   = 900 // least longest side of the copy that is searched; twice that where nothing was found
	glyphChains = 8   // chains that are read in search of the zone, those of most glyphs first
	glyphSecond = 0.5 // part of the glyphs of a zone's chain that another zone's must have
)

// FindByGlyphs looks for a zone by its glyphs, which are in a straight line at one pitch. It returns nil where it finds none that
// is whole. It costs a fraction of text detection, and works whichever way the page lies.
func (r *Reader) FindByGlyphs(ctx context.Context, img *imaging.Photo) (*Zone, error) {
	s := r.scanner(img)
	size := max(img.W, img.H)
	for _, side := range [2]int{glyphSide, 2 * glyphSide} {
		small, scale := img.Halved(side)
		z, err := s.findInChains(ctx, ocr.ChainsIn(small.Gray()), scale)
		if err != nil {
			return nil, err
		}
		if z != nil {
			return s.largestBeside(ctx, z)
		}
		if size < 2*side { // the next copy would be the same
			break
		}
	}
	return nil, nil //nolint:nilnil // no zone, which is no failure
}

// findInChains reads the chains of most glyphs and grows zones round those that look like machine-readable lines. Of several zones
// it returns the largest, that of the document that fills most of the picture.
func (s scanner) findInChains(ctx context.Context, chains []ocr.Chain, scale float64) (*Zone, error) {
	slices.SortStableFunc(chains, func(a, b ocr.Chain) int { return b.Glyphs - a.Glyphs })
	rows := make([]ocr.Row, len(chains))
	for i, c := range chains {
		rows[i] = ocr.Row{Strip: c.Strip.Scaled(1 / scale)}
	}
	var found []*Zone
	var parts []scan // of other zones
	most := 0        // glyphs of the chain round which the first zone was found
	for i, w := range rows[:min(len(rows), glyphChains)] {
		if slices.ContainsFunc(found, func(z *Zone) bool { return z.near(w.Strip) }) {
			continue
		}
		if float64(chains[i].Glyphs) < glyphSecond*float64(most) {
			break
		}
		anchor, err := s.scanEitherWay(ctx, padded(w.Strip), scan.surelyUpright, byLikeness)
		if err != nil {
			return nil, err
		}
		second := anchor.suggestsSecond()
		if anchor.likeness < anchorLikeness || len(found) > 0 && !second {
			continue // once there is a zone, little else is worth a closer look
		}
		z, err := s.growWhole(ctx, rows, anchor)
		if err != nil {
			return nil, err
		}
		switch {
		case z.whole():
			found = append(found, z)
			most = max(most, chains[i].Glyphs)
		case second:
			parts = append(parts, anchor)
		}
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // no zone, which is no failure
	}
	best := largestOf(found)
	best.addRivals(found)
	best.addRivalRows(parts)
	return best, nil
}

// growWhole grows the zone round a row, and completes it where it is promising.
func (s scanner) growWhole(ctx context.Context, rows []ocr.Row, anchor scan) (*Zone, error) {
	z, err := s.grow(ctx, rows, anchor)
	if err != nil || !z.promising() {
		return z, err
	}
	return s.completed(ctx, z)
}

// largestOf returns the zone whose first line is the longest.
func largestOf(zones []*Zone) *Zone {
	return slices.MaxFunc(zones, func(a, b *Zone) int { return cmp.Compare(a.rows[0].strip.Length, b.rows[0].strip.Length) })
}

// surelyUpright reports whether a row can be nothing but a machine-readable line that is read the right way up: upside down, 103
// lines of generated documents and of passporteye-27 showed one filler at most.
func (g scan) surelyUpright() bool { return g.likeness >= sureLikeness && g.fillers() >= sureFillers }

// suggestsSecond reports whether a row is a line of a second document's zone, which a stamp may cover in part. On 130 generated
// pictures of one document (seeds from 70001) no other row with two fillers had a likeness above .21; rows of zones that a stamp
// covers in part had .68 and more.
func (g scan) suggestsSecond() bool {
	return g.likeness >= secondLikeness && g.fillers() >= secondFillers
}
