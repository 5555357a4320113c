package biometric_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

var libDir string

// engine loads the packed models, or skips the test where `make pack` has not run.
func engine(t *testing.T) *face.Engine {
	t.Helper()
	set, err := modelcard.Open(os.DirFS(filepath.Join("..", "..", "models")))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Missing() {
		if name == "runtime" || strings.HasPrefix(name, "face-") {
			t.Skipf("models/pack has no %s: run `make pack`", name)
		}
	}
	started.Do(func() { models, startErr = start(set) })
	if startErr != nil {
		t.Fatal(startErr)
	}
	return models
}

// The library and the models are large and loaded once for all tests.
var (
	started  sync.Once
	models   *face.Engine
	startErr error
)

func start(set *modelcard.Set) (*face.Engine, error) {
	lib, err := set.Bytes("runtime")
	if err != nil {
		return nil, err
	}
	card, _ := set.Card("runtime")
	r, err := onnx.Start(libDir, card.SHA256, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(lib)), nil })
	if err != nil {
		return nil, err
	}
	return face.New(set, r, face.Options{}), nil
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "biometric-test-")
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
