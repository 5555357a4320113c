package decision

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// faceless lets go of what an extraction has of the face of who declined biometrics, where it came in while they did:
// templates, and the portrait that was cut out of the document, whose blob it names.
func faceless(row session.CaptureRow, x idv.Extraction) (idv.Extraction, []string) {
	var blobs []string
	x.Artifacts = slices.Clone(x.Artifacts)
	for i, a := range x.Artifacts {
		switch {
		case session.IsTemplate(a.Kind):
			gone := idv.AbsentArtifact(a.Kind, row.Capture, problem.BiometricsDeclined.Code)
			gone.ID, gone.Session, gone.Capture, gone.Side = a.ID, a.Session, a.Capture, a.Side
			x.Artifacts[i] = gone
		case len(a.Blob) > 0:
			blobs = append(blobs, session.ArtifactBlob(a.Session, a.ID))
			x.Artifacts[i].Blob, x.Artifacts[i].BlobType = nil, ""
		}
	}
	return x, blobs
}

// saveTimeout is what is left to write down an outcome when a job's own time is over.
const saveTimeout = 10 * time.Second

// Extract is the job that looks at a capture. An extraction that keeps failing settles everything that the
// capture could have yielded as absent, so that nothing waits for it for ever.
func (s *Service) Extract(ctx context.Context, id idv.SessionID, cid idv.CaptureID) error {
	rec, row, err := s.pendingCapture(ctx, id, cid)
	if err != nil || row == nil {
		return err
	}
	row.Bytes, err = s.pictures.Get(ctx, id, row.Blob)
	var x idv.Extraction
	if err == nil {
		row.Faceless, row.Mode = rec.FaceDeclined, rec.Mode
		x, err = s.life.EngineFor(rec).Extract(ctx, row.Capture)
	}
	if err != nil {
		if x, err = s.giveUpExtraction(ctx, *row, err); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	return s.saveExtraction(ctx, rec.ID, *row, x)
}

// pendingCapture reads the capture; none where there is nothing left to do.
func (s *Service) pendingCapture(ctx context.Context, id idv.SessionID, cid idv.CaptureID) (session.Record, *session.CaptureRow, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil || rec.State.Final() {
		return rec, nil, err
	}
	captures, err := s.store.Captures(ctx, id)
	if err != nil {
		return rec, nil, err
	}
	for _, row := range session.Active(captures) {
		if row.ID == cid && !row.Extracted {
			return rec, &row, nil
		}
	}
	return rec, nil, nil
}

// giveUpExtraction turns an extraction that did not work into absent artifacts, if no further try is left.
func (s *Service) giveUpExtraction(ctx context.Context, row session.CaptureRow, cause error) (idv.Extraction, error) {
	if p, ok := problem.As(cause); ok && p.Kind.Severity != problem.None {
		return s.absent(row, p.Kind.Code), nil
	}
	if !job.AttemptFrom(ctx).Last() && !errors.Is(cause, flow.ErrNeverRuns) {
		return idv.Extraction{}, fmt.Errorf("extract %s: %w", row.ID, cause)
	}
	s.log.ErrorContext(ctx, "extraction given up", "session", row.Session, "capture", row.ID, "error", cause)
	return s.absent(row, problem.CheckNotRun.Code), nil
}

func (s *Service) absent(row session.CaptureRow, code string) idv.Extraction {
	var x idv.Extraction
	for _, k := range s.engine.Yields(row.Kind) {
		x.Artifacts = append(x.Artifacts, idv.AbsentArtifact(k, row.Capture, code))
	}
	return x
}

// saveExtraction writes what was found, blobs first, and asks for the checks. Of a face that was declined meanwhile nothing is
// kept.
func (s *Service) saveExtraction(ctx context.Context, id idv.SessionID, row session.CaptureRow, x idv.Extraction) error {
	blobs, err := s.storeArtifacts(ctx, id, row, x)
	if err != nil {
		return err
	}
	var unwanted []string
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || rec.State.Final() {
			return err
		}
		if rec.FaceDeclined {
			if row.Kind != idv.DocumentImage && row.Kind.HasPicture() {
				unwanted = blobs
				return nil
			}
			x, unwanted = faceless(row, x)
		}
		if err := s.addExtraction(ctx, tx, row, x); err != nil || row.Kind != idv.WalletData {
			return err
		}
		return s.standWallet(ctx, tx, &rec, x)
	})
	if err != nil {
		return err
	}
	return s.life.DeleteBlobs(ctx, unwanted)
}

// storeArtifacts gives artifacts their ids and writes their blobs, whose names it answers.
func (s *Service) storeArtifacts(ctx context.Context, id idv.SessionID, row session.CaptureRow, x idv.Extraction) ([]string, error) {
	var blobs []string
	for i := range x.Artifacts {
		a := &x.Artifacts[i]
		aid, err := idv.NewID[idv.ArtifactID](s.life.Now(), s.life.Random())
		if err != nil {
			return nil, err
		}
		a.ID, a.Session, a.Capture, a.Side = aid, id, row.ID, row.Side
		if len(a.Blob) == 0 {
			a.BlobType = ""
			continue
		}
		name := session.ArtifactBlob(id, aid)
		if err := s.pictures.Put(ctx, id, name, a.Blob); err != nil {
			return nil, err
		}
		blobs = append(blobs, name)
	}
	return blobs, nil
}

func (s *Service) addExtraction(ctx context.Context, tx session.Tx, row session.CaptureRow, x idv.Extraction) error {
	id := row.Session
	x, err := s.compareFrames(ctx, tx, row, x)
	if err != nil {
		return err
	}
	fresh, err := tx.AddExtraction(ctx, row, x)
	if err != nil || !fresh {
		return err
	}
	err = tx.Audit(ctx, audit.Record{Action: string(session.EventExtracted), Session: id, Subject: string(row.ID), After: x.Artifacts})
	if err != nil {
		return err
	}
	if err := s.life.Notify(ctx, tx, id, session.EventExtracted, map[string]any{"capture": row.ID, "step": row.Step}); err != nil {
		return err
	}
	return tx.Enqueue(ctx, job.Check{Session: id})
}
