package persona

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Size of a drawn picture, and of the frames of a recording, in pixels.
const (
	cardWidth, cardHeight   = 856, 540
	frameWidth, frameHeight = 320, 400
	frameCount              = idv.LeastFrames
	frameEvery              = 600 // milliseconds
)

// titles are what a picture says of itself.
var titles = map[idv.Step]string{
	idv.StepDocumentFront: "DOCUMENT, FRONT", idv.StepDocumentBack: "DOCUMENT, BACK", idv.StepSelfie: "SELFIE",
}

// Picture draws what a persona sends for a step: a card that says what it is, so that nobody takes it for a document. The
// try is on it, so that no two are alike. JPEG.
func (p Persona) Picture(step idv.Step, try int) ([]byte, error) {
	return drawn(cardWidth, cardHeight, 4, append(p.heading(), titles[step], fmt.Sprintf("try %d", try)))
}

// Recording draws the frames that a persona answers a challenge with, and their times in milliseconds.
func (p Persona) Recording(try int) (frames [][]byte, times []int, err error) {
	for i := range frameCount {
		f, err := drawn(frameWidth, frameHeight, 2, append(p.heading(), fmt.Sprintf("try %d", try), fmt.Sprintf("frame %d", i+1)))
		if err != nil {
			return nil, nil, err
		}
		frames, times = append(frames, f), append(times, i*frameEvery)
	}
	return frames, times, nil
}

// heading names the persona in lines that fit.
func (p Persona) heading() []string {
	family, rest, _ := strings.Cut(p.Name, ".")
	return []string{"TEST PERSONA", family, rest, ""}
}

var (
	paper = color.RGBA{0xe9, 0xee, 0xf2, 0xff}
	ink   = color.RGBA{0x24, 0x3b, 0x4f, 0xff}
	edge  = color.RGBA{0x8f, 0xa6, 0xb8, 0xff}
)

// drawn writes lines on a sheet, each pixel of the letters scale pixels wide. The scale must be even: JPEG keeps one
// colour for two by two pixels. Width and height are multiples of it.
func drawn(width, height, scale int, lines []string) ([]byte, error) {
	small := image.NewRGBA(image.Rect(0, 0, width/scale, height/scale))
	draw.Draw(small, small.Bounds(), image.NewUniform(edge), image.Point{}, draw.Src)
	draw.Draw(small, small.Bounds().Inset(3), image.NewUniform(paper), image.Point{}, draw.Src)
	pen := font.Drawer{Dst: small, Src: image.NewUniform(ink), Face: basicfont.Face7x13}
	for i, line := range lines {
		pen.Dot = fixed.P(14, 30+17*i)
		pen.DrawString(line)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, enlarged(small, scale), &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("draw a persona's picture: %w", err)
	}
	return out.Bytes(), nil
}

// enlarged returns a picture scale times as large, in the planes that JPEG keeps: the encoder need not convert every pixel.
func enlarged(small *image.RGBA, scale int) *image.YCbCr {
	w, h := small.Rect.Dx(), small.Rect.Dy()
	big := image.NewYCbCr(image.Rect(0, 0, w*scale, h*scale), image.YCbCrSubsampleRatio420)
	fill := func(plane []byte, stride, x, y, side int, level byte) {
		for i := range side {
			row := plane[(y*side+i)*stride+x*side:]
			for j := range side {
				row[j] = level
			}
		}
	}
	for y := range h {
		for x := range w {
			at := small.RGBAAt(x, y)
			luma, blue, red := color.RGBToYCbCr(at.R, at.G, at.B)
			fill(big.Y, big.YStride, x, y, scale, luma)
			fill(big.Cb, big.CStride, x, y, scale/2, blue)
			fill(big.Cr, big.CStride, x, y, scale/2, red)
		}
	}
	return big
}
