package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
)

type webRow struct {
	bun.BaseModel `bun:"table:console_sessions"`
	Token         string    `bun:"token"`
	Data          []byte    `bun:"data"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

const loginColumn = "console_sessions.data"

// FindLogin implements httpapi.Logins.
func (s *Store) FindLogin(ctx context.Context, token string) ([]byte, bool, error) {
	var row webRow
	err := s.read.NewSelect().Model(&row).Where("token = ? AND expires_at > ?", token, s.now()).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read console session: %w", err)
	}
	k, err := s.deployment(ctx)
	if err != nil {
		return nil, false, err
	}
	raw, err := k.Unseal(place(loginColumn, token), row.Data)
	return raw, err == nil, err
}

// AddLogin implements httpapi.Logins.
func (s *Store) AddLogin(ctx context.Context, token string, raw []byte, ends time.Time) error {
	k, err := s.deployment(ctx)
	if err != nil {
		return err
	}
	sealed, err := k.Seal(place(loginColumn, token), raw)
	if err != nil {
		return err
	}
	return s.alone(ctx, func(ctx context.Context, t *tx) error {
		return t.insert(ctx, &webRow{Token: token, Data: sealed, ExpiresAt: ends}, "console session")
	})
}

// ChangeLogin implements httpapi.Logins.
func (s *Store) ChangeLogin(ctx context.Context, token string, ends time.Time, change func(now []byte) ([]byte, error)) error {
	k, err := s.deployment(ctx)
	if err != nil {
		return err
	}
	return s.alone(ctx, func(ctx context.Context, t *tx) error {
		var row webRow
		q := t.db.NewSelect().Model(&row).Where("token = ?", token)
		if s.Engine() == "postgres" { // SQLite has one writer
			q = q.For("UPDATE")
		}
		err := q.Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // ended meanwhile
		}
		if err != nil {
			return fmt.Errorf("read console session: %w", err)
		}
		raw, err := k.Unseal(place(loginColumn, token), row.Data)
		if err != nil {
			return err
		}
		if raw, err = change(raw); err != nil {
			return err
		}
		sealed, err := k.Seal(place(loginColumn, token), raw)
		if err != nil {
			return err
		}
		if row.ExpiresAt.After(ends) {
			ends = row.ExpiresAt
		}
		_, err = t.db.NewUpdate().Model((*webRow)(nil)).Set("data = ?", sealed).Set("expires_at = ?", ends).Where("token = ?", token).Exec(ctx)
		if err != nil {
			return fmt.Errorf("write console session: %w", err)
		}
		return nil
	})
}

// EndLogin implements httpapi.Logins.
func (s *Store) EndLogin(ctx context.Context, token string, done ...audit.Record) (ended bool, err error) {
	err = s.alone(ctx, func(ctx context.Context, t *tx) error {
		res, err := t.db.NewDelete().Model((*webRow)(nil)).Where("token = ?", token).Exec(ctx)
		if err != nil {
			return fmt.Errorf("end console session: %w", err)
		}
		n, err := res.RowsAffected()
		if ended = n > 0; err != nil || !ended {
			return err
		}
		for _, rec := range done {
			if err := t.Audit(ctx, rec); err != nil {
				return err
			}
		}
		return nil
	})
	return ended && err == nil, err
}
