package optical

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// line is one run of ordinary print as it was read.
type line struct {
	text  string    // "" when nothing was read
	conf  float64   // mean over its characters, 0–1; 0 when nothing was read
	least float64   // of its least sure character, 0–1
	chars []float64 // for each rune of text, 0–1
	at    []float64 // for each rune of text, where its middle is along strip: 0 at the left end, 1 at the right
	strip ocr.Strip // what was read, on the upright picture, with a little paper at both ends
	box   idv.Box   // round the strip as it was given, as parts of the picture
	other bool      // it was read by the reader of Cyrillic and Greek
	toned bool      // the reader of Vietnamese has seen it
	small bool      // its row has larger print
}

// as is the line with another reading of it.
func (l line) as(p printed) line {
	l.text, l.conf, l.least, l.chars, l.at = p.text, p.conf, p.least, p.chars, p.at
	return l
}

// readLines reads rows of the upright picture as ordinary print, in the order given, one line for each; a strip that
// points left is read the other way round. It costs in proportion to the length of the rows, so that all lines of a
// page are best asked for at once.
func (w printedText) readLines(ctx context.Context, strips []ocr.Strip) ([]line, error) {
	out := make([]line, len(strips))
	err := each(ctx, len(strips), func(ctx context.Context, i int) error {
		s, u := strips[i], w.upright(strips[i])
		p, err := w.models.text.readText(ctx, w.img, u)
		out[i] = line{
			text: p.text, conf: p.conf, least: p.least, chars: p.chars, at: p.at,
			strip: u, box: page.BoxAround(s, w.img),
		}
		return err
	})
	if err == nil {
		err = w.readOtherScripts(ctx, out)
	}
	if err == nil {
		err = w.readVietnamese(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// each calls do for 0 to n-1, on as many processors as there are, and returns the first error, which ends the others. The
// inference runtime bounds what runs at a time in the whole process; one read must not start more than can run.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}
