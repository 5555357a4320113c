package biometric

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// FramesGate takes the quick look at a run of frames: can it be opened, has it enough frames over long enough, and does
// its first one show a face?
type FramesGate struct{ faces *face.Engine }

// NewFramesGate returns a gate that looks with the given engine.
func NewFramesGate(faces *face.Engine) *FramesGate { return &FramesGate{faces: faces} }

// Reads runs of frames.
func (*FramesGate) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.Frames} }

// Glance returns liveness.challenge_missed for a run that cannot be one, capture.no_face or capture.several_faces for
// what its first frame shows, or the *problem.Error of imaging.Decode. Any other error means that it could not look.
func (g *FramesGate) Glance(ctx context.Context, c idv.Capture) error {
	run, err := idv.OpenFrames(c.Bytes)
	if err != nil || len(run.Frames) < idv.LeastFrames {
		return problem.New(problem.LivenessChallengeMissed)
	}
	if span := run.Frames[len(run.Frames)-1].AtMS - run.Frames[0].AtMS; span < idv.LeastFrameSpanMS || span > idv.MostFrameSpanMS {
		return problem.New(problem.LivenessChallengeMissed)
	}
	p, _, err := imaging.Decode(run.Frames[0].JPEG, frameLimits)
	if err != nil {
		return err
	}
	p, _ = p.Fit(frameLongest)
	found, err := g.faces.DetectNear(ctx, p)
	if err != nil {
		return err
	}
	switch people(found) {
	case 0:
		return problem.New(problem.CaptureNoFace)
	case 1:
		return nil
	default:
		return problem.New(problem.CaptureSeveralFaces)
	}
}
