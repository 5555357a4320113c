package pdf_test

import (
	"bytes"
	"errors"
	"image/color"
	"image/jpeg"
	"os"
	"testing"

	"github.com/bonafide-id/bonafide/internal/pdf"
)

// The test pictures are ffmpeg's test pattern (testsrc=size=96x120), in boxes and bare.
func TestAJPEG2000PictureIsDrawn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"testdata/pattern.jp2", "testdata/pattern.j2k"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := shared.JPEG2000(t.Context(), raw, 96, 120)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		picture, err := jpeg.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if size := picture.Bounds().Size(); size.X != 96 || size.Y != 120 {
			t.Errorf("%s: %v", name, size)
		}
		red, green, blue, _ := picture.At(40, 14).RGBA()
		if got, want := (color.RGBA{R: uint8(red >> 8), G: uint8(green >> 8), B: uint8(blue >> 8), A: 255}), (color.RGBA{B: 255, A: 255}); !near(got, want) {
			t.Errorf("%s: the bar is %v, want %v", name, got, want)
		}
		for what, broken := range map[string][]byte{"half of it": raw[:len(raw)/8], "nothing": nil, "something else": bytes.Repeat([]byte("x"), 400)} {
			if _, err := shared.JPEG2000(t.Context(), broken, 96, 120); !errors.Is(err, pdf.ErrNotJPEG2000) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
		if _, err := shared.JPEG2000(t.Context(), raw, 96, 100_000); !errors.Is(err, pdf.ErrNotJPEG2000) {
			t.Errorf("a picture of 100 000 lines: %v", err)
		}
	}
}
