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
		if _, err := s.dropFaces(ctx, sessions.OldFaces, now); err != nil {
			return err
		}
	}
	return sessions.ForgetRemovals(ctx, s.db)
}

// DropFace deletes the face that a gallery keeps of a session, in the same way, and returns how many there were. It can be repeated.
func (s *Eraser) DropFace(ctx context.Context, id idv.SessionID) (int, error) {
	return s.dropFaces(ctx, "session_id = ?", string(id))
}

// dropFaces deletes faces. No key is destroyed with them, as the pictures stay: so the files are searched for what was sealed.
func (s *Eraser) dropFaces(ctx context.Context, where string, args ...any) (n int, err error) {
	var traces []string
	err = s.db.RunInTx(ctx, func(ctx context.Context, tx bun.Tx) error {
		sealed, err := sessions.SealedFaces(ctx, tx, where, args...)
		if err != nil {
			return err
		}
		traces = piecesOf(sealed)
		n, err = sessions.DropFaces(ctx, tx, s.db.Now(), where, args...)
		return err
	})
	if err != nil {
		return n, err
	}
	return n, s.finishFaces(ctx, traces)
}

// finishFaces overwrites in memory what is no longer kept, and clears the files of the database of the traces and of those that an earlier
// try left. What fails is owed, and is done by the next call: with its own traces, or none. A server that ends before that has nothing in
// memory any more, and forgets only to search the files.
func (s *Eraser) finishFaces(ctx context.Context, traces []string) error {
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

// owesFaces reports whether a call of finishFaces failed since the last one that did not.
func (s *Eraser) owesFaces() bool {
	s.facesMu.Lock()
	defer s.facesMu.Unlock()
	return s.facesOwed
}
