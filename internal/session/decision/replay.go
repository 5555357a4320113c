package decision

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/session"
)

// compareFrames adds to an extraction of frames how many of them this deployment was sent before. It is settled in the same
// transaction as the digests that it rests on, and once: a job that runs twice must not find itself.
func (s *Service) compareFrames(ctx context.Context, tx session.Tx, row session.CaptureRow, x idv.Extraction) (idv.Extraction, error) {
	captures, err := tx.Captures(ctx, row.Session)
	if err != nil {
		return x, err
	}
	done := func(c session.CaptureRow) bool { return c.ID == row.ID && c.Extracted }
	if row.Kind != idv.Frames || slices.ContainsFunc(captures, done) {
		return x, nil
	}
	for _, a := range x.Artifacts {
		if a.Kind != idv.ArtifactFrameDigests || !a.Present {
			continue
		}
		digests, err := idv.ValueOf[idv.FrameDigests](a)
		if err != nil {
			return x, err
		}
		earlier, err := tx.EarlierFrames(ctx, row, digests.Digests)
		if err != nil {
			return x, err
		}
		found, err := idv.PresentArtifact(idv.ArtifactReplay, row.Capture, replay(digests.Digests, earlier))
		if err != nil {
			return x, err
		}
		found.Producer, found.Version = "session", "1"
		if found.ID, err = idv.NewID[idv.ArtifactID](s.life.Now(), s.life.Random()); err != nil {
			return x, fmt.Errorf("keep a comparison: %w", err)
		}
		x.Artifacts = append(x.Artifacts, found)
		return x, nil
	}
	return x, nil
}

// replay counts the frames that are near one of an earlier capture.
func replay(digests [][]byte, earlier []session.EarlierFrames) idv.Replay {
	out := idv.Replay{Frames: len(digests)}
	anywhere := make([]bool, len(digests))
	for _, e := range earlier {
		n := 0
		for i, d := range digests {
			if nearAny(d, e.Digests) {
				n++
				anywhere[i] = true
			}
		}
		if n > 0 {
			out.Captures++
		}
		out.LongestRun = max(out.LongestRun, n)
	}
	for i, seen := range anywhere {
		if seen {
			out.Near++
			out.NearFrames = append(out.NearFrames, i)
		}
	}
	return out
}

func nearAny(d []byte, others [][]byte) bool {
	for _, o := range others {
		if liveness.Near(d, o) {
			return true
		}
	}
	return false
}
