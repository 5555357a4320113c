package bench_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestAGalleryKeepsReducedPicturesAndForgetsThoseOfAnEarlierRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mrz")
	for run, names := range [][]string{{"a", "b"}, {"b"}} {
		g, err := bench.NewGallery(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			if err := g.Add(bench.Failure{Name: n, Want: []string{strconv.Itoa(run)}}, imaging.NewRGB(1800, 900)); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := bench.ReadGallery(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]bench.Failure{{Name: "b", Picture: "b.jpg", Want: []string{"1"}}}, got); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jpg"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got pictures %v (%v), want one", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := imaging.Decode(raw, imaging.Limits{})
	if err != nil || img.W != 900 || img.H != 450 {
		t.Errorf("got %v, want a picture of 900 × 450", err)
	}
}

func TestAGalleryWithoutAFolderKeepsNothing(t *testing.T) {
	g, err := bench.NewGallery("")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Add(bench.Failure{Name: "a"}, imaging.NewRGB(1, 1)); err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Fatal(err)
	}
}
