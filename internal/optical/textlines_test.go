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

func TestAPrintedLineKnowsHowSureItIsOfEachCharacterAndWhereItIs(t *testing.T) {
	r := ppTextReader{dict: []string{"", "A", "é", " "}}
	raw := []float32{ // frames of blank, A, é, space
		.1, .1, .1, .7,
		.1, .9, 0, 0,
		.1, .9, 0, 0, // the same character goes on
		1, 0, 0, 0,
		.2, 0, .8, 0,
		.3, 0, 0, .7,
	}
	want := printed{text: "Aé", conf: .85, least: .8, chars: []float64{.9, .8}, at: []float64{1.5 / 6, 4.5 / 6}}
	near := cmpopts.EquateApprox(0, 1e-6)
	if d := cmp.Diff(want, r.decode(raw, 6, 1./6), cmp.AllowUnexported(printed{}), near); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(printed{}, r.decode(raw, 1, 1./6), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("a line of one space (-want +got):\n%s", d)
	}
	if d := cmp.Diff(printed{}, r.decode([]float32{float32(math.NaN()), 0, 0, 0}, 9, 1), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("frames that are no numbers (-want +got):\n%s", d)
	}
}

func TestTextLinesDictionaryIsHeldToItsForm(t *testing.T) {
	r, err := newOwnTextReader(nil, "A\r\nb\n«\né\n")
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
		if _, err := newOwnTextReader(nil, bad); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestTextLineMergesFramesAndKeepsTheSurest(t *testing.T) {
	r, err := newOwnTextReader(nil, "A\nb\n")
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

func TestTensorsOfTextLineHaveFourWidths(t *testing.T) {
	for w, want := range map[int]int64{1: 128, 128: 128, 129: 256, 512: 512, 900: 1024, 5000: 1024} {
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
