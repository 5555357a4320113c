package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// settleTime is what is left to write down an outcome when a job's own time is over.
const settleTime = 10 * time.Second

// Extract is the job that looks at a capture. An extraction that keeps failing settles everything that the
// capture could have yielded as absent, so that nothing waits for it for ever.
func (s *Service) Extract(ctx context.Context, id idv.SessionID, cid idv.CaptureID) error {
	rec, row, err := s.toExtract(ctx, id, cid)
	if err != nil || row == nil {
		return err
	}
	row.Bytes, err = s.pictures.Get(ctx, id, row.Blob)
	var x idv.Extraction
	if err == nil {
		row.Faceless = rec.FaceDeclined
		x, err = s.engineFor(rec).Extract(ctx, row.Capture)
	}
	if err != nil {
		if x, err = s.failed(ctx, *row, err); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	return s.keepExtraction(ctx, rec.ID, *row, x)
}

// toExtract reads the capture; none where there is nothing left to do.
func (s *Service) toExtract(ctx context.Context, id idv.SessionID, cid idv.CaptureID) (Record, *CaptureRow, error) {
	rec, err := s.store.Session(ctx, id)
	if err != nil || rec.State.Final() {
		return rec, nil, err
	}
	captures, err := s.store.Captures(ctx, id)
	if err != nil {
		return rec, nil, err
	}
	for _, row := range active(captures) {
		if row.ID == cid && !row.Extracted {
			return rec, &row, nil
		}
	}
	return rec, nil, nil
}

// failed turns an extraction that did not work into absent artifacts, if no further try is left.
func (s *Service) failed(ctx context.Context, row CaptureRow, cause error) (idv.Extraction, error) {
	if p, ok := problem.As(cause); ok && p.Kind.Severity != problem.None {
		return s.nothing(row, p.Kind.Code), nil
	}
	if !job.AttemptFrom(ctx).Last() && !errors.Is(cause, flow.ErrNeverRuns) {
		return idv.Extraction{}, fmt.Errorf("extract %s: %w", row.ID, cause)
	}
	s.log.ErrorContext(ctx, "extraction given up", "session", row.Session, "capture", row.ID, "error", cause)
	return s.nothing(row, problem.CheckNotRun.Code), nil
}

func (s *Service) nothing(row CaptureRow, code string) idv.Extraction {
	var x idv.Extraction
	for _, k := range s.engine.Yields(row.Kind) {
		x.Artifacts = append(x.Artifacts, idv.AbsentArtifact(k, row.Capture, code))
	}
	return x
}

// keepExtraction writes what was found, blobs first, and asks for the checks. Of a face that was declined meanwhile nothing is
// kept.
func (s *Service) keepExtraction(ctx context.Context, id idv.SessionID, row CaptureRow, x idv.Extraction) error {
	blobs, err := s.putArtifacts(ctx, id, row, x)
	if err != nil {
		return err
	}
	var unwanted []string
	err = s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil || rec.State.Final() {
			return err
		}
		if rec.FaceDeclined {
			if row.Kind != idv.DocumentImage {
				unwanted = blobs
				return nil
			}
			kept, gone := faceless(row, x)
			unwanted = gone
			return s.addExtraction(ctx, tx, row, kept)
		}
		return s.addExtraction(ctx, tx, row, x)
	})
	if err != nil {
		return err
	}
	return s.deleteBlobs(ctx, unwanted)
}

// putArtifacts gives artifacts their ids and writes their blobs, whose names it answers.
func (s *Service) putArtifacts(ctx context.Context, id idv.SessionID, row CaptureRow, x idv.Extraction) ([]string, error) {
	var blobs []string
	for i := range x.Artifacts {
		a := &x.Artifacts[i]
		aid, err := idv.NewID[idv.ArtifactID](s.now(), s.random)
		if err != nil {
			return nil, err
		}
		a.ID, a.Session, a.Capture, a.Side = aid, id, row.ID, row.Side
		if len(a.Blob) == 0 {
			a.BlobType = ""
			continue
		}
		name := ArtifactBlob(id, aid)
		if err := s.pictures.Put(ctx, id, name, a.Blob); err != nil {
			return nil, err
		}
		blobs = append(blobs, name)
	}
	return blobs, nil
}

func (s *Service) addExtraction(ctx context.Context, tx Tx, row CaptureRow, x idv.Extraction) error {
	id := row.Session
	x, err := s.compared(ctx, tx, row, x)
	if err != nil {
		return err
	}
	fresh, err := tx.AddExtraction(ctx, row, x)
	if err != nil || !fresh {
		return err
	}
	err = tx.Audit(ctx, audit.Record{Action: string(EventExtracted), Session: id, Subject: string(row.ID), After: x.Artifacts})
	if err != nil {
		return err
	}
	if err := s.tell(ctx, tx, id, EventExtracted, map[string]any{"capture": row.ID, "step": row.Step}); err != nil {
		return err
	}
	return tx.Enqueue(ctx, job.Check{Session: id})
}
