package optical

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text"
)

// How a page that no zone sets upright is told to be upside down: by its longest lines, each read both ways. Print upside down is read too,
// less surely.
const (
	turnLines = 5    // that are read
	turnRead  = 4    // letters and figures that one has at least
	turnSurer = 0.04 // by how much the mean confidence of its characters is higher one way to count
	turnVotes = 2    // lines that must be surer upside down, and twice as many as are surer upright
)

// turnByPrint turns a page without a machine-readable zone that is upside down, unless its portrait leaves no doubt: portraits are missing or
// small on many, and the direction of lines says nothing of where their tops are.
func (w *work) turnByPrint(ctx context.Context) error {
	if w.page.MRZ != nil || w.upright {
		return nil
	}
	up, down := 0, 0
	for _, s := range longest(w.boxes, turnLines) {
		if 2*up > turnLines-up { // twice as many cannot be upside down any more
			break
		}
		surer, err := w.surerUpsideDown(ctx, s)
		if err != nil {
			return err
		}
		switch {
		case surer > turnSurer:
			down++
		case surer < -turnSurer:
			up++
		}
	}
	if down >= turnVotes && down >= 2*up {
		w.turn(2)
	}
	return nil
}

// surerUpsideDown is by how much the mean confidence of a line's characters is higher if it is read upside down.
func (w *work) surerUpsideDown(ctx context.Context, s ocr.Strip) (float64, error) {
	if s.UX < 0 {
		s = s.Flipped()
	}
	s.Length += 2 * printedMargin * s.Height
	ways := [2]ocr.Strip{s, s.Flipped()}
	var sure [2]float64
	err := text.Each(ctx, len(ways), func(ctx context.Context, i int) error {
		p, err := w.models.text.Read(ctx, w.img, ways[i])
		if letters(p.Text) >= turnRead {
			sure[i] = p.Confidence
		}
		return err
	})
	return sure[1] - sure[0], err
}

// longest are so many of the strips that lie along the picture: those with the most letters, as their sides tell.
func longest(all []ocr.Strip, n int) []ocr.Strip {
	var out []ocr.Strip
	for _, s := range all {
		if s.Directed() && s.UX*s.UX > s.UY*s.UY {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b ocr.Strip) int { return cmp.Compare(b.Length/b.Height, a.Length/a.Height) })
	return out[:min(n, len(out))]
}
