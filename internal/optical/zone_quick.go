package optical

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

const (
	quickSide   = 900 // least longest side of the copy that is searched; twice that where nothing was found
	quickMost   = 8   // chains that are read in search of the zone, those of most glyphs first
	quickSecond = 0.5 // part of the glyphs of a zone's chain that another zone's must have
)

// findZoneQuick looks for the zone by its glyphs, and is nil where it finds none that is whole. It costs a fraction of
// text detection and does not mind how the page lies.
func findZoneQuick(ctx context.Context, r crnn, img *imaging.Photo) (*zone, error) {
	longest := max(img.W, img.H)
	for _, side := range [2]int{quickSide, 2 * quickSide} {
		small, scale := img.Halved(side)
		z, err := zoneOfChains(ctx, r, img, ocr.ChainsIn(small.Gray()), scale)
		if err != nil || z != nil {
			return z, err
		}
		if longest < 2*side { // the next copy would be the same
			break
		}
	}
	return nil, nil //nolint:nilnil // no zone, which is no failure
}

// zoneOfChains reads the chains of most glyphs and builds zones round those that look like machine-readable lines. Where
// there are several, the largest counts: it is of the document that fills most of the picture.
func zoneOfChains(ctx context.Context, r crnn, img *imaging.Photo, chains []ocr.Chain, scale float64) (*zone, error) {
	slices.SortStableFunc(chains, func(a, b ocr.Chain) int { return b.Glyphs - a.Glyphs })
	rows := make([]ocr.Row, len(chains))
	for i, c := range chains {
		rows[i] = ocr.Row{Strip: c.Strip.Scaled(1 / scale)}
	}
	var found []*zone
	var alike []glance
	most := 0 // glyphs of the chain round which the first zone was found
	for i, w := range rows[:min(len(rows), quickMost)] {
		if slices.ContainsFunc(found, func(z *zone) bool { return z.near(w.Strip) }) {
			continue
		}
		if float64(chains[i].Glyphs) < quickSecond*float64(most) {
			break
		}
		anchor, err := lookBothWays(ctx, r, img, padded(w.Strip))
		if err != nil {
			return nil, err
		}
		another := anchor.another()
		if anchor.like < zoneAnchor || len(found) > 0 && !another {
			continue // once there is a zone, little else is worth a closer look
		}
		z, err := growZone(ctx, r, img, rows, anchor)
		if err == nil && z.promises() {
			z, err = z.completed(ctx, r, img)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case z.whole():
			found = append(found, z)
			most = max(most, chains[i].Glyphs)
		case another:
			alike = append(alike, anchor)
		}
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // no zone, which is no failure
	}
	best := slices.MaxFunc(found, func(a, b *zone) int { return cmp.Compare(a.rows[0].strip.Length, b.rows[0].strip.Length) })
	best.against(found)
	best.besides(alike)
	return best, nil
}

// surely reports whether a row can be nothing but a machine-readable line that is read the right way up: seen upside down,
// 103 lines of generated documents and of passporteye-27 showed one filler at most.
func (g glance) surely() bool {
	return g.like >= zoneSure && strings.Count(glyphText(g.glyphs), "<") >= zoneFillers
}

// another reports whether a row is a line of a second document's zone, which a stamp may cover in part. On
// 130 generated pictures of one document (seeds from 70001) no other row with two fillers was more like one than .21; rows of
// zones that a stamp covers in part were .68 and more.
func (g glance) another() bool {
	return g.like >= zoneOther && strings.Count(glyphText(g.glyphs), "<") >= zoneOtherFillers
}

// lookBothWays reads a strip as it lies and, where that leaves a doubt, upside down, and gives the likelier.
func lookBothWays(ctx context.Context, r crnn, img *imaging.Photo, s ocr.Strip) (glance, error) {
	g, err := look(ctx, r, img, s)
	if err != nil {
		return glance{}, err
	}
	if g.surely() {
		return g, nil
	}
	f, err := look(ctx, r, img, s.Flipped())
	if err != nil || f.like > g.like {
		return f, err
	}
	return g, nil
}
