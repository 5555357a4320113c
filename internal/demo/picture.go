package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Stories without specimens have pictures that say so: nobody shall look for a document in them.

const (
	pictureWidth  = 640
	pictureHeight = 400
	letters       = 3 // times the font's own size
)

var (
	paper = color.Gray{Y: 214}
	ink   = color.Gray{Y: 92}
)

// picture is a card with some lines of text on it.
func picture(lines ...string) []byte {
	img := image.NewGray(image.Rect(0, 0, pictureWidth, pictureHeight))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{Y: 150}), image.Point{}, draw.Src)
	draw.Draw(img, img.Rect.Inset(24), image.NewUniform(paper), image.Point{}, draw.Src)
	for i, line := range lines {
		label(img, line, 60, 90+60*i)
	}
	return encoded(img, 70)
}

// label writes one line of text, enlarged.
func label(img *image.Gray, line string, x, y int) {
	small := image.NewGray(image.Rect(0, 0, 7*len(line), 13))
	d := font.Drawer{Dst: small, Src: image.White, Face: basicfont.Face7x13, Dot: fixed.P(0, 11)}
	d.DrawString(line)
	for py := range small.Rect.Dy() * letters {
		for px := range small.Rect.Dx() * letters {
			if small.GrayAt(px/letters, py/letters).Y > 127 {
				img.SetGray(x+px, y+py, ink)
			}
		}
	}
}

// facePicture is the shape of a head and shoulders.
var facePicture = sync.OnceValue(func() []byte { return encoded(head(220, 260), 70) })

// framePicture is one frame of a run.
var framePicture = sync.OnceValue(func() []byte { return encoded(head(240, 180), 60) })

func head(w, h int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, w, h))
	inside := func(x, y, cx, cy, rx, ry int) bool {
		dx, dy := float64(x-cx)/float64(rx), float64(y-cy)/float64(ry)
		return dx*dx+dy*dy < 1
	}
	for y := range h {
		for x := range w {
			v := paper
			if inside(x, y, w/2, 2*h/5, h/5, h/4) || inside(x, y, w/2, h, h*2/5, h/3) {
				v = ink
			}
			img.SetGray(x, y, v)
		}
	}
	return img
}

func encoded(img image.Image, quality int) []byte {
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil // a buffer takes everything
	}
	return out.Bytes()
}
