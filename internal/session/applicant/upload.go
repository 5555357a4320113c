package applicant

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of what is sent in parts. Parts are not attempts.
const (
	UploadPartBytes = 512 << 10
	MostUploadBytes = 15 << 20
	MostUploadParts = 128
	UploadsAtOnce   = 3 // of one session; one more takes the place of the oldest
	UploadLife      = time.Hour
)

// uploadBlob names the blob of a part. Two that are sent at once for the same place have two names.
func uploadBlob(s idv.SessionID, part idv.UploadID) string { return string(s) + "/" + string(part) }

// StartUpload begins something that is sent in parts. The oldest of a session gives way to one too many. Problems: those of
// Submit for who may send anything at all.
func (s *Uploads) StartUpload(ctx context.Context, id idv.SessionID) (session.UploadRow, error) {
	uid, err := idv.NewID[idv.UploadID](s.life.Now(), s.life.Random())
	if err != nil {
		return session.UploadRow{}, err
	}
	row := session.UploadRow{ID: uid, Session: id, MadeAt: s.life.Now(), ExpiresAt: s.life.Now().Add(UploadLife)}
	var blobs []string
	err = s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMaySend(ctx, tx, *rec, w); err != nil {
			return err
		}
		rows, err := tx.Uploads(ctx, id)
		if err != nil {
			return err
		}
		for len(rows) >= UploadsAtOnce {
			dropped, err := dropUpload(ctx, tx, rows[0].ID)
			if err != nil {
				return err
			}
			rows, blobs = rows[1:], append(blobs, dropped...)
		}
		return tx.AddUpload(ctx, row)
	})
	if err != nil {
		return session.UploadRow{}, err
	}
	return row, s.life.DeleteBlobs(ctx, blobs)
}

// checkMaySend refuses parts where no step takes any.
func (s *Uploads) checkMaySend(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) error {
	if err := checkTurn(rec); err != nil {
		return err
	}
	due, err := s.plan(ctx, r, rec, w)
	if err != nil {
		return err
	}
	if due.Step == idv.StepConsent {
		return problem.New(problem.ConsentMissing)
	}
	if due.Takes == "" {
		return problem.New(problem.CaptureOutOfOrder)
	}
	return nil
}

// Upload answers how much of an upload is there. Problems: not_found, also where it is another session's or its time is over.
func (s *Uploads) Upload(ctx context.Context, id idv.SessionID, u idv.UploadID) (session.UploadRow, error) {
	return s.uploadOf(ctx, s.store, id, u)
}

func (s *Uploads) uploadOf(ctx context.Context, r session.UploadReader, id idv.SessionID, u idv.UploadID) (session.UploadRow, error) {
	row, err := r.Upload(ctx, u)
	if err != nil {
		return session.UploadRow{}, err
	}
	if row.Session != id || !s.life.Now().Before(row.ExpiresAt) {
		return session.UploadRow{}, problem.New(problem.NotFound)
	}
	return row, nil
}

// DropUpload removes an upload and its bytes at once: the applicant broke off. Problems: not_found.
func (s *Uploads) DropUpload(ctx context.Context, id idv.SessionID, u idv.UploadID) error {
	var blobs []string
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if _, err := tx.Lock(ctx, id); err != nil {
			return err
		}
		if _, err := s.uploadOf(ctx, tx, id, u); err != nil {
			return err
		}
		var err error
		blobs, err = dropUpload(ctx, tx, u)
		return err
	})
	if err != nil {
		return err
	}
	return s.life.DeleteBlobs(ctx, blobs)
}

// Append adds a part, of 1 to UploadPartBytes bytes, that begins at byte offset. Problems: capture.upload_offset where the
// upload does not end there, request.too_large, not_found, and those of StartUpload.
func (s *Uploads) Append(ctx context.Context, id idv.SessionID, u idv.UploadID, offset int64, b []byte) (session.UploadRow, error) {
	row, err := s.uploadOf(ctx, s.store, id, u)
	if err != nil {
		return session.UploadRow{}, err
	}
	if err := fits(row, offset, len(b)); err != nil {
		return session.UploadRow{}, err
	}
	part, err := idv.NewID[idv.UploadID](s.life.Now(), s.life.Random())
	if err != nil {
		return session.UploadRow{}, err
	}
	blob := uploadBlob(id, part)
	if err := s.pictures.Put(ctx, id, blob, b); err != nil {
		return session.UploadRow{}, err
	}
	err = s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMaySend(ctx, tx, *rec, w); err != nil {
			return err
		}
		if row, err = s.uploadOf(ctx, tx, id, u); err != nil {
			return err
		}
		if err := fits(row, offset, len(b)); err != nil {
			return err // the same part, sent twice, came in between
		}
		if err := tx.AddUploadPart(ctx, session.UploadPart{Upload: u, Session: id, Number: row.Parts, Bytes: int64(len(b)), Blob: blob}); err != nil {
			return err
		}
		row.Parts, row.Received = row.Parts+1, row.Received+int64(len(b))
		return tx.SaveUpload(ctx, row)
	})
	if err != nil {
		return session.UploadRow{}, errors.Join(err, s.life.DeleteBlobs(ctx, []string{blob}))
	}
	return row, nil
}

