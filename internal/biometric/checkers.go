package biometric

import (
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Checkers are the questions about faces.
func Checkers(faces *face.Engine) []idv.Checker {
	return []idv.Checker{
		SelfieQuality{}, FaceMatch{card: faces.Card(face.TemplateModel)}, PassiveLiveness{card: faces.Card(face.LivenessModel)},
		LivenessChallenge{models: trackModels(faces)}, LivenessHead{models: trackModels(faces)}, LivenessLight{}, LivenessReplay{},
	}
}
