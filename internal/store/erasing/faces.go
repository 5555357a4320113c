package erasing

import (
	"context"
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
	if due {
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
	if err != nil || n == 0 {
		return n, err
	}
	if s.forget != nil {
		if err := s.forget(ctx); err != nil {
			return n, fmt.Errorf("overwrite what is in memory: %w", err)
		}
	}
	return n, s.scrub(ctx, traces)
}
