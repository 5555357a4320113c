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
	copySources(t, root)
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

// copySources copies the files that sentences are read from.
func copySources(t *testing.T, root string) {
	t.Helper()
	patterns := []string{"models/cards/*.json", "web/src/i18n/console/*.json", "web/src/i18n/console/de/*.json"}
	for _, one := range told {
		patterns = append(patterns, one.files...)
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			to := filepath.Join(root, filepath.Dir(pattern), filepath.Base(path))
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.MkdirAll(filepath.Dir(to), 0o700)
			}
			if err == nil {
				err = os.WriteFile(to, raw, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
