package optical

import (
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// shared are the reader of all tests and its finder of faces: each model is loaded once.
var shared struct {
	sync.Once
	reader *Reader
	faces  *face.Engine
}

// readerOfAll returns the shared reader with the packed models. It skips the test where they cannot be had.
func readerOfAll(t *testing.T) (*Reader, *face.Engine) {
	t.Helper()
	set, rt := packtest.Runtime(t)
	shared.Do(func() {
		shared.faces = face.New(set, rt, face.Options{})
		shared.reader = New(set, rt, shared.faces, Options{})
	})
	return shared.reader, shared.faces
}

// document draws a document to read. It skips the test where OCR-B, in which they are printed, is missing.
func document(t *testing.T, kind fixtures.Kind, seed int64) *fixtures.Document {
	t.Helper()
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	d, err := fixtures.NewDocument(kind, seed, fixtures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}
