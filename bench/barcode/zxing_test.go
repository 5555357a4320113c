package barcode

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// recorded is the committed measurement of zxing-pdf417-1-2.
func recorded(t *testing.T) Result {
	t.Helper()
	raw, err := os.ReadFile("../results/barcode-zxing-pdf417-1-2.json")
	if err != nil {
		t.Fatal(err)
	}
	var record struct{ Result Result }
	if err := json.Unmarshal(raw, &record); err != nil {
		t.Fatal(err)
	}
	return record.Result
}

// A reader of PDF417 of our own is worth its lines as long as it reads what libzxing reads.
func TestTheRecordHoldsOursAndZxingsReadings(t *testing.T) {
	r := recorded(t)
	if r.Peer == nil || r.Peer.Of != r.Pictures {
		t.Fatalf("the record does not say what libzxing reads of the %d pictures: bonafide bench barcode --peer zxing", r.Pictures)
	}
	if r.Right.Count < r.Peer.Count || r.Wrong.Count > 0 {
		t.Errorf("ours read %d rightly and %d wrongly, libzxing %d", r.Right.Count, r.Wrong.Count, r.Peer.Count)
	}
}

// The floor is what the record says.
func TestFloorOnZxingPDF417(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	dir := filepath.Join(data, "pdf417")
	if _, err := os.Stat(dir); data == "" || err != nil {
		t.Skip("data set zxing-pdf417-1-2 is missing (BONAFIDE_DATA)")
	}
	r, err := Run(context.Background(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		t.Logf("%s right %v read %v %.0f ms %s", f.Name, f.Right, f.Read, f.Milliseconds, f.Failure)
	}
	t.Logf("%d of %d right, %+v ms", r.Right.Count, r.Pictures, r.Milliseconds)
	if want := recorded(t); r.Pictures != want.Pictures || r.Right.Count < want.Right.Count || r.Wrong.Count > want.Wrong.Count {
		t.Errorf(
			"%d of %d right, %d wrong; the record has %d of %d and %d", r.Right.Count, r.Pictures, r.Wrong.Count, want.Right.Count, want.Pictures,
			want.Wrong.Count,
		)
	}
}