func fits(row session.UploadRow, offset int64, n int) error {
	switch {
	case offset != row.Received || row.Attempt != "":
		return problem.New(problem.CaptureUploadOffset)
	case n == 0:
		return session.Malformed("", "a part has at least one byte")
	case n > UploadPartBytes || row.Received+int64(n) > MostUploadBytes || row.Parts >= MostUploadParts:
		return problem.New(problem.RequestTooLarge)
	}
	return nil
}

// Uploaded reads what was sent in parts, for an attempt that says how many bytes it has. answered: this attempt was made
// with it before, whose answer Answered repeats; nothing is left to read then. Problems: not_found,
// capture.upload_incomplete.
func (s *Uploads) Uploaded(ctx context.Context, id idv.SessionID, u idv.UploadID, attempt string, size int64) (b []byte, answered bool, err error) {
	row, err := s.uploadOf(ctx, s.store, id, u)
	if err != nil {
		return nil, false, err
	}
	if row.Attempt != "" {
		if row.Attempt != attempt {
			return nil, false, problem.New(problem.NotFound)
		}
		return nil, true, nil
	}
	if row.Received != size {
		return nil, false, problem.New(problem.CaptureUploadIncomplete)
	}
	parts, err := s.store.UploadParts(ctx, u)
	if err != nil {
		return nil, false, err
	}
	b = make([]byte, 0, size)
	for _, p := range parts {
		one, err := s.pictures.Get(ctx, id, p.Blob)
		if err != nil {
			return nil, false, fmt.Errorf("read a part of an upload: %w", err)
		}
		b = append(b, one...)
	}
	return b, false, nil
}

// Answered repeats the answer of an attempt. Problems: not_found, and those that the attempt was answered with.
func (s *Uploads) Answered(ctx context.Context, id idv.SessionID, step idv.Step, attempt string) (idv.Task, error) {
	a, err := s.store.Attempt(ctx, id, attempt)
	if err != nil {
		return idv.Task{}, err
	}
	t, _, err := s.captures.previousAnswer(ctx, s.store, idv.Capture{Session: id, Step: step, Attempt: attempt, SHA256: a.SHA256})
	return s.challenges.withChallenge(ctx, id, t, err)
}

// EndUpload removes the bytes of an upload that answered an attempt: an accepted picture is in the vault as a capture,
// and a refused one is not kept.
func (s *Uploads) EndUpload(ctx context.Context, id idv.SessionID, u idv.UploadID, attempt string) error {
	var blobs []string
	err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		if _, err := tx.Lock(ctx, id); err != nil {
			return err
		}
		row, err := s.uploadOf(ctx, tx, id, u)
		if err != nil {
			return err
		}
		if blobs, err = blobsOf(ctx, tx, u); err != nil {
			return err
		}
		if err := tx.RemoveUploadParts(ctx, u); err != nil {
			return err
		}
		row.Attempt = attempt
		return tx.SaveUpload(ctx, row)
	})
	if err != nil {
		return err
	}
	return s.life.DeleteBlobs(ctx, blobs)
}

func blobsOf(ctx context.Context, r session.UploadReader, u idv.UploadID) ([]string, error) {
	parts, err := r.UploadParts(ctx, u)
	if err != nil {
		return nil, err
	}
	var blobs []string
	for _, p := range parts {
		blobs = append(blobs, p.Blob)
	}
	return blobs, nil
}

// dropUpload removes an upload with its parts, and answers the blobs to be deleted once that is certain.
func dropUpload(ctx context.Context, tx session.Tx, u idv.UploadID) ([]string, error) {
	blobs, err := blobsOf(ctx, tx, u)
	if err != nil {
		return nil, err
	}
	if err := tx.RemoveUploadParts(ctx, u); err != nil {
		return nil, err
	}
	return blobs, tx.RemoveUpload(ctx, u)
}

// DropExpired removes the uploads whose time is over.
func (s *Uploads) DropExpired(ctx context.Context) error {
	rows, err := s.store.OverdueUploads(ctx, s.life.Now(), session.BatchSize)
	if err != nil {
		return err
	}
	for _, u := range rows {
		var blobs []string
		err := s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) (err error) {
			blobs, err = dropUpload(ctx, tx, u.ID)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop an upload: %w", err)
		}
		if err := s.life.DeleteBlobs(ctx, blobs); err != nil {
			return err
		}
	}
	return nil
}
