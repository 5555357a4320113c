package ocr

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// ReadHeight is the height of the crops that are cut for reading, in pixels: as much as the larger of both readers uses.
const ReadHeight = 48

// Crop rectifies a strip to a picture of readHeight.
func Crop(img *imaging.Photo, s Strip) *imaging.RGB {
	return img.Warp(s.Quad(), s.cutWidth(), ReadHeight)
}

// CropGray is the luma of cut, and cheaper.
func CropGray(img *imaging.Photo, s Strip) *imaging.Gray {
	return img.WarpGray(s.Quad(), s.cutWidth(), ReadHeight)
}

// cutWidth keeps the proportions of a strip that is cut to readHeight.
func (s Strip) cutWidth() int {
	return max(1, min(int(math.Round(s.Length*ReadHeight/math.Max(1, s.Height))), 4096))
}
