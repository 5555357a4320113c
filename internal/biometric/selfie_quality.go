package biometric

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// SelfieQuality asks whether the selfie shows one face that is fit to compare. Each reason can be mended by a better
// picture.
type SelfieQuality struct{}

// Kind is face.selfie.
func (SelfieQuality) Kind() idv.CheckKind { return idv.CheckSelfieQuality }

// Needs the face of the selfie.
func (SelfieQuality) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactSelfie} }

// Check repeats what the extractor found. The score is the sharpness, the threshold its floor.
func (SelfieQuality) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactSelfie)
	if !ok {
		return idv.DoesNotApply("No selfie was asked for."), nil
	}
	if !a.Present {
		f := idv.Failed(idv.Reason{Code: a.Absent, Step: idv.StepSelfie})
		f.Inputs = a.Inputs
		return f, nil
	}
	s, err := idv.ValueOf[idv.SelfieFace](a)
	if err != nil {
		return idv.Finding{}, err
	}
	f := idv.Passed()
	for _, code := range s.Reasons {
		f.Outcome = idv.Fail
		f.Reasons = append(f.Reasons, idv.Reason{Code: code, Step: idv.StepSelfie})
	}
	floor := float64(leastSharpness)
	f.Score, f.Threshold, f.Inputs = &s.Sharpness, &floor, a.Inputs
	f.Models = []idv.ModelRef{{Name: face.DetectModel}, {Name: face.MeshModel}}
	f.Measures = map[string]float64{
		"yaw": s.Yaw, "pitch": s.Pitch, "roll": s.Roll, "eyes_open": s.EyesOpen,
		"brightness": s.Brightness, "face_width": float64(s.Face.Width),
	}
	return f, nil
}
