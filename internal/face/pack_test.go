package face_test

import (
	"bytes"
	"image"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

var (
	libDir  string
	started = sync.OnceValues(func() (*onnx.Runtime, error) {
		set, err := modelcard.Open(os.DirFS(filepath.Join("..", "..", "models")))
		if err != nil {
			return nil, err
		}
		lib, err := set.Bytes("runtime")
		if err != nil {
			return nil, err
		}
		card, _ := set.Card("runtime")
		return onnx.Start(libDir, card.SHA256, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(lib)), nil })
	})
)

// engine loads the packed models, or skips the test if `make pack` has not put them there.
func engine(t testing.TB) *face.Engine {
	t.Helper()
	set := models(t)
	r, err := started()
	if err != nil {
		t.Fatal(err)
	}
	return face.New(set, r, face.Options{})
}

func models(t testing.TB) *modelcard.Set {
	t.Helper()
	set, err := modelcard.Open(os.DirFS(filepath.Join("..", "..", "models")))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Missing() {
		if name == "runtime" || name == face.TemplateModel {
			t.Skipf("models/pack has no %s: run `make pack`", name)
		}
	}
	return set
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "face-test-")
	if err != nil {
		panic(err)
	}
	libDir = filepath.Join(dir, "runtime")
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// imageRect is the box in pixels, less the given part of its width on the left.
func imageRect(b face.Box, less float64) image.Rectangle {
	return image.Rect(int(b.X+less*b.W), int(b.Y), int(b.X+b.W), int(b.Y+b.H))
}
