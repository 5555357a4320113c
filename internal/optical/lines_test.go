package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

func TestASingleLetterIsReadAlongThePagesLines(t *testing.T) {
	tall := ocr.Strip{X: 50, Y: 50, UY: 1, Length: 36, Height: 20} // an F: higher than wide
	long := ocr.Strip{X: 50, Y: 90, UX: 1, Length: 90, Height: 20}
	got := asLines([]ocr.Strip{tall, long}, 2)
	if s := got[0]; s.Length != 20 || s.Height != 36 || s.UX != 1 || s.UY != 0 {
		t.Errorf("a letter lies as %+v", s)
	}
	if got[1] != long || tall.Length != 36 {
		t.Error("a long line was turned, or the strips that were given were changed")
	}
}
