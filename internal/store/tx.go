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
	cache map[string]*vault.Keyset // of open keysets, nil for one that was destroyed; within one transaction, or what is read together
}

// tx is a running transaction.
type tx struct {
	reader
	sql    *sql.Tx
	rows   *batched                   // PostgreSQL only
	events []idv.SessionID            // sessions with new events, to be woken after the commit
	modes  map[idv.SessionID]idv.Mode // of the sessions that were written or locked
}

var (
	_ session.Store = (*Store)(nil)
	_ session.Tx    = (*tx)(nil)
)

// InTx implements session.Store.
func (s *Store) InTx(ctx context.Context, f func(ctx context.Context, t session.Tx) error) error {
	var woken []idv.SessionID
	err := s.withTx(ctx, func(ctx context.Context, t *tx) error {
		if err := f(ctx, t); err != nil {
			return err
		}
		woken = t.events
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range woken {
		s.hub.wake(id)
	}
	s.notify(woken)
	return nil
}

// Together implements session.Store.
func (s *Store) Together() session.Reader { return s.together() }

// together is a reader that opens a keyset once. That of a transaction does so anyway.
func (r *reader) together() *reader {
	if r.cache != nil {
		return r
	}
	return &reader{s: r.s, db: r.db, cache: map[string]*vault.Keyset{}}
}

// withTx runs f in a transaction.
func (s *Store) withTx(ctx context.Context, f func(ctx context.Context, t *tx) error) error {
	return s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		t := &tx{reader: reader{s: s, db: btx, cache: map[string]*vault.Keyset{}}, sql: btx.Tx}
		if s.pool == nil {
			return f(ctx, t)
		}
		t.rows = &batched{Tx: btx}
		t.db = t.rows
		if err := f(ctx, t); err != nil {
			return err
		}
		return t.rows.send(ctx)
	})
}

// knows keeps what mode a session has: what is told of it goes to endpoints of that mode.
func (t *tx) knows(id idv.SessionID, mode idv.Mode) {
	if t.modes == nil {
		t.modes = map[idv.SessionID]idv.Mode{}
	}
	t.modes[id] = mode
}

// insert writes one row, or several that are in a slice.
func (t *tx) insert(ctx context.Context, row any, what string) error {
	return t.put(ctx, t.db.NewInsert().Model(row), what)
}

// insertOnce writes one row unless one with the same unique columns is there.
func (t *tx) insertOnce(ctx context.Context, row any, columns, what string) error {
	return t.put(ctx, t.db.NewInsert().Model(row).On("CONFLICT ("+columns+") DO NOTHING"), what)
}

// put runs an insert of which nobody asks what the database made of it.
func (t *tx) put(ctx context.Context, q *bun.InsertQuery, what string) error {
	q = q.Returning("NULL")
	if t.rows != nil {
		return t.rows.add(q, what)
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}
