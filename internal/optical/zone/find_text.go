package zone

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How a zone is found among detected runs of text.
const (
	textGap    = 4    // boxes of one row are apart by at most this many heights
	textAspect = 6.0  // a row this many times as long as high is worth reading
	textTries  = 14   // rows that are read in search of the zone, longest first
	textTurns  = 3    // rows that are read upside down where one is surely a line
	textRoom   = 1.35 // more paper round a row where boxes fit the print closely
	textSlant  = 6.0  // degrees from which the copy is levelled for the detector
)

// The sizes of the copies on which text is detected again: a smaller one joins broken lines, a larger one shows small print.
const (
	smallCopy = 640
	largeCopy = 1280
)

// FindInText looks for a zone among the runs of text in the picture, which it returns too, in pixels. The zone is nil where no run
// looks like a machine-readable line.
func (r *Reader) FindInText(ctx context.Context, img *imaging.Photo, d ocr.Detector) (*Zone, []ocr.Strip, error) {
	s := r.scanner(img)
	boxes, err := d.Find(ctx, img, ocr.DetectSize, ocr.Unchanged)
	if err != nil {
		return nil, nil, err
	}
	first, err := s.findInBoxes(ctx, boxes)
	if err != nil {
		return nil, nil, err
	}
	t := textLooks{scanner: s, detector: d, slant: ocr.Skew(boxes), boxes: map[*Zone][]ocr.Strip{first: boxes}}
	looks := secondLooks{
		done:   func(best *Zone) bool { return best == nil || !best.promising() || best.whole() },
		better: func(next, best *Zone) bool { return next.whole() || next.likeness() > best.likeness() },
	}
	best, err := looks.improve(first, t.at(ctx, ocr.DetectSize), t.at(ctx, smallCopy), t.at(ctx, largeCopy))
	if err != nil || best == nil {
		return nil, boxes, err
	}
	boxes = t.boxes[best]
	z, err := s.largestBeside(ctx, best)
	return z, boxes, err
}

// textLooks detects text on other copies of the picture.
type textLooks struct {
	scanner

	detector ocr.Detector
	slant    float64               // of the lines, in degrees
	boxes    map[*Zone][]ocr.Strip // among which each zone was found
}

// at returns a look at a copy of that size. Slanted lines are levelled on it.
func (t textLooks) at(ctx context.Context, size int) func() (*Zone, error) {
	return func() (*Zone, error) {
		var boxes []ocr.Strip
		var err error
		switch {
		case math.Abs(t.slant) >= textSlant:
			boxes, err = t.detector.FindLevelled(ctx, t.img, size, t.slant)
		case size == ocr.DetectSize, size > ocr.DetectSize && max(t.img.W, t.img.H)*int(ocr.DetectEnlarge) <= ocr.DetectSize:
			return nil, nil //nolint:nilnil // the copy would be the same as before
		default:
			boxes, err = t.detector.Find(ctx, t.img, size, ocr.Unchanged)
		}
		if err != nil {
			return nil, err
		}
		z, err := t.findInBoxes(ctx, boxes)
		t.boxes[z] = boxes
		return z, err
	}
}

// findInBoxes reads the likeliest rows of detected boxes, in both directions, and grows the zone round the best one. It returns nil
// where no row looks like a machine-readable line.
func (s scanner) findInBoxes(ctx context.Context, boxes []ocr.Strip) (*Zone, error) {
	rows := ocr.JoinRows(boxes, textGap)
	anchor, sure, err := s.findAnchor(ctx, rows)
	if err != nil || anchor.likeness < anchorLikeness {
		return nil, err
	}
	z, err := s.growWhole(ctx, rows, anchor)
	if err != nil {
		return nil, err
	}
	z.addRivalRows(sure)
	return z, nil
}

// findAnchor returns the row that looks most like a machine-readable line, in its reading direction, and all rows that surely are
// lines of a zone.
func (s scanner) findAnchor(ctx context.Context, rows []ocr.Row) (scan, []scan, error) {
	var tries []ocr.Strip
	for _, w := range rows {
		if w.Length >= textAspect*w.Height {
			tries = append(tries, w.Strip)
		}
	}
	slices.SortFunc(tries, func(a, b ocr.Strip) int { return cmp.Compare(b.Length, a.Length) })
	tries = tries[:min(len(tries), textTries)]
	best, sure, err := s.scanRows(ctx, tries)
	if err != nil || best.likeness >= anchorLikeness {
		return best, sure, err
	}
	// Detected boxes fit the print more or less closely; where nothing looks right, the crops take in more paper.
	for i := range tries {
		tries[i].Height *= textRoom
	}
	return s.scanRows(ctx, tries)
}

// scanRows reads rows in both directions. Lines that are upside down look like lines too, if less so: the likeliest are read the
// other way before one is believed.
func (s scanner) scanRows(ctx context.Context, tries []ocr.Strip) (best scan, sure []scan, err error) {
	strips := make([]ocr.Strip, len(tries))
	for i, t := range tries {
		strips[i] = padded(t)
	}
	seen, err := s.scanAll(ctx, strips)
	if err != nil {
		return scan{}, nil, err
	}
	slices.SortStableFunc(seen, func(a, b scan) int { return cmp.Compare(b.likeness, a.likeness) })
	turn := len(seen)
	if turn > 0 && seen[0].likeness >= sureLikeness {
		turn = min(turn, textTurns)
	}
	for i, g := range seen {
		if i >= turn && (g.likeness < sureLikeness || !larger(g, best)) {
			continue // the smaller of two documents is not read upside down
		}
		if g, err = s.orUpsideDown(ctx, g, byLikeness); err != nil {
			return scan{}, nil, err
		}
		seen[i] = g
		if best.likeness < sureLikeness && g.likeness > best.likeness || g.likeness >= sureLikeness && larger(g, best) {
			best = g
		}
	}
	for _, g := range seen {
		if g.surelyUpright() {
			sure = append(sure, g)
		}
	}
	return best, sure, nil
}

// larger reports whether a line is of a larger document than the best so far: two lines of one document differ less in length.
func larger(g, best scan) bool { return g.strip.Length > largerLine*best.strip.Length }
