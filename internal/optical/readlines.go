package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/text"
)

// readLines reads rows of the upright picture as ordinary print, in the order given, one line for each; a strip that
// points left is read the other way round. It costs in proportion to the length of the rows, so that all lines of a
// page are best asked for at once.
func (w printedText) readLines(ctx context.Context, strips []ocr.Strip) ([]text.Line, error) {
	rows := make([]ocr.Strip, len(strips))
	for i, s := range strips {
		rows[i] = w.upright(s)
	}
	lines, err := w.models.text.ReadLines(ctx, w.img, rows)
	for i := range lines {
		lines[i].Box = page.BoxAround(strips[i], w.img)
	}
	return lines, err
}

// readOverprinted reads the lines whose boxes are taller than the page's others once more, as high as those and without what is
// coloured.
func (w printedText) readOverprinted(ctx context.Context, lines []text.Line) error {
	usual := text.MiddleHeight(lines)
	if usual == 0 {
		return nil
	}
	return text.Each(ctx, len(lines), func(ctx context.Context, i int) error {
		l, err := w.models.text.ReadOverprinted(ctx, w.img, lines[i], usual)
		if err != nil {
			return err
		}
		if l.Strip != lines[i].Strip {
			l.Box = page.BoxAround(l.Strip, w.img)
		}
		lines[i] = l
		return nil
	})
}

// partBySize parts lines where the size of their print changes, and reads the smaller parts once more, from crops of their own.
func (w printedText) partBySize(ctx context.Context, lines []text.Line) ([]text.Line, error) {
	parts := make([][]text.Line, len(lines))
	err := text.Each(ctx, len(lines), func(ctx context.Context, i int) (err error) {
		parts[i], err = w.models.text.Parts(ctx, w.img, lines[i])
		for k, l := range parts[i] {
			if len(parts[i]) > 1 {
				parts[i][k].Box = page.BoxAround(l.Strip, w.img)
			}
		}
		return err
	})
	return slices.Concat(parts...), err
}
