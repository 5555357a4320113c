package text

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestWhatACropWasReadAsIsRememberedForThatCropAlone(t *testing.T) {
	crop := &imaging.Gray{W: 3, H: 2, Pix: []uint8{1, 2, 3, 4, 5, 6}}
	known := Marks{stands: []int{0, 1}, rare: []int{2}}
	m := new(memo)
	m.keep(keyOf(crop, known, true), looked{Reading: Reading{Text: "A", Chars: []float64{.5}, At: []float64{.1}}})
	same := &imaging.Gray{W: 3, H: 2, Pix: slices.Clone(crop.Pix)}
	for range 2 {
		l, ok := m.find(keyOf(same, known, true))
		if !ok || l.Text != "A" || l.Chars[0] != .5 || l.At[0] != .1 {
			t.Fatalf("%v, %+v", ok, l)
		}
		l.Chars[0], l.At[0] = 1, 1 // of the reader alone
	}
	bare := Marks{stands: known.stands}
	pixels := slices.Concat([]uint8{2, 0, 0, 0, 0, 0, 0, 0}, crop.Pix)
	for name, k := range map[string]cropKey{
		"another shape":            keyOf(&imaging.Gray{W: 2, H: 3, Pix: crop.Pix}, known, true),
		"another pixel":            keyOf(&imaging.Gray{W: 3, H: 2, Pix: []uint8{1, 2, 3, 4, 5, 7}}, known, true),
		"a mark among the pixels":  keyOf(&imaging.Gray{W: 3, H: 2, Pix: pixels}, bare, true),
		"other marks":              keyOf(crop, Marks{stands: []int{0, 1}, rare: []int{3}}, true),
		"a class of another kind":  keyOf(crop, Marks{stands: []int{0, 1, 2}}, true),
		"nothing known before":     keyOf(crop, Marks{}, true),
		"without what it might be": keyOf(crop, known, false),
	} {
		if _, ok := m.find(k); ok {
			t.Errorf("%s is remembered", name)
		}
	}
	var none *memo
	none.keep(keyOf(crop, known, true), looked{})
	if _, ok := none.find(keyOf(crop, known, true)); ok {
		t.Error("no memo remembers")
	}
}
