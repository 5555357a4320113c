package barcode

import (
	"fmt"
	"image/color"

	"github.com/boombuler/barcode/qr"
)

// WriteQR writes a text as a QR code of the smallest version that holds it, with error correction level M: a seventh of it
// may be dirty. It fails when the text does not fit.
func WriteQR(text string) (Modules, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return Modules{}, fmt.Errorf("write a QR code: %w", err)
	}
	side := code.Bounds().Dx()
	out := Modules{W: side, H: side, Dark: make([]bool, side*side)}
	for y := range side {
		for x := range side {
			out.Dark[y*side+x] = color.GrayModel.Convert(code.At(x, y)) == color.Gray{}
		}
	}
	return out, nil
}
