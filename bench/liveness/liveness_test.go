package liveness

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// watcher is an extractor that sees nobody and counts.
type watcher struct{ runs int }

func (*watcher) Reads() []idv.CaptureKind   { return []idv.CaptureKind{idv.Frames} }
func (*watcher) Yields() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactTrack} }

func (w *watcher) Extract(_ context.Context, c idv.Capture) (idv.Extraction, error) {
	w.runs++
	r, err := idv.OpenFrames(c.Bytes)
	if err != nil {
		return idv.Extraction{}, err
	}
	t := idv.Track{Challenge: r.Challenge, WindowMS: 60_000, Sizes: 1}
	for _, f := range r.Frames {
		t.Frames = append(t.Frames, idv.TrackFrame{AtMS: f.AtMS})
	}
	a, err := idv.PresentArtifact(idv.ArtifactTrack, c, t)
	return idv.Extraction{Artifacts: []idv.Artifact{a}}, err
}

func TestAMeasurementGoesOnWhereItWasStopped(t *testing.T) {
	dir := t.TempDir()
	w := &watcher{}
	for _, step := range []struct{ genuine, looked int }{{1, 3}, {1, 3}, {2, 6}} {
		amounts := Amounts{Genuine: step.genuine, Seed: 3, Frames: 8}
		if err := Generate(t.Context(), dir, w, amounts, func(int, int) {}); err != nil {
			t.Fatal(err)
		}
		if w.runs != step.looked {
			t.Errorf("%d runs were looked at, want %d", w.runs, step.looked)
		}
	}
	r, err := Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Runs[Genuine] != 2 || r.Runs[Again] != 2 || r.Refused.Count != 2 || len(r.Failed) != 4 {
		t.Errorf("%+v", r)
	}
}

func TestRatesAreCountedByWhatRunsAre(t *testing.T) {
	same, other := bytes.Repeat([]byte{0xaa}, 32), bytes.Repeat([]byte{0x55}, 32)
	var file bytes.Buffer
	for _, r := range []run{
		{What: Genuine, Seed: 1, Frames: 20, CPUMS: 800, Digests: idv.FrameDigests{Digests: [][]byte{same, same}}},
		{What: Recoded, Seed: 1, Frames: 20, CPUMS: 800, Digests: idv.FrameDigests{Digests: [][]byte{same, same}}},
		{What: Again, Seed: 1, Frames: 20, CPUMS: 800, Digests: idv.FrameDigests{Digests: [][]byte{same, other}}},
		{What: Genuine, Seed: 2, Frames: 20, CPUMS: 800, Digests: idv.FrameDigests{Digests: [][]byte{other}}},
		{What: "still", Seed: 1, Frames: 20, CPUMS: 800},
	} {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(append(line, '\n'))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, tracksFile), file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Run(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Refused.Count != 2 || r.Refused.Of != 2 || r.Accepted["still"].Of != 1 || r.Accepted["still"].Count != 0 {
		t.Errorf("refused %+v, accepted %+v", r.Refused, r.Accepted)
	}
	d := r.Digests
	if d.Recoded.Count != 2 || d.Again.Count != 1 || d.Again.Of != 2 || d.Others.Count != 0 || d.Others.Of != 3 || d.MostAgain != .5 || d.LeastReplay != 1 {
		t.Errorf("digests %+v", d)
	}
	m := r.Measured("made up", "none", time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
	if m.OnPeople || m.Refused.Of != 2 || m.Accepted["still"].Of != 1 || m.Date != "2026-01-02" || m.Thresholds.Side == 0 {
		t.Errorf("%+v", m)
	}
}
