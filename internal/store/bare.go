package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"
)

// BareRowBytes is how much a row of Bare holds: about what a new session leaves in the database.
const BareRowBytes = 2048

// Bare is the least that keeping something takes: one row, inserted and committed. Benchmarks state what a call costs as a
// multiple of it. It uses the connections of the Store, with the same durability, and a table of its own.
type Bare struct{ s *Store }

// Bare makes the table.
func (s *Store) Bare(ctx context.Context) (Bare, error) {
	kind := "BLOB"
	if s.Pool != nil {
		kind = "BYTEA"
	}
	if _, err := s.Write.ExecContext(ctx, "CREATE TABLE bench_bare (id "+bareID(s)+", created_at TEXT NOT NULL, body "+kind+" NOT NULL)"); err != nil {
		return Bare{}, fmt.Errorf("make the table of the bare loop: %w", err)
	}
	return Bare{s: s}, nil
}

func bareID(s *Store) string {
	if s.Pool != nil {
		return "BIGSERIAL PRIMARY KEY"
	}
	return "INTEGER PRIMARY KEY"
}

// Commit inserts one row in a transaction of its own.
func (b Bare) Commit(ctx context.Context) error {
	body := make([]byte, BareRowBytes)
	_, _ = rand.Read(body)
	tx, err := b.s.Write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO bench_bare (created_at, body) VALUES (?, ?)", b.s.Now().Format(time.RFC3339Nano), body); err != nil {
		return errors.Join(fmt.Errorf("insert: %w", err), tx.Rollback())
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Drop removes the table.
func (b Bare) Drop(ctx context.Context) error {
	if _, err := b.s.Write.ExecContext(ctx, "DROP TABLE bench_bare"); err != nil {
		return fmt.Errorf("drop the table of the bare loop: %w", err)
	}
	return nil
}

// Unused reports whether no Bonafide has ever kept anything in the database.
func (s *Store) Unused(ctx context.Context) (bool, error) {
	tables := "SELECT COUNT(*) FROM sqlite_master WHERE name = 'sessions'"
	if s.Pool != nil {
		tables = "SELECT COUNT(*) FROM pg_tables WHERE tablename = 'sessions'"
	}
	var n int
	if err := s.Read.NewRaw(tables).Scan(ctx, &n); err != nil {
		return false, fmt.Errorf("look for tables: %w", err)
	}
	return n == 0, nil
}
