package store

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// reader reads, in a transaction or outside of one.
type reader struct {
	s     *Store
	db    bun.IDB
	cache map[string]*vault.Keyset // of open keysets, within one transaction only
}

// tx is a running transaction.
type tx struct {
	reader
	sql    *sql.Tx
	events []idv.SessionID // sessions with new events, to be woken after the commit
}

var (
	_ session.Store = (*Store)(nil)
	_ session.Tx    = (*tx)(nil)
)

// InTx implements session.Store.
func (s *Store) InTx(ctx context.Context, f func(ctx context.Context, t session.Tx) error) error {
	var woken []idv.SessionID
	err := s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		t := &tx{reader: reader{s: s, db: btx, cache: map[string]*vault.Keyset{}}, sql: btx.Tx}
		if err := f(ctx, t); err != nil {
			return err
		}
		woken = t.events
		return t.notify(ctx)
	})
	if err != nil {
		return err
	}
	for _, id := range woken {
		s.hub.wake(id)
	}
	return nil
}

// insert writes one row.
func (t *tx) insert(ctx context.Context, row any, what string) error {
	if _, err := t.db.NewInsert().Model(row).Exec(ctx); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}

// insertOnce writes one row unless one with the same unique columns is there.
func (t *tx) insertOnce(ctx context.Context, row any, columns, what string) error {
	if _, err := t.db.NewInsert().Model(row).On("CONFLICT (" + columns + ") DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}
