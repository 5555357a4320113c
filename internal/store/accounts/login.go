package accounts

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// WebRow is a console session.
type WebRow struct {
	bun.BaseModel `bun:"table:console_sessions"`
	Token         string    `bun:"token"`
	Data          []byte    `bun:"data"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

const loginColumn = "console_sessions.data"

// FindLogin implements httpapi.Logins.
func (s *Logins) FindLogin(ctx context.Context, token string) ([]byte, bool, error) {
	var row WebRow
	err := s.db.Read.NewSelect().Model(&row).Where("token = ? AND expires_at > ?", token, s.db.Now()).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read console session: %w", err)
	}
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return nil, false, err
	}
	raw, err := k.Unseal(database.Place(loginColumn, token), row.Data)
	return raw, err == nil, err
}

// AddLogin implements httpapi.Logins.
func (s *Logins) AddLogin(ctx context.Context, token string, raw []byte, ends time.Time) error {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	sealed, err := k.Seal(database.Place(loginColumn, token), raw)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		return t.Insert(ctx, &WebRow{Token: token, Data: sealed, ExpiresAt: ends}, "console session")
	})
}

// ChangeLogin implements httpapi.Logins.
func (s *Logins) ChangeLogin(ctx context.Context, token string, ends time.Time, change func(now []byte) ([]byte, error)) error {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		var row WebRow
		q := t.Conn.NewSelect().Model(&row).Where("token = ?", token)
		if s.db.Engine() == "postgres" { // SQLite has one writer
			q = q.For("UPDATE")
		}
		err := q.Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil // ended meanwhile
		}
		if err != nil {
			return fmt.Errorf("read console session: %w", err)
		}
		raw, err := k.Unseal(database.Place(loginColumn, token), row.Data)
		if err != nil {
			return err
		}
		if raw, err = change(raw); err != nil {
			return err
		}
		sealed, err := k.Seal(database.Place(loginColumn, token), raw)
		if err != nil {
			return err
		}
		if row.ExpiresAt.After(ends) {
			ends = row.ExpiresAt
		}
		_, err = t.Conn.NewUpdate().Model((*WebRow)(nil)).Set("data = ?", sealed).Set("expires_at = ?", ends).Where("token = ?", token).Exec(ctx)
		if err != nil {
			return fmt.Errorf("write console session: %w", err)
		}
		return nil
	})
}

// EndLogin implements httpapi.Logins.
func (s *Logins) EndLogin(ctx context.Context, token string, done ...audit.Record) (ended bool, err error) {
	err = s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		res, err := t.Conn.NewDelete().Model((*WebRow)(nil)).Where("token = ?", token).Exec(ctx)
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
