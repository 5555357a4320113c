package optical

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// otherEnds is the paper at both ends of what is looked at a second time, as a part of its height.
const otherEnds = 0.2

// line is one run of ordinary print as it was read.
type line struct {
	printed
	strip ocr.Strip // what was read, on the upright picture, with a little paper at both ends; characters are placed along it
	box   idv.Box   // round the strip as it was given, as parts of the picture
	other bool      // it was read by the reader of Cyrillic and Greek
	toned bool      // the reader of Vietnamese has seen it
	small bool      // its row has larger print
}

// as is the line with another reading of it.
func (l line) as(p printed) line {
	l.printed = p
	return l
}

// part is what was read of some characters of the line.
func (l line) part(from, to int) printed {
	return printed{chars: slices.Clone(l.chars[from:to]), at: slices.Clone(l.at[from:to])}.of([]rune(l.text)[from:to])
}

// with is the line with another reading of a part of it.
func (l line) with(p reading.Part, r printed) line {
	a, _ := l.strip.Locate(stripOf(p.Strip).Centre())
	long := p.Strip.Length + 2*otherEnds*p.Strip.Height
	at := make([]float64, len(r.at))
	for i, v := range r.at {
		at[i] = math.Max(0, math.Min(1, (a+(v-.5)*long)/l.strip.Length+.5))
	}
	if r.text == string([]rune(l.text)[p.From:p.To]) {
		at = l.at[p.From:p.To]
	}
	runes := slices.Concat([]rune(l.text)[:p.From], []rune(r.text), []rune(l.text)[p.To:])
	all := printed{chars: slices.Concat(l.chars[:p.From], r.chars, l.chars[p.To:]), at: slices.Concat(l.at[:p.From], at, l.at[p.To:])}.of(runes)
	return l.as(all)
}

// stripOf is a place of print on the upright picture.
func stripOf(s reading.Strip) ocr.Strip {
	sin, cos := math.Sincos(s.Tilt)
	return ocr.Strip{X: s.X, Y: s.Y, UX: cos, UY: sin, Length: s.Length, Height: s.Height, Score: 1}
}

// withLine puts a line among others, in place of what was read of it before.
func withLine(lines []line, l line) []line {
	out := slices.DeleteFunc(slices.Clone(lines), func(o line) bool {
		a, d := l.strip.Locate(o.strip.Centre())
		return math.Abs(d) < l.strip.Height/2 && math.Abs(a)+o.strip.Length/2 < l.strip.Length/2+o.strip.Length/3
	})
	return append(out, l)
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
