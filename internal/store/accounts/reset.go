package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// ResetRow is a link to reset a password.
type ResetRow struct {
	bun.BaseModel `bun:"table:password_resets"`
	Hash          string    `bun:"hash"`
	User          string    `bun:"user_id"`
	CreatedAt     time.Time `bun:"created_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// AddReset implements signin.ResetStore.
func (s *Members) AddReset(ctx context.Context, hash string, id idv.UserID, now, expires time.Time, done ...audit.Record) error {
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if _, err := btx.NewDelete().Model((*ResetRow)(nil)).Where("user_id = ?", string(id)).Exec(ctx); err != nil {
			return fmt.Errorf("drop earlier links to reset a password: %w", err)
		}
		row := ResetRow{Hash: hash, User: string(id), CreatedAt: now, ExpiresAt: expires}
		if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return fmt.Errorf("write a link to reset a password: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}

// UserByReset implements signin.ResetStore.
func (s *Members) UserByReset(ctx context.Context, hash string, now time.Time) (account.User, error) {
	var row ResetRow
	if err := s.db.Read.NewSelect().Model(&row).Where("hash = ? AND expires_at > ?", hash, now).Scan(ctx); err != nil {
		return account.User{}, database.Missing(err, "read a link to reset a password")
	}
	return s.User(ctx, idv.UserID(row.User))
}

// ChangeUserByReset implements signin.ResetStore.
func (s *Members) ChangeUserByReset(
	ctx context.Context, hash string, id idv.UserID, now time.Time, change func(*account.User) error, done ...audit.Record,
) (account.User, error) {
	return s.changeUser(ctx, id, change, func(ctx context.Context, btx bun.Tx) error {
		// Deleting it is what makes two uses impossible: only one transaction does.
		res, err := btx.NewDelete().Model((*ResetRow)(nil)).Where("hash = ? AND user_id = ? AND expires_at > ?", hash, string(id), now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("take a link to reset a password: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		if _, err := btx.NewDelete().Model((*ResetRow)(nil)).Where("user_id = ?", string(id)).Exec(ctx); err != nil {
			return fmt.Errorf("drop links to reset a password: %w", err)
		}
		return nil
	}, done...)
}
