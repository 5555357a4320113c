package optical

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// How a page that no zone sets upright is told to be upside down: by its longest lines, each read both ways. Print upside down is read too,
// less surely.
const (
	turnLines = 5    // that are read
	turnRead  = 4    // letters and figures that one has at least
	turnSurer = 0.04 // by how much the mean confidence of its characters is higher one way to count
	turnVotes = 2    // lines that must be surer upside down, and twice as many as are surer upright
)

// turnByPrint turns a page without a machine-readable zone that is upside down: portraits are missing or small on many, and the direction of
// lines says nothing of where their tops are.
func (w *work) turnByPrint(ctx context.Context) error {
	if w.page.MRZ != nil {
		return nil
	}
	strips := longest(w.boxes, turnLines)
	both := make([]float64, 2*len(strips))
	err := each(ctx, len(both), func(ctx context.Context, i int) error {
		s := strips[i/2]
		if s.UX < 0 {
			s = s.Flipped()
		}
		if i%2 == 1 {
			s = s.Flipped()
		}
		s.Length += 2 * printedMargin * s.Height
		p, err := w.models.text.readText(ctx, w.img, s)
		if letters(p.text) >= turnRead {
			both[i] = p.conf
		}
		return err
	})
	if err != nil {
		return err
	}
	up, down := 0, 0
	for i := range strips {
		switch d := both[2*i+1] - both[2*i]; {
		case d > turnSurer:
			down++
		case d < -turnSurer:
			up++
		}
	}
	if down >= turnVotes && down >= 2*up {
		w.turn(2)
	}
	return nil
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
