package optical

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestTextLinesDictionaryIsHeldToItsForm(t *testing.T) {
	r, err := newTextReader(nil, "A\r\nb\n«\né\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]rune{0, 'A', 'b', '«', 'é', ' '}, r.dict); d != "" {
		t.Errorf("classes (-want +got):\n%s", d)
	}
	want := []uint8{0, uint8(classOf('A')), uint8(classOf('B')), uint8(classOf('<')), 0, 0}
	if d := cmp.Diff(want, r.fold); d != "" {
		t.Errorf("what they stand for in a machine-readable row (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{0, 1, 2, 3, 5}, r.machine); d != "" {
		t.Errorf("classes of machine-readable rows, blank and space among them (-want +got):\n%s", d)
	}
	for name, bad := range map[string]string{"an empty line": "A\n\nB\n", "two characters": "AB\n"} {
		if _, err := newTextReader(nil, bad); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestTextLineMergesFramesAndKeepsTheSurest(t *testing.T) {
	r, err := newTextReader(nil, "A\nb\n")
	if err != nil {
		t.Fatal(err)
	}
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
	r, err := newTextReader(nil, "A\n")
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	if d := cmp.Diff(printed{}, r.decode([]float32{nan, nan, nan}, 9, 1), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	out := make([]float32, classes)
	r.held(out, []float32{nan, nan, nan})
	if got := greedy(frames{p: out}); len(got) != 0 {
		t.Errorf("as a machine-readable row: %q", text(got))
	}
}

func TestTensorsOfTextLineHaveAFewWidths(t *testing.T) {
	for w, want := range map[int]int64{1: 128, 128: 128, 129: 160, 300: 320, 512: 512, 900: 928, 930: 1024, 5000: 1024} {
		in, used := lineInput(imaging.NewGray(w, lineHeight))
		if in.Shape[3] != want || len(in.Data) != int(want)*lineHeight || used > int(want) {
			t.Errorf("%d columns: tensor %v, %d in use, want %d", w, in.Shape, used, want)
		}
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
