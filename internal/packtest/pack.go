// Package packtest gives tests the models of models/pack and the runtime that they run on, or skips a test by name
// where `make pack` has not put them there. Nothing here is part of the program.
package packtest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/onnx"
)

// library is the card of the runtime.
const library = "runtime"

// Dir is the repository's models folder, found from the folder that the test runs in.
func Dir(t testing.TB) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, "models")
		}
		up := filepath.Dir(root)
		if up == root {
			t.Fatal("the test runs outside the repository")
		}
		root = up
	}
}

// Models are the cards with their files. It skips the test where one of the named models is missing, of all models where
// none is named.
func Models(t testing.TB, needed ...string) *modelcard.Set {
	t.Helper()
	set, err := modelcard.Open(os.DirFS(Dir(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Missing() {
		if len(needed) == 0 || slices.Contains(needed, name) {
			t.Skipf("models/pack has no %s: run `make pack`", name)
		}
	}
	return set
}

// Runtime are the models as Models gives them and the one runtime that a process may have. It skips the test where the
// library is missing too.
func Runtime(t testing.TB, needed ...string) (*modelcard.Set, *onnx.Runtime) {
	t.Helper()
	if len(needed) > 0 {
		needed = append(slices.Clone(needed), library)
	}
	set := Models(t, needed...)
	process.Do(func() { process.runtime, process.err = start(set) })
	if process.err != nil {
		t.Fatal(process.err)
	}
	return set, process.runtime
}

// process has the library, which is large, unpacked and loaded once for all tests.
var process struct {
	sync.Once
	runtime *onnx.Runtime
	err     error
}

// start loads the library from a folder that is gone afterwards: what is loaded needs no file.
func start(set *modelcard.Set) (r *onnx.Runtime, err error) {
	lib, err := set.Bytes(library)
	if err != nil {
		return nil, err
	}
	card, _ := set.Card(library)
	dir, err := os.MkdirTemp("", "packtest-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return onnx.Start(filepath.Join(dir, library), card.SHA256, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(lib)), nil })
}
