package erasing

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// DropOldFaces deletes faces of galleries whose time is over, from the database, from memory and from the files.
func (s *Eraser) DropOldFaces(ctx context.Context) error {
	now := s.db.Now()
	due, err := s.db.Read.NewSelect().Model((*sessions.GalleryRow)(nil)).Where(sessions.OldFaces, now).Limit(1).Exists(ctx)
	if err != nil {
		return fmt.Errorf("look for faces whose time is over: %w", err)
	}
	if due || s.owesFaces() {
		if err := s.dropFaces(ctx, sessions.OldFaces, now); err != nil {
			return err
		}
	}
	return sessions.ForgetRemovals(ctx, s.db)
}

// dropFaces deletes faces apart from an erasing, from the database, from memory and from the files. No key is destroyed with them: so the
// files are searched for what was sealed.
func (s *Eraser) dropFaces(ctx context.Context, where string, args ...any) error {
	var sealed []string
	err := s.db.RunInTx(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if sealed, err = sessions.SealedFaces(ctx, tx, where, args...); err != nil {
			return err
		}
		_, err = sessions.DropFaces(ctx, tx, s.db.Now(), where, args...)
		return err
	})
	if err != nil {
		return err
	}
	return s.FinishFaces(ctx, piecesOf(sealed))
}

// FaceTraces implements session.Cleaner.
func (s *Eraser) FaceTraces(ctx context.Context, id idv.SessionID) ([]string, error) {
	if s.db.File == "" {
		return nil, nil // no file is searched
	}
	sealed, err := sessions.SealedFaces(ctx, s.db.Read, "session_id = ?", string(id))
	return piecesOf(sealed), err
}

// FinishFaces implements session.Cleaner. What fails is owed, and is done by the next call, with its own traces or none. A server that ends before
// has nothing left in memory, and only the search of the files is lost.
func (s *Eraser) FinishFaces(ctx context.Context, traces []string) error {
	s.facesMu.Lock()
	defer s.facesMu.Unlock()
	s.faceTraces, s.facesOwed = append(s.faceTraces, traces...), true
	var errs error
	if s.forget != nil {
		if err := s.forget(ctx); err != nil {
			errs = fmt.Errorf("overwrite what is in memory: %w", err)
		}
	}
	if err := s.scrub(ctx, s.faceTraces); err != nil {
		return errors.Join(errs, fmt.Errorf("clear the database's files: %w", err))
	}
	s.faceTraces, s.facesOwed = nil, errs != nil
	return errs
}

// owesFaces reports whether a call of FinishFaces failed since the last one that did not.
func (s *Eraser) owesFaces() bool {
	s.facesMu.Lock()
	defer s.facesMu.Unlock()
	return s.facesOwed
}
