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
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type keyRow struct {
	bun.BaseModel `bun:"table:api_keys"`
	ID            string               `bun:"id"`
	Name          string               `bun:"name"`
	Mode          string               `bun:"mode"`
	Scopes        []account.Permission `bun:"scopes,type:json"`
	Prefix        string               `bun:"prefix"`
	Hash          string               `bun:"hash"`
	CreatedAt     time.Time            `bun:"created_at"`
	LastUsedAt    time.Time            `bun:"last_used_at,nullzero"`
	ExpiresAt     time.Time            `bun:"expires_at,nullzero"`
	RevokedAt     time.Time            `bun:"revoked_at,nullzero"`
	CreatedBy     string               `bun:"created_by"`
}

func (r keyRow) key() account.Key {
	return account.Key{
		ID: idv.KeyID(r.ID), Name: r.Name, Mode: idv.Mode(r.Mode), Scopes: r.Scopes, Prefix: r.Prefix, Hash: r.Hash,
		CreatedAt: r.CreatedAt.UTC(), LastUsedAt: database.UTC(r.LastUsedAt), ExpiresAt: database.UTC(r.ExpiresAt), RevokedAt: database.UTC(r.RevokedAt),
		CreatedBy: idv.UserID(r.CreatedBy),
	}
}

func rowOf(k account.Key) keyRow {
	return keyRow{
		ID: string(k.ID), Name: k.Name, Mode: string(k.Mode), Scopes: k.Scopes, Prefix: k.Prefix, Hash: k.Hash, CreatedAt: k.CreatedAt,
		LastUsedAt: k.LastUsedAt, ExpiresAt: k.ExpiresAt, RevokedAt: k.RevokedAt, CreatedBy: string(k.CreatedBy),
	}
}

// AddKey implements apikey.Store.
func (s *APIKeys) AddKey(ctx context.Context, k account.Key) error {
	row := rowOf(k)
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		if err := t.Insert(ctx, &row, "key"); err != nil {
			return err
		}
		return t.Audit(ctx, audit.Record{Action: "key.created", Subject: row.ID})
	})
}

// ReplaceKey implements apikey.Store.
func (s *APIKeys) ReplaceKey(ctx context.Context, k account.Key, old idv.KeyID, oldEnds time.Time) error {
	row := rowOf(k)
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		res, err := t.Conn.NewUpdate().Model((*keyRow)(nil)).Set("expires_at = ?", oldEnds).
			Where("id = ? AND revoked_at IS NULL", string(old)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("end a key: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		if err := t.Insert(ctx, &row, "key"); err != nil {
			return err
		}
		return t.Audit(ctx, audit.Record{Action: "key.rotated", Subject: string(old)})
	})
}

// RevokeKey implements apikey.Store.
func (s *APIKeys) RevokeKey(ctx context.Context, id idv.KeyID, at time.Time) error {
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		res, err := t.Conn.NewUpdate().Model((*keyRow)(nil)).Set("revoked_at = COALESCE(revoked_at, ?)", at).Where("id = ?", string(id)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("revoke a key: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		return t.Audit(ctx, audit.Record{Action: "key.revoked", Subject: string(id)})
	})
}

// revokeKeysOf revokes the keys that a member made and that work, each with its audit entry.
func (s *APIKeys) revokeKeysOf(ctx context.Context, btx bun.Tx, by idv.UserID, at time.Time) error {
	var ids []string
	_, err := btx.NewUpdate().Model((*keyRow)(nil)).Set("revoked_at = ?", at).
		Where("created_by = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)", string(by), at).Returning("id").Exec(ctx, &ids)
	if err != nil {
		return fmt.Errorf("revoke a member's keys: %w", err)
	}
	for _, id := range ids {
		if err := s.log.AuditIn(ctx, btx, audit.Record{Action: "key.revoked", Subject: id}); err != nil {
			return err
		}
	}
	return nil
}

// KeyByHash implements apikey.Store.
func (s *APIKeys) KeyByHash(ctx context.Context, hash string) (account.Key, error) {
	return s.keyBy(ctx, "hash", hash)
}

// APIKey implements apikey.Store.
func (s *APIKeys) APIKey(ctx context.Context, id idv.KeyID) (account.Key, error) {
	return s.keyBy(ctx, "id", string(id))
}

func (s *APIKeys) keyBy(ctx context.Context, column, value string) (account.Key, error) {
	var row keyRow
	if err := s.db.Read.NewSelect().Model(&row).Where("? = ?", bun.Ident(column), value).Scan(ctx); err != nil {
		return account.Key{}, database.Missing(err, "read key")
	}
	return row.key(), nil
}

// maxKeys bounds a list of keys. Those that work come first, so that none of them is hidden by old ones.
const maxKeys = 500

// Keys implements apikey.Store.
func (s *APIKeys) Keys(ctx context.Context, mode idv.Mode) ([]account.Key, error) {
	var rows []keyRow
	err := s.db.Read.NewSelect().Model(&rows).Where("mode = ?", string(mode)).
		OrderExpr("CASE WHEN revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) THEN 0 ELSE 1 END, id DESC", s.db.Now()).Limit(maxKeys).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	out := make([]account.Key, len(rows))
	for i, row := range rows {
		out[i] = row.key()
	}
	return out, nil
}

// RecordKeyUse implements apikey.Store.
func (s *APIKeys) RecordKeyUse(ctx context.Context, id idv.KeyID, at time.Time) error {
	_, err := s.db.Write.NewUpdate().Model((*keyRow)(nil)).Set("last_used_at = ?", at).Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note key use: %w", err)
	}
	return nil
}
