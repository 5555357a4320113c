package optical

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTextLineMergesFramesAndKeepsTheSurest(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\nb\n")
	if err != nil {
		t.Fatal(err)
	}
	r := textReader{LineReader: text}
	scores := []float32{ // blank, A, b, space
		0, 0, 0, 30,
		0, 2, 0, 0,
		0, 30, 0, 0, // the same character goes on, surer
		30, 0, 0, 0,
		0, 30, 0, 0, // another of the same
		0, 0, 0, 30,
		0, 0, 30, 0,
		30, 0, 0, 0,
	}
	want := printed{text: "AA b", conf: 1, least: 1, chars: []float64{1, 1, 1, 1}, at: []float64{1.5 / 8, 4. / 8, 5. / 8, 6. / 8}}
	near := cmpopts.EquateApprox(0, 1e-6)
	if d := cmp.Diff(want, r.decode(scores, 8, 1./8), cmp.AllowUnexported(printed{}), near); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestScoresThatAreNoNumbersReadAsNothing(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\n")
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	if d := cmp.Diff(printed{}, textReader{LineReader: text}.decode([]float32{nan, nan, nan}, 9, 1), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLinesAreReadSideBySideAndTheFirstErrorEndsIt(t *testing.T) {
	var done [100]atomic.Bool
	if err := each(t.Context(), len(done), func(_ context.Context, i int) error {
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
	err := each(t.Context(), 1000, func(ctx context.Context, i int) error {
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
	if err := each(ended, 5, func(context.Context, int) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	if err := each(t.Context(), 0, nil); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
}
