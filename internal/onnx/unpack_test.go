package onnx

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var fakeLib = []byte("not really a library")

func fakeDigest() string {
	sum := sha256.Sum256(fakeLib)
	return hex.EncodeToString(sum[:])
}

func opener(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func TestUnpackingMakesAPrivateDirectoryAndLeavesNothingElse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path, err := Unpack(dir, fakeDigest(), opener(fakeLib))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, fakeLib) {
		t.Errorf("file %q, error %v", b, err)
	}
	st, err := os.Stat(dir)
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, error %v", st.Mode(), err)
	}
	if es, _ := os.ReadDir(dir); len(es) != 1 {
		t.Errorf("%d files in the directory", len(es))
	}
}

func TestAnUnpackedLibraryIsTrustedOnlyByItsDigest(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lib")
	path, err := Unpack(dir, fakeDigest(), opener(fakeLib))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack(dir, fakeDigest(), func() (io.ReadCloser, error) { return nil, errors.New("opened again") }); err != nil {
		t.Errorf("a good file is written again: %v", err)
	}
	if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte("tampered"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenRuntime(path, fakeDigest()); !errors.Is(err, ErrDigest) {
		t.Errorf("a tampered library opens: %v", err)
	}
	if _, err := Unpack(dir, fakeDigest(), opener(fakeLib)); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); !bytes.Equal(b, fakeLib) {
		t.Errorf("the tampered file stays: %q", b)
	}
}

func TestWhatCannotBeUnpackedSaysWhy(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	file := filepath.Join(t.TempDir(), "file")
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o755), os.WriteFile(file, nil, 0o600), os.Symlink(t.TempDir(), link)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		dir    string
		digest string
		lib    []byte
		want   error
	}{
		{"a directory that others may enter", open, fakeDigest(), fakeLib, ErrUnsafe},
		{"a link to a directory", link, fakeDigest(), fakeLib, ErrUnsafe},
		{"a packed library with another digest", filepath.Join(t.TempDir(), "x"), fakeDigest(), []byte("other"), ErrDigest},
		{"no digest", t.TempDir(), "", fakeLib, ErrDigest},
		{"a read-only file system", "/proc/self/bonafide", fakeDigest(), fakeLib, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Unpack(tt.dir, tt.digest, opener(tt.lib))
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
		})
	}
	if _, err := Unpack(file, fakeDigest(), opener(fakeLib)); err == nil {
		t.Error("a plain file serves as directory")
	}
}

func TestWriteErrorsHaveNames(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := filepath.Join(t.TempDir(), "ro")
	if err := os.Mkdir(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Unpack(dir, fakeDigest(), opener(fakeLib)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("error %v, want %v", err, ErrReadOnly)
	}
}
