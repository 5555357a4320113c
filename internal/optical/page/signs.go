package page

import (
	"context"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// A second face on the page is the portrait's ghost image when it is smaller than the portrait, but not so small that
// there is nothing to compare.
const (
	ghostSmallest = 0.18 // of the portrait's width
	ghostLargest  = 0.85
	ghostLeast    = 48 // pixels of its face
)

// Signs returns the signs of a page whose corners and width in millimetres are known, without reading it. The portrait is the
// largest face on it.
func Signs(ctx context.Context, faces *face.Engine, img *imaging.Photo, quad imaging.Quad, width float64) (idv.Signs, error) {
	small, scale := img.Fit(FaceSide)
	found, err := faces.Detect(ctx, small)
	if err != nil {
		return idv.Signs{}, err
	}
	box := boundsOf(quad)
	EnlargeFaces(found, scale)
	found = slices.DeleteFunc(found, func(f face.Face) bool { return !pixels(f.Pixel).In(box) })
	var portrait *Portrait
	if f, ok := face.Largest(found); ok {
		portrait = &Portrait{Face: f}
	}
	return signsOf(ctx, faces, &rectified{img: img, quad: quad}, forensic.Look(img, quad), width, portrait)
}

// signsOf returns the signs of a copy, and of an exchanged portrait; the portrait may be nil, and so may faces: then no others are found.
func signsOf(ctx context.Context, faces *face.Engine, page *rectified, places *forensic.Places, width float64, portrait *Portrait) (idv.Signs, error) {
	grid := places.Grid(width)
	s := idv.Signs{
		PixelsPerMM: acrossOf(page.quad) / width, Places: grid.Places, Grid: grid.Nats, GridPeriod: grid.Period, GridAngle: grid.Angle,
		Colour: forensic.Colour(page.small()), Monochrome: forensic.Monochrome(page.img),
	}
	s.Pictured = portrait != nil
	if faces == nil {
		return s, nil
	}
	// A portrait that is too small to be found in the whole picture is found on the page.
	found, err := faces.Detect(ctx, page.small())
	if err != nil {
		return idv.Signs{}, err
	}
	s.Pictured = s.Pictured || len(found) > 0
	if portrait == nil {
		return s, nil
	}
	if grain, ok := forensic.Grain(page.img, boundsOf(page.quad), pixels(portrait.Face.Pixel)); ok {
		s.Grain = &grain
	}
	return s, compareGhost(ctx, faces, page, found, portrait, &s)
}

// compareGhost compares the portrait with the largest smaller face on the page, if there is one. The faces are those of the page's
// small copy.
func compareGhost(ctx context.Context, faces *face.Engine, page *rectified, found []face.Face, portrait *Portrait, s *idv.Signs) error {
	across, _ := page.size(ghostSide)
	scale := float64(page.small().W) / float64(across)
	EnlargeFaces(found, scale)
	ghost, ok := ghostOf(found)
	if !ok {
		return nil
	}
	own, err := portrait.Template(ctx, faces, page.img)
	if err != nil {
		return err
	}
	other, err := faces.TemplateOf(ctx, page.colour(ghostSide), ghost)
	if err != nil {
		return err
	}
	alike := face.Similarity(own, other)
	s.Ghost, s.GhostWidth = &alike, int(math.Round(ghost.Pixel.W))
	return nil
}

// EnlargeFaces moves faces that were found on a copy to the picture; scale is the size of the copy in parts of the picture's.
func EnlargeFaces(found []face.Face, scale float64) {
	for i, f := range found {
		found[i].Pixel = face.Box{X: f.Pixel.X / scale, Y: f.Pixel.Y / scale, W: f.Pixel.W / scale, H: f.Pixel.H / scale}
	}
}

// ghostOf returns the largest face that is smaller than the portrait, the largest of all, and apart from it.
func ghostOf(faces []face.Face) (face.Face, bool) {
	largest, _ := face.Largest(faces)
	own := largest.Pixel
	var best face.Face
	for _, f := range faces {
		b := f.Pixel
		apart := b.X > own.X+own.W || own.X > b.X+b.W || b.Y > own.Y+own.H || own.Y > b.Y+b.H
		if apart && b.W >= ghostLeast && b.W >= ghostSmallest*own.W && b.W <= ghostLargest*own.W && b.W > best.Pixel.W {
			best = f
		}
	}
	return best, best.Pixel.W > 0
}
