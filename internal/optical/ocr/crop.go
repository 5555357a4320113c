package ocr

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// ReadHeight is the height of a crop in pixels, the most that any reader of lines uses.
const ReadHeight = 48

// Crop returns the strip, rectified to a picture of ReadHeight rows.
func Crop(img *imaging.Photo, s Strip) *imaging.RGB {
	return img.Warp(s.Quad(), s.cropWidth(), ReadHeight)
}

// CropGray returns the luma of Crop, at less cost.
func CropGray(img *imaging.Photo, s Strip) *imaging.Gray {
	return img.WarpGray(s.Quad(), s.cropWidth(), ReadHeight)
}

// cropWidth returns the width of a crop that keeps the proportions of the strip, at most 4096 pixels.
func (s Strip) cropWidth() int {
	return max(1, min(int(math.Round(s.Length*ReadHeight/math.Max(1, s.Height))), 4096))
}
