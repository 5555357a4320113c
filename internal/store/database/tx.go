package database

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Reader reads, in a transaction or outside of one, and opens what is sealed.
type Reader struct {
	DB      *DB
	Conn    bun.IDB
	keysets map[string]*vault.Keyset // that were opened, nil for one that was destroyed; in a transaction, and in Together
}

// Reader returns a Reader of what is committed.
func (d *DB) Reader() *Reader { return &Reader{DB: d, Conn: d.Read} }

// Tx is a running transaction. It is for one goroutine.
type Tx struct {
	Reader
	SQL  *sql.Tx
	News []idv.SessionID // sessions with new events, to be notified after the commit

	unsent *batched                   // PostgreSQL only
	modes  map[idv.SessionID]idv.Mode // of the sessions that were written or locked
}

// RunInTx runs f in a transaction of the writing pool, on SQLite together with others that wait (see groupcommit). ErrMoved where it
// would be lost.
func (d *DB) RunInTx(ctx context.Context, f func(context.Context, bun.Tx) error) error {
	if err := d.present(); err != nil {
		return err
	}
	run := runner(func(ctx context.Context, f func(context.Context, bun.Tx) error) error {
		return d.Write.RunInTx(ctx, nil, f)
	})
	if d.group != nil {
		run = d.group.Run
	}
	if !trace.Recording(ctx) {
		return run(ctx, f)
	}
	return d.traced(ctx, run, f)
}

// Once runs f, which makes one statement. PostgreSQL needs no transaction around it.
func (d *DB) Once(ctx context.Context, f func(context.Context, bun.IDB) error) error {
	if d.group == nil {
		return f(ctx, d.Write)
	}
	if err := d.present(); err != nil {
		return err
	}
	return d.group.Run(ctx, func(ctx context.Context, tx bun.Tx) error { return f(ctx, tx) })
}

// Together returns a Reader that opens each keyset once, for one goroutine. That of a transaction does so anyway.
func (r *Reader) Together() *Reader {
	if r.keysets != nil {
		return r
	}
	return &Reader{DB: r.DB, Conn: r.Conn, keysets: map[string]*vault.Keyset{}}
}

// Transact runs f in a transaction. An error from f undoes everything that f wrote.
func (d *DB) Transact(ctx context.Context, f func(ctx context.Context, t *Tx) error) error {
	return d.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		t := d.In(btx)
		if d.Pool == nil {
			return f(ctx, t)
		}
		t.unsent = &batched{Tx: btx}
		t.Conn = t.unsent
		if err := f(ctx, t); err != nil {
			return err
		}
		return t.unsent.send(ctx)
	})
}

// In returns a Tx over a transaction that is under way.
func (d *DB) In(btx bun.Tx) *Tx {
	return &Tx{Reader: Reader{DB: d, Conn: btx, keysets: map[string]*vault.Keyset{}}, SQL: btx.Tx}
}

// SetMode notes the mode of a session: its events go to webhook endpoints of that mode.
func (t *Tx) SetMode(id idv.SessionID, mode idv.Mode) {
	if t.modes == nil {
		t.modes = map[idv.SessionID]idv.Mode{}
	}
	t.modes[id] = mode
}

// Mode returns the mode that SetMode noted, and whether it did.
func (t *Tx) Mode(id idv.SessionID) (mode idv.Mode, ok bool) {
	mode, ok = t.modes[id]
	return mode, ok
}

// Insert writes one row, or several that are in a slice.
func (t *Tx) Insert(ctx context.Context, row any, what string) error {
	return t.Put(ctx, t.Conn.NewInsert().Model(row), what)
}

// InsertOnce writes one row unless one with the same unique columns is there.
func (t *Tx) InsertOnce(ctx context.Context, row any, columns, what string) error {
	return t.Put(ctx, t.Conn.NewInsert().Model(row).On("CONFLICT ("+columns+") DO NOTHING"), what)
}

// Put runs an insert whose result is not needed. On PostgreSQL it may be sent with the statements that follow.
func (t *Tx) Put(ctx context.Context, q *bun.InsertQuery, what string) error {
	q = q.Returning("NULL")
	if t.unsent != nil {
		return t.unsent.add(q, what)
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("write %s: %w", what, err)
	}
	return nil
}
