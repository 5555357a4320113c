package database

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
)

// batched is a transaction of PostgreSQL in which rows that are only written wait for each other: each statement is a way
// to the server and back, and a new session is five rows. They are sent together, in their order, before anything else is
// asked of the transaction and before it is committed; that one of them is refused is then told there.
type batched struct {
	bun.Tx
	unsent []string
	what   []string // they are, for errors
	failed error    // of what was sent: nothing may be committed without it
}

// add lets an insert that answers nothing wait.
func (b *batched) add(q *bun.InsertQuery, what string) error {
	text, err := q.AppendQuery(q.DB().QueryGen(), nil)
	if err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	b.unsent, b.what = append(b.unsent, string(text)), append(b.what, what)
	return nil
}

// send writes what waits.
func (b *batched) send(ctx context.Context) error {
	if len(b.unsent) == 0 || b.failed != nil {
		return b.failed
	}
	text, what := strings.Join(b.unsent, ";\n"), strings.Join(b.what, ", ")
	b.unsent, b.what = nil, nil
	_, span := watcher{"postgresql"}.start(ctx, "INSERT", "")
	_, err := b.Tx.Tx.ExecContext(ctx, text) // values are in the text: several statements may be sent
	span.End(err)
	if err != nil {
		b.failed = fmt.Errorf("write %s: %w", what, err)
	}
	return b.failed
}

// ExecContext implements bun.IConn.
func (b *batched) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := b.send(ctx); err != nil {
		return nil, err
	}
	return b.Tx.ExecContext(ctx, query, args...)
}

// QueryContext implements bun.IConn.
func (b *batched) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := b.send(ctx); err != nil {
		return nil, err
	}
	return b.Tx.QueryContext(ctx, query, args...)
}

// QueryRowContext implements bun.IConn. If what waited was refused, the next statement or the commit returns the error.
func (b *batched) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	_ = b.send(ctx)
	return b.Tx.QueryRowContext(ctx, query, args...)
}

// NewSelect implements bun.IDB, as do those that follow.
func (b *batched) NewSelect() *bun.SelectQuery { return b.Tx.NewSelect().Conn(b) }

// NewInsert implements bun.IDB.
func (b *batched) NewInsert() *bun.InsertQuery { return b.Tx.NewInsert().Conn(b) }

// NewUpdate implements bun.IDB.
func (b *batched) NewUpdate() *bun.UpdateQuery { return b.Tx.NewUpdate().Conn(b) }

// NewDelete implements bun.IDB.
func (b *batched) NewDelete() *bun.DeleteQuery { return b.Tx.NewDelete().Conn(b) }

// NewRaw implements bun.IDB.
func (b *batched) NewRaw(query string, args ...any) *bun.RawQuery {
	return b.Tx.NewRaw(query, args...).Conn(b)
}
