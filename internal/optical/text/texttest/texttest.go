// Package texttest prints lines for tests of what reads them.
package texttest

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Print draws lines of dark print on light paper in a typeface, one picture each, 26 pixels to the em, with a little noise.
func Print(t *testing.T, ttf []byte, lines []string) []*imaging.Gray {
	t.Helper()
	f, err := opentype.Parse(ttf)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 26, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 7))
	out := make([]*imaging.Gray, len(lines))
	for i, text := range lines {
		img := image.NewGray(image.Rect(0, 0, font.MeasureString(face, text).Ceil()+26, 38))
		draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{Y: 225}), image.Point{}, draw.Src)
		d := font.Drawer{Dst: img, Src: image.NewUniform(color.Gray{Y: 40}), Face: face, Dot: fixed.P(13, 28)}
		d.DrawString(text)
		for k, v := range img.Pix {
			img.Pix[k] = uint8(max(0, min(255, float64(v)+5*r.NormFloat64())))
		}
		out[i] = &imaging.Gray{W: img.Rect.Dx(), H: img.Rect.Dy(), Pix: img.Pix}
	}
	return out
}

// Put copies a text to a page with its upper left corner at x, y, turned clockwise by so many quarters: 0, 1 or 3.
func Put(p *imaging.RGB, text *imaging.Gray, x, y, quarters int) {
	for v := range text.H {
		for u := range text.W {
			tx, ty := u, v
			switch quarters {
			case 1:
				tx, ty = text.H-1-v, u
			case 3:
				tx, ty = v, text.W-1-u
			}
			at := 3 * ((y+ty)*p.W + x + tx)
			for c := range 3 {
				p.Pix[at+c] = text.Pix[v*text.W+u]
			}
		}
	}
}
