package onnx

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A process holds one library, and other tests load the real one: this test runs in a process of its own.
func TestAFileThatIsNoLibraryDoesNotLoad(t *testing.T) {
	const alone = "BONAFIDE_TEST_ALONE"
	if os.Getenv(alone) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$") //nolint:gosec // this test itself
		child.Env = append(os.Environ(), alone+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
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
