package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// TriesReader counts tries.
type TriesReader interface {
	CountAttempts(ctx context.Context, id idv.SessionID) (int, error)
}

// CountTries counts the tries of a session at all steps, with those of the session that it follows: another document gives none back.
func CountTries(ctx context.Context, r TriesReader, rec Record) (int, error) {
	n, err := r.CountAttempts(ctx, rec.ID)
	return rec.Spent.Tries + n, err
}
