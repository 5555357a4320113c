package zone

import (
	"math"
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/google/go-cmp/cmp"
)

func TestTextLineIsHeldToTheMachineReadableAlphabet(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\r\nb\n«\né\n")
	if err != nil {
		t.Fatal(err)
	}
	r := newHeldReader(text)
	want := []uint8{0, uint8(classOf('A')), uint8(classOf('B')), uint8(classOf('<')), 0, 0}
	if d := cmp.Diff(want, r.fold); d != "" {
		t.Errorf("what classes stand for in a machine-readable line (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]int{0, 1, 2, 3, 5}, r.machine); d != "" {
		t.Errorf("classes of machine-readable lines, blank and space among them (-want +got):\n%s", d)
	}
}

func TestScoresThatAreNoNumbersReadAsNoMachineReadableLine(t *testing.T) {
	text, err := ocr.NewLineReader(nil, "A\n")
	if err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	out := make([]float32, classes)
	newHeldReader(text).addFrame(out, []float32{nan, nan, nan})
	if got := greedy(frames{p: out}); len(got) != 0 {
		t.Errorf("read %q", glyphText(got))
	}
}
