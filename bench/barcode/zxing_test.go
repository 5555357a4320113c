package barcode

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// The floor is what the pure Go library reads of this set in its own tests; ours must not fall below it.
func TestFloorOnZxingPDF417(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	dir := filepath.Join(data, "pdf417")
	if _, err := os.Stat(dir); data == "" || err != nil {
		t.Skip("data set zxing-pdf417-1-2 is missing (BONAFIDE_DATA)")
	}
	if testing.Short() {
		t.Skip("data set zxing-pdf417-1-2: takes seconds")
	}
	r, err := Run(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		t.Logf("%s right %v read %v %.0f ms %s", f.Name, f.Right, f.Read, f.Milliseconds, f.Failure)
	}
	t.Logf("%d of %d right, %+v ms", r.Right.Count, r.Pictures, r.Milliseconds)
	if r.Wrong.Count > 0 || r.Right.Count < 38 {
		t.Errorf("%d right, %d wrong", r.Right.Count, r.Wrong.Count)
	}
}
