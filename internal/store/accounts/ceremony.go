package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// CeremonyRow is a challenge of a passkey that waits for its answer.
type CeremonyRow struct {
	bun.BaseModel `bun:"table:ceremonies"`
	Hash          string    `bun:"hash"`
	Asked         []byte    `bun:"asked"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// SaveCeremony implements signin.Ceremonies.
func (s *Logins) SaveCeremony(ctx context.Context, hash string, state []byte, expires time.Time) error {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	sealed, err := k.Seal(database.Place("ceremonies.asked", hash), state)
	if err != nil {
		return err
	}
	row := CeremonyRow{Hash: hash, Asked: sealed, ExpiresAt: expires}
	if _, err := s.db.Write.NewInsert().Model(&row).Exec(ctx); err != nil {
		return fmt.Errorf("keep a challenge: %w", err)
	}
	return nil
}

// ClaimCeremony implements signin.Ceremonies.
func (s *Logins) ClaimCeremony(ctx context.Context, hash string, now time.Time) ([]byte, error) {
	var row CeremonyRow
	err := s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if err := btx.NewSelect().Model(&row).Where("hash = ?", hash).Scan(ctx); err != nil {
			return database.Missing(err, "read a challenge")
		}
		// Deleting it is what makes two answers impossible: only one transaction does.
		res, err := btx.NewDelete().Model((*CeremonyRow)(nil)).Where("hash = ?", hash).Exec(ctx)
		if err != nil {
			return fmt.Errorf("take a challenge: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !row.ExpiresAt.After(now) {
		return nil, problem.New(problem.NotFound)
	}
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	return k.Unseal(database.Place("ceremonies.asked", hash), row.Asked)
}
