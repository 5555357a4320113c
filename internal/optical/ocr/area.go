package ocr

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Area is the part of a picture that is searched for print, and the size of the copy on which it is searched. A page that fills
// a third of the picture is seen nine times as large on a copy of its own, at the same cost.
type Area struct {
	Strip
	W, H int // of the copy, multiples of detectGrid
}

// Along one row the copy is alongTimes as large, and so high that it has about as many pixels as before: the runtime's memory
// grows with the largest copy.
const (
	alongTimes = 1.5
	alongHigh  = 320
)

// AlongRow returns the part of the area round the row at a point, on a larger copy.
func (s Area) AlongRow(row imaging.Point) Area {
	_, d := s.Locate(row)
	m := s.At(0, d)
	w := int(alongTimes*float64(s.W)) / DetectGrid * DetectGrid
	s.H, s.Height = alongHigh, alongHigh*s.Length/float64(w)
	s.W, s.X, s.Y = w, m.X, m.Y
	return s
}

// FindIn returns the runs of text in an area, in pixels of the picture.
func (d Detector) FindIn(ctx context.Context, img *imaging.Photo, s Area, c Colours) ([]Strip, error) {
	found, err := d.detect(ctx, img.Warp(s.Quad(), s.W, s.H), c)
	if err != nil {
		return nil, err
	}
	scale := s.Length / float64(s.W)
	for i, f := range found {
		m := s.At((f.X-float64(s.W)/2)*scale, (f.Y-float64(s.H)/2)*scale)
		f = f.Scaled(scale)
		f.X, f.Y = m.X, m.Y
		f.UX, f.UY = f.UX*s.UX-f.UY*s.UY, f.UX*s.UY+f.UY*s.UX
		found[i] = f
	}
	return found, nil
}
