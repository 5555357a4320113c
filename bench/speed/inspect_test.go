package speed

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// burner is an extractor that uses processor time, and none of the pictures.
type burner struct{ sides []idv.Side }

func (b *burner) Extract(_ context.Context, c idv.Capture) (idv.Extraction, error) {
	b.sides = append(b.sides, c.Side)
	for until := bench.Processor() + 5*time.Millisecond; bench.Processor() < until; {
	}
	zone, err := idv.PresentArtifact(idv.ArtifactMRZ, c, idv.MRZ{Verified: c.Side == idv.Front})
	return idv.Extraction{
		Artifacts: []idv.Artifact{zone, idv.AbsentArtifact(idv.ArtifactPage, c, "capture.no_document")},
		Timings:   map[string]time.Duration{"burn": 5 * time.Millisecond},
	}, err
}

func TestInspectReadsEveryDocumentOnceAndCountsWhatItCost(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a-back.jpg", "a-front.jpg", "a-selfie.jpg", "truth.tsv", "b.PNG"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := &burner{}
	r, err := Inspect(t.Context(), dir, x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]idv.Side{idv.Back, idv.Back, idv.Front, idv.Front}, x.sides); d != "" {
		t.Errorf("the first once more, then each (-want +got):\n%s", d)
	}
	if r.Pictures != 3 || r.Verified != 2 || len(r.RSS) != 2 || r.RSS[0] <= 0 || r.RSSPeak < r.RSS[1] {
		t.Errorf("%+v", r)
	}
	if r.CPU.P50 < 5 || r.Stages["burn"].P50 != 5 {
		t.Errorf("processor time %v, stages %v", r.CPU, r.Stages)
	}
}

func TestTheProcessorClockStandsStillWhileNothingIsDone(t *testing.T) {
	clock := ProcessorClock()
	before, start := clock(), time.Now()
	time.Sleep(60 * time.Millisecond)
	if d, wall := clock().Sub(before), time.Since(start); d >= wall/2 {
		t.Errorf("the clock advanced by %s in %s of sleep", d, wall)
	}
}
