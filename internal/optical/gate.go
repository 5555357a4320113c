package optical

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Floors of the quick look, below those of the full reading: what is refused here could not be read by anyone.
const (
	glanceSharpness = 12.0 // imaging.Sharpness over the whole picture
	glanceDarkness  = 0.88
	glancePrint     = 14 // pieces of ink in a line: the back of a card with little more than a barcode has 30, bare desks 0 to 5
)

// Gate takes the quick look at pictures of documents: they must be pictures, large enough, lit, not mere blur, and have print in
// them.
type Gate struct {
	limits imaging.Limits
	faces  *face.Engine
}

// NewGate returns a gate that opens pictures within the limits. Where they name no shortest side, it is 600 pixels. With faces, a
// picture without print that shows one is told as that; nil looks for none.
func NewGate(limits imaging.Limits, faces *face.Engine) *Gate {
	if limits.MinSide == 0 {
		limits.MinSide = page.LeastSide
	}
	return &Gate{limits: limits, faces: faces}
}

// Reads pictures of documents.
func (*Gate) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.DocumentImage} }

// Glance returns the *problem.Error of imaging.Open, capture.low_resolution, capture.dark, capture.blurred,
// capture.face_instead or capture.no_document.
// A desk with writing on it passes, and most faces do: the full reading finds that there is no document.
func (g *Gate) Glance(ctx context.Context, c idv.Capture) error {
	img, _, err := imaging.Open(c.Bytes, g.limits)
	if problem.Has(err, problem.CaptureTooSmall) && c.Source == idv.SourceFile {
		return problem.New(problem.CaptureLowResolution) // coming closer is no advice for a file
	}
	if err != nil {
		return err
	}
	small, _ := img.Fit(1024)
	luma := small.Gray()
	if imaging.Darkness(luma) > glanceDarkness {
		return problem.New(problem.CaptureDark)
	}
	if imaging.Sharpness(luma) < glanceSharpness {
		return problem.New(problem.CaptureBlurred)
	}
	if ocr.GlyphsInLine(luma) >= glancePrint {
		return nil
	}
	if g.showsFace(ctx, small) {
		return problem.New(problem.CaptureFaceInstead)
	}
	return problem.New(problem.CaptureNoDocument)
}

// showsFace reports whether a face is what a picture shows. A look that cannot be taken finds none.
func (g *Gate) showsFace(ctx context.Context, p *imaging.RGB) bool {
	if g.faces == nil {
		return false
	}
	found, err := g.faces.Detect(ctx, p)
	return err == nil && slices.ContainsFunc(found, func(f face.Face) bool { return f.Box.H >= instead })
}
