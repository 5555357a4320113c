package biometric

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// glanceWidth is the face width in pixels below which the eyes cannot be leastEyeGap apart.
const glanceWidth = 56

// Gate takes the quick look at selfies: is it a picture, with one face, near enough and not in the dark?
type Gate struct {
	faces   *face.Engine
	options Options
}

// NewGate returns a gate that looks with the given engine.
func NewGate(faces *face.Engine, o Options) *Gate { return &Gate{faces: faces, options: o} }

// Reads pictures of faces.
func (*Gate) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.FaceImage} }

// Glance returns the *problem.Error of imaging.Decode, capture.no_face, capture.several_faces, capture.face_too_small or
// capture.dark. Any other error means that it could not look.
func (g *Gate) Glance(ctx context.Context, c idv.Capture) error {
	p, _, err := imaging.Decode(c.Bytes, g.options.Limits)
	if err != nil {
		return err
	}
	small, scale := p.Fit(640)
	turn, found, err := g.faces.DetectAnyTurn(ctx, small)
	if err != nil {
		return err
	}
	small = small.Turn(turn)
	switch people(found) {
	case 0:
		return problem.New(problem.CaptureNoFace)
	case 1:
	default:
		return problem.New(problem.CaptureSeveralFaces)
	}
	f, _ := face.Largest(found)
	if f.Pixel.W/scale < glanceWidth {
		return problem.New(problem.CaptureFaceTooSmall)
	}
	if imaging.Darkness(small.Crop(region(f)).Gray()) > mostDarkness {
		return problem.New(problem.CaptureDark)
	}
	return nil
}
