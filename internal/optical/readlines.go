package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// readLines reads rows of the upright picture as ordinary print, in the order given, one line for each; a strip that
// points left is read the other way round. It costs in proportion to the length of the rows, so that all lines of a
// page are best asked for at once.
func (w printedText) readLines(ctx context.Context, strips []ocr.Strip) ([]line, error) {
	rows := make([]ocr.Strip, len(strips))
	for i, s := range strips {
		rows[i] = w.upright(s)
	}
	lines, err := w.models.text.readLines(ctx, w.img, rows)
	for i := range lines {
		lines[i].box = page.BoxAround(strips[i], w.img)
	}
	return lines, err
}

// readOverprinted reads the lines whose boxes are taller than the page's others once more, as high as those and without what is
// coloured.
func (w printedText) readOverprinted(ctx context.Context, lines []line) error {
	usual := middleHeight(lines)
	if usual == 0 {
		return nil
	}
	return each(ctx, len(lines), func(ctx context.Context, i int) error {
		l, err := w.models.text.readOverprinted(ctx, w.img, lines[i], usual)
		if err != nil {
			return err
		}
		if l.strip != lines[i].strip {
			l.box = page.BoxAround(l.strip, w.img)
		}
		lines[i] = l
		return nil
	})
}

// partBySize parts lines where the size of their print changes, and reads the smaller parts once more, from crops of their own.
func (w printedText) partBySize(ctx context.Context, lines []line) ([]line, error) {
	parts := make([][]line, len(lines))
	err := each(ctx, len(lines), func(ctx context.Context, i int) (err error) {
		parts[i], err = w.models.text.parts(ctx, w.img, lines[i])
		for k, l := range parts[i] {
			if len(parts[i]) > 1 {
				parts[i][k].box = page.BoxAround(l.strip, w.img)
			}
		}
		return err
	})
	return slices.Concat(parts...), err
}
