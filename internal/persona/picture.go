package persona

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"

	"golang.org/x/image/draw"
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

// drawn writes lines on a sheet, each pixel of the letters scale pixels wide. Width and height are multiples of scale.
func drawn(width, height, scale int, lines []string) ([]byte, error) {
	small := image.NewRGBA(image.Rect(0, 0, width/scale, height/scale))
	draw.Draw(small, small.Bounds(), image.NewUniform(edge), image.Point{}, draw.Src)
	draw.Draw(small, small.Bounds().Inset(3), image.NewUniform(paper), image.Point{}, draw.Src)
	pen := font.Drawer{Dst: small, Src: image.NewUniform(ink), Face: basicfont.Face7x13}
	for i, line := range lines {
		pen.Dot = fixed.P(14, 30+17*i)
		pen.DrawString(line)
	}
	big := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.NearestNeighbor.Scale(big, big.Rect, small, small.Rect, draw.Src, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, big, &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("draw a persona's picture: %w", err)
	}
	return out.Bytes(), nil
}
