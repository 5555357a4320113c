package mrz_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/bench/mrz"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// Floors on passporteye-27.
const (
	leastFound    = 25
	leastRepaired = .60
	leastVerified = 13
)

func TestZonesOfPassporteye27AreReadAndNoneIsProvedWrongly(t *testing.T) {
	data := os.Getenv("BONAFIDE_DATA")
	dir := filepath.Join(data, "mrz")
	if _, err := os.Stat(filepath.Join(dir, "truth.tsv")); data == "" || err != nil {
		t.Skip("the data set passporteye-27 is not here (BONAFIDE_DATA)")
	}
	if testing.Short() {
		t.Skip("nightly: passporteye-27 takes a minute")
	}
	r, err := mrz.Run(t.Context(), dir, "", reader(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Files {
		t.Logf("%-20s %-6s found %-5v exact %-5v repaired %-5v second %-5v digits %-5v agree %-5v printed %-11s verified %-5v %5.0f ms %v second %v",
			f.Name, f.Format, f.Found, f.Exact, f.Repaired, f.SecondExact, f.CheckDigitsOK, f.ReadersAgree, f.PrintedZone,
			f.Verified, f.Milliseconds, f.WrongAt, f.SecondWrongAt)
	}
	t.Logf("found %d exact %d repaired %d verified %d, wrong %d of %d; %+v", r.Found.Count, r.Exact.Count,
		r.Repaired.Count, r.Verified.Count, r.VerifiedWrong.Count, r.Pictures, r.Milliseconds)
	if r.Found.Count < leastFound || r.Repaired.Rate < leastRepaired || r.Verified.Count < leastVerified {
		t.Errorf("found %d, exact after repair %.2f, verified %d: below %d, %.2f, %d",
			r.Found.Count, r.Repaired.Rate, r.Verified.Count, leastFound, leastRepaired, leastVerified)
	}
	if r.VerifiedWrong.Count != 0 {
		t.Errorf("%d zones were called verified and are wrong", r.VerifiedWrong.Count)
	}
}

// shared is the reader of all tests: it loads each model once.
var shared struct {
	sync.Once
	reader *optical.Reader
}

// reader is one with the models of the pack.
func reader(t *testing.T) *optical.Reader {
	t.Helper()
	set, rt := packtest.Runtime(t)
	shared.Do(func() { shared.reader = optical.New(set, rt, face.New(set, rt, face.Options{}), optical.Options{}) })
	return shared.reader
}
