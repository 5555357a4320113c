package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"

	pdfium "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/requests"
)

// ErrNotJPEG2000 is the error of a picture that cannot be drawn, is larger than a page may be, or has one colour only.
var ErrNotJPEG2000 = errors.New("not a JPEG 2000 picture that can be drawn")

// JPEG2000 returns a JPEG 2000 picture of the given size in pixels as JPEG. PDFium knows that encoding, because pages may hold it, and
// so a picture of a stranger's chip is decoded in the same sandbox and within the same limits as a stranger's file.
func (r *Renderer) JPEG2000(ctx context.Context, b []byte, width, height int) ([]byte, error) {
	if int64(len(b)) > r.options.MaxBytes || width < 1 || height < 1 || width > longestSide || height > longestSide {
		return nil, ErrNotJPEG2000
	}
	var out []byte
	err := r.do(ctx, func(in pdfium.Pdfium) (err error) {
		out, err = drawPicture(in, pageOf(b, width, height), width, height)
		return err
	})
	if errors.Is(err, errOutOfTime) {
		return nil, ErrNotJPEG2000
	}
	return out, err
}

// pageOf returns a file of one page, which the picture fills: a point a pixel.
func pageOf(picture []byte, width, height int) []byte {
	content := fmt.Sprintf("%d 0 0 %d 0 0 cm /I Do", width, height)
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>", width, height),
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content),
		fmt.Sprintf("<</Type/XObject/Subtype/Image/Width %d/Height %d/Filter/JPXDecode/Length %d>>stream\n%s\nendstream",
			width, height, len(picture), picture),
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	var index bytes.Buffer
	for i, o := range objects {
		fmt.Fprintf(&index, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, index.String(), len(objects)+1, start)
	return b.Bytes()
}

func drawPicture(in pdfium.Pdfium, file []byte, width, height int) ([]byte, error) {
	doc, err := in.OpenDocument(&requests.OpenDocument{File: &file})
	if err != nil {
		return nil, ErrNotJPEG2000
	}
	drawn, err := in.RenderPageInPixels(&requests.RenderPageInPixels{
		Page:  requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document}},
		Width: width, Height: height,
	})
	if err != nil {
		return nil, ErrNotJPEG2000
	}
	defer drawn.Cleanup()
	if plain(drawn.Result.RenderedImage) { // a picture that cannot be decoded leaves the page white
		return nil, ErrNotJPEG2000
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, drawn.Result.RenderedImage, &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}

// plain reports whether a picture has one colour only.
func plain(m image.Image) bool {
	flat := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	draw.Draw(flat, flat.Rect, m, m.Bounds().Min, draw.Src)
	for i := 4; i < len(flat.Pix); i++ {
		if flat.Pix[i] != flat.Pix[i%4] {
			return false
		}
	}
	return true
}
