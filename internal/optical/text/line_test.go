package text

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// readAs is a reading of evenly placed characters.
func readAs(text string, sure ...float64) Reading {
	p := Reading{Chars: sure}
	for i := range sure {
		p.At = append(p.At, (float64(i)+.5)/float64(len(sure)))
	}
	return p.of([]rune(text))
}

func TestAPartOfALineIsReadAnew(t *testing.T) {
	p := readAs("2. MAEL", 1, 1, 1, 1, 1, .5, 1)
	l := Line{Reading: p, Strip: ocr.Strip{X: 70, Y: 10, UX: 1, Length: 140, Height: 20}}
	part := reading.Part{From: 3, To: 7, Strip: reading.Strip{X: 100, Y: 10, Length: 80, Height: 20}}
	got := l.With(part, readAs("MAËLS", 1, 1, .9, 1, 1))
	if got.Text != "2. MAËLS" || got.Least != .9 || len(got.Chars) != 8 || len(got.At) != 8 {
		t.Errorf("%+v", got)
	}
	long := part.Strip.Length + 2*otherEnds*part.Strip.Height
	for i, want := range []float64{10, 30, 50} {
		if i < 3 && math.Abs(got.At[i]*140-want) > 1e-9 {
			t.Errorf("character %d moved to %.1f", i, got.At[i]*140)
		}
	}
	if first := got.At[3] * 140; math.Abs(first-(100-long/2+long/10)) > 1e-9 {
		t.Errorf("the new part begins at %.1f", first)
	}
	if same := l.With(part, readAs("MAEL", 1, 1, .9, 1)); same.Least != .9 || same.At[3] != l.At[3] {
		t.Errorf("the same text: %+v", same)
	}
	if l.Text != "2. MAEL" || l.Chars[5] != .5 {
		t.Error("the line that was given was changed")
	}
}

func TestLinesAreReadSideBySideAndTheFirstErrorEndsIt(t *testing.T) {
	var done [100]atomic.Bool
	if err := Each(t.Context(), len(done), func(_ context.Context, i int) error {
		if done[i].Swap(true) {
			t.Errorf("%d is done twice", i)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i := range done {
		if !done[i].Load() {
			t.Errorf("%d was left out", i)
		}
	}
	broken := errors.New("broken")
	var after atomic.Int64
	err := Each(t.Context(), 1000, func(ctx context.Context, i int) error {
		if ctx.Err() != nil {
			after.Add(1)
		}
		if i == 3 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || after.Load() > int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("error %v, %d calls after it", err, after.Load())
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := Each(ended, 5, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	if err := Each(t.Context(), 0, nil); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}
