package onnx

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// The tests of this file run before any that loads the real library, of which a process holds one.

func TestAFileThatIsNoLibraryDoesNotLoad(t *testing.T) {
	path, err := Unpack(filepath.Join(t.TempDir(), "lib"), fakeDigest(), opener(fakeLib))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenRuntime(path, fakeDigest()); !errors.Is(err, ErrLoad) || !strings.Contains(err.Error(), "libonnxruntime") {
		t.Errorf("error %v, want %v", err, ErrLoad)
	}
}

func TestAFileSystemWithoutProgramsIsNoticed(t *testing.T) {
	if noExec(t.TempDir()) {
		t.Error("the temporary directory counts as noexec")
	}
	if !noExec("/proc") {
		t.Skip("/proc is not mounted noexec here")
	}
}
