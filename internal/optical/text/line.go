package text

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

// Line is one run of ordinary print as it was read.
type Line struct {
	Reading
	Strip ocr.Strip // what was read, on the upright picture, with a little paper at both ends; At is along it
	Box   idv.Box   // round the strip as it was found, as parts of the picture; set by those who ask for the line
	Other bool      // it was read by the reader of Cyrillic and Greek
	toned bool      // the reader of Vietnamese has seen it
	small bool      // its row has larger print
}

// as is the line with another reading of it.
func (l Line) as(p Reading) Line {
	l.Reading = p
	return l
}

// part is what was read of some characters of the line.
func (l Line) part(from, to int) Reading {
	return Reading{Chars: slices.Clone(l.Chars[from:to]), At: slices.Clone(l.At[from:to])}.of([]rune(l.Text)[from:to])
}

// With is the line with another reading of a part of it, as LookAgain returns it.
func (l Line) With(p reading.Part, r Reading) Line {
	a, _ := l.Strip.Locate(StripOf(p.Strip).Centre())
	long := p.Strip.Length + 2*otherEnds*p.Strip.Height
	at := make([]float64, len(r.At))
	for i, v := range r.At {
		at[i] = math.Max(0, math.Min(1, (a+(v-.5)*long)/l.Strip.Length+.5))
	}
	if r.Text == string([]rune(l.Text)[p.From:p.To]) {
		at = l.At[p.From:p.To]
	}
	runes := slices.Concat([]rune(l.Text)[:p.From], []rune(r.Text), []rune(l.Text)[p.To:])
	all := Reading{Chars: slices.Concat(l.Chars[:p.From], r.Chars, l.Chars[p.To:]), At: slices.Concat(l.At[:p.From], at, l.At[p.To:])}.of(runes)
	return l.as(all)
}

// StripOf is the strip of the upright picture at a place of print.
func StripOf(s reading.Strip) ocr.Strip {
	sin, cos := math.Sincos(s.Tilt)
	return ocr.Strip{X: s.X, Y: s.Y, UX: cos, UY: sin, Length: s.Length, Height: s.Height, Score: 1}
}

// WithLine puts a line among others, in place of what was read of it before.
func WithLine(lines []Line, l Line) []Line {
	out := slices.DeleteFunc(slices.Clone(lines), func(o Line) bool {
		a, d := l.Strip.Locate(o.Strip.Centre())
		return math.Abs(d) < l.Strip.Height/2 && math.Abs(a)+o.Strip.Length/2 < l.Strip.Length/2+o.Strip.Length/3
	})
	return append(out, l)
}

// Each calls do for 0 to n-1, on as many processors as there are, and returns the first error, which ends the others. The
// inference runtime bounds what runs at a time in the whole process; one read must not start more than can run.
func Each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
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
