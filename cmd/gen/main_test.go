package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFilesAreCurrent(t *testing.T) {
	root := "../.."
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	if err := run(root, true); err != nil {
		t.Error(err)
	}
}

func TestStaleFilesAreNamedAndWritten(t *testing.T) {
	root := t.TempDir()
	records, err := filepath.Abs("../../bench")
	if err == nil {
		err = os.Symlink(records, filepath.Join(root, "bench"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := run(root, true); err == nil {
		t.Error("an empty tree was found current")
	}
	if err := run(root, false); err != nil {
		t.Fatal(err)
	}
	if err := run(root, true); err != nil {
		t.Errorf("what was written is not current: %v", err)
	}
}
