package onnx

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// packFile reads a file of models/pack, or skips the test if `make pack` has not put it there.
func packFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "models", "pack", name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("models/pack/%s is missing: run `make pack`", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// testRuntime loads the packed library.
func testRuntime(t testing.TB) *Runtime {
	t.Helper()
	packFile(t, "face-detect.onnx")
	r, err := started()
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("models/pack has no runtime: run `make pack`")
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// started unpacks and loads the library once for all tests, since it is large.
var started = sync.OnceValues(func() (*Runtime, error) {
	packed, err := os.ReadFile(filepath.Join("..", "..", "models", "pack", "libonnxruntime.so.1.gz"))
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	lib, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(lib)
	return Start(libDir, hex.EncodeToString(sum[:]), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(lib)), nil })
})

var libDir, homeDir string

// The library has a device id and a queue of usage reports in the user's cache directory, where they are not switched off.
func TestTheLibraryKeepsNoRecordOfItsUse(t *testing.T) {
	m := faceModel(t)
	if _, err := m.Run(t.Context(), faceInput(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(homeDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was written to the user's home: %v", err)
	}
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "onnx-test-")
	if err != nil {
		panic(err)
	}
	libDir = filepath.Join(dir, "runtime")
	homeDir = filepath.Join(dir, "home")
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"} {
		if err := os.Setenv(name, homeDir); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		panic(err)
	}
	os.Exit(code)
}
