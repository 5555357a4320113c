package bench_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/bench"
)

func TestAPictureIsBesideItsListOrInImages(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "images"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.jpg": "beside", "images/a.jpg": "hidden by the one beside", "images/b.jpg": "below"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"a.jpg": "beside", "b.jpg": "below"} {
		if got, err := bench.OpenPicture(dir, name); err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := bench.OpenPicture(dir, "c.jpg"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is no such file", err)
	}
}
