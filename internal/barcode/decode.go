package barcode

import (
	"image"

	zxing "github.com/ericlevine/zxinggo"
	"github.com/ericlevine/zxinggo/binarizer"
	"github.com/ericlevine/zxinggo/bitutil"
	"github.com/ericlevine/zxinggo/pdf417/decoder"
	"github.com/ericlevine/zxinggo/pdf417/detector"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// binarize makes black and white of grey.
type binarize func(zxing.LuminanceSource) zxing.Binarizer

// binarizers: by local contrast first, then one threshold a row region.
var binarizers = []binarize{
	func(s zxing.LuminanceSource) zxing.Binarizer { return binarizer.NewHybrid(s) },
	func(s zxing.LuminanceSource) zxing.Binarizer { return binarizer.NewGlobalHistogram(s) },
}

func bitmap(g *imaging.Gray, bin binarize) *zxing.BinaryBitmap {
	src := zxing.NewGrayImageLuminanceSource(&image.Gray{Pix: g.Pix, Stride: g.W, Rect: image.Rect(0, 0, g.W, g.H)})
	return zxing.NewBinaryBitmap(bin(src))
}

// readPDF417 decodes the first PDF417 of the picture; seen are the outlines
// that were found but did not decode.
func readPDF417(g *imaging.Gray, bin binarize) (c Code, seen []imaging.Quad, ok bool) {
	// The library is young and indexes by what it measured in the picture: a
	// panic in it means that this view cannot be read, nothing more.
	defer func() {
		if recover() != nil {
			c, ok = Code{}, false
		}
	}()
	matrix, err := bitmap(g, bin).BlackMatrix()
	if err != nil {
		return Code{}, nil, false
	}
	for _, turned := range []int{0, 180} {
		if turned != 0 {
			if len(seen) == 0 {
				break // nothing stood in the way of the other directions
			}
			matrix = matrix.Clone()
			matrix.Rotate180()
		}
		// One outline only: in search of more the library follows a stop pattern without a start pattern for ever.
		found, err := detector.Detect(matrix, false, true)
		if err != nil {
			continue
		}
		for _, points := range found.Points {
			quad, complete := outline(points, found.Rotation+turned, g)
			if c, ok := decodePDF417(found.Bits, points); ok {
				c.Quad, c.partial = quad, !complete
				return c, seen, true
			}
			if complete {
				seen = append(seen, quad)
			}
		}
	}
	return Code{}, seen, false
}

func decodePDF417(bits *bitutil.BitMatrix, p []*zxing.ResultPoint) (Code, bool) {
	if len(p) < 8 {
		return Code{}, false
	}
	narrow, wide := codewordWidths(p)
	got, err := decoder.Decode(bits, p[4], p[5], p[6], p[7], narrow, wide)
	if err != nil || got == nil {
		return Code{}, false
	}
	c := Code{Format: PDF417, Text: got.Text, Bytes: latin1(got.Text)}
	if m, ok := got.Other.(*decoder.PDF417ResultMetadata); ok && m != nil {
		c.Part = Part{File: m.FileID, Index: m.SegmentIndex, Count: max(m.SegmentCount, 0), Last: m.LastSegment}
	}
	return c, true
}

// codewordWidths bounds a codeword's width by the start pattern (17 modules)
// and the stop pattern (18).
func codewordWidths(p []*zxing.ResultPoint) (narrow, wide int) {
	narrow = 1 << 30
	for _, pair := range [][3]int{{0, 4, 17}, {1, 5, 17}, {6, 2, 18}, {7, 3, 18}} {
		a, b := p[pair[0]], p[pair[1]]
		if a == nil || b == nil {
			continue
		}
		w := int(max(a.X-b.X, b.X-a.X)) * 17 / pair[2]
		narrow, wide = min(narrow, w), max(wide, w)
	}
	return narrow, wide
}

// outline is the code's outer quad on the picture; complete when both its
// start and stop pattern were found.
func outline(p []*zxing.ResultPoint, rotation int, g *imaging.Gray) (imaging.Quad, bool) {
	var q imaging.Quad
	complete := true
	// Outer corners, and what stands in for them when one pattern was not found.
	for i, at := range [][2]int{{0, 6}, {2, 4}, {3, 5}, {1, 7}} {
		pt := p[at[0]]
		if pt == nil {
			complete = false
			pt = p[at[1]]
		}
		if pt == nil {
			return imaging.Quad{}, false
		}
		q[i] = imaging.Point{X: pt.X, Y: pt.Y}
	}
	for i := range q {
		q[i] = unturned(q[i], rotation%360, g.W, g.H)
	}
	return q, complete
}
