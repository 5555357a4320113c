package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/problem"
)

type ceremonyRow struct {
	bun.BaseModel `bun:"table:ceremonies"`
	Hash          string    `bun:"hash"`
	Asked         []byte    `bun:"asked"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// SaveCeremony implements signin.Ceremonies.
func (s *Store) SaveCeremony(ctx context.Context, hash string, state []byte, expires time.Time) error {
	k, err := s.deployment(ctx)
	if err != nil {
		return err
	}
	sealed, err := k.Seal(place("ceremonies.asked", hash), state)
	if err != nil {
		return err
	}
	row := ceremonyRow{Hash: hash, Asked: sealed, ExpiresAt: expires}
	if _, err := s.write.NewInsert().Model(&row).Exec(ctx); err != nil {
		return fmt.Errorf("keep a challenge: %w", err)
	}
	return nil
}

// ClaimCeremony implements signin.Ceremonies.
func (s *Store) ClaimCeremony(ctx context.Context, hash string, now time.Time) ([]byte, error) {
	var row ceremonyRow
	err := s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if err := btx.NewSelect().Model(&row).Where("hash = ?", hash).Scan(ctx); err != nil {
			return missing(err, "read a challenge")
		}
		// Deleting it is what makes two answers impossible: only one transaction does.
		res, err := btx.NewDelete().Model((*ceremonyRow)(nil)).Where("hash = ?", hash).Exec(ctx)
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
	k, err := s.deployment(ctx)
	if err != nil {
		return nil, err
	}
	return k.Unseal(place("ceremonies.asked", hash), row.Asked)
}
