package imaging

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

func TestSquaresAreThoseOfTheFile(t *testing.T) {
	p := NewRGB(40, 24)
	for i := range p.Pix {
		p.Pix[i] = uint8(i * 7)
	}
	raw, err := EncodeJPEG(p, 50)
	if err != nil {
		t.Fatal(err)
	}
	photo, _, err := Open(raw, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s, ok := photo.Squares()
	if !ok {
		t.Fatal("a JPEG has no squares")
	}
	// ITU-T T.81 table K.1, which quality 50 leaves alone.
	if got := [4]int{s.Steps[0], s.Steps[1], s.Steps[8], s.Steps[63]}; got != [4]int{16, 11, 12, 99} {
		t.Errorf("steps %v", got)
	}
	if s.W != 40 || s.H != 24 || s.Stride < 40 {
		t.Errorf("%d × %d, stride %d", s.W, s.H, s.Stride)
	}
	turned, _ := photo.Turn(1).Squares()
	for _, c := range []struct {
		name     string
		of       Squares
		upright  image.Rectangle
		expected image.Rectangle
	}{
		{"as it was stored", s, image.Rect(0, 0, 8, 4), image.Rect(0, 0, 8, 4)},
		{"turned by a quarter", turned, image.Rect(0, 0, 4, 8), image.Rect(0, 20, 8, 24)},
		{"beyond the picture", s, image.Rect(36, 20, 60, 60), image.Rect(36, 20, 40, 24)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.Place(c.upright); got != c.expected {
				t.Errorf("got %v, want %v", got, c.expected)
			}
		})
	}
}

func TestOtherFormatsHaveNoSquares(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 16))); err != nil {
		t.Fatal(err)
	}
	photo, _, err := Open(b.Bytes(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := photo.Squares(); ok {
		t.Error("a PNG has squares")
	}
	if _, ok := PhotoOf(NewRGB(16, 16)).Squares(); ok {
		t.Error("a picture that comes from no file has squares")
	}
}

func TestTablesThatAreCutShortAreLeftOut(t *testing.T) {
	var got tables
	got.define(append([]byte{0x01}, bytes.Repeat([]byte{7}, 64)...))
	got.define([]byte{0x00, 1, 2, 3})
	got.define(append([]byte{0x12}, bytes.Repeat([]byte{1, 0}, 64)...))
	got.frame([]byte{8, 0, 8, 0, 8, 1, 1, 0x11, 1})
	if got.steps[1][63] != 7 || got.steps[0][0] != 0 || got.steps[2][5] != 256 || got.luma != 1 {
		t.Errorf("got %d, %d, %d, table %d", got.steps[1][63], got.steps[0][0], got.steps[2][5], got.luma)
	}
}
