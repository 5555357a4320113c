package face_test

import (
	"image"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// engine loads the packed models, or skips the test if `make pack` has not put them there.
func engine(t testing.TB) *face.Engine {
	t.Helper()
	set, r := packtest.Runtime(t, face.TemplateModel)
	return face.New(set, r, face.Options{})
}

// imageRect is the box in pixels, less the given part of its width on the left.
func imageRect(b face.Box, less float64) image.Rectangle {
	return image.Rect(int(b.X+less*b.W), int(b.Y), int(b.X+b.W), int(b.Y+b.H))
}
