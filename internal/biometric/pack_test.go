package biometric_test

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// engine loads the packed models, or skips the test where `make pack` has not run.
func engine(t *testing.T) *face.Engine {
	t.Helper()
	set, r := packtest.Runtime(t, face.DetectModel, face.MeshModel, face.TemplateModel, face.LivenessModel)
	return face.New(set, r, face.Options{})
}
