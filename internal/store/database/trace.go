package database

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/groupcommit"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Trace makes a span of each statement that belongs to something that t traces; nothing where t is nil. It must be called
// before the DB is used.
func (d *DB) Trace(t *trace.Tracer) {
	if d.Tracer = t; t == nil {
		return
	}
	d.Write = d.Write.WithQueryHook(watcher{d.system()})
	if d.group == nil {
		d.Read = d.Write
		return
	}
	d.group = groupcommit.New(d.Write)
	d.Read = d.Read.WithQueryHook(watcher{d.system()})
}

// system names the database as OpenTelemetry does.
func (d *DB) system() string {
	if d.Pool != nil {
		return "postgresql"
	}
	return "sqlite"
}

// watcher makes a span of each statement: its first word and its table, never its text, which holds values.
type watcher struct{ system string }

type watchKey struct{}

// builtKey marks the context of a statement that has its span, so that a transaction that only hands it on (batched) makes
// none.
type builtKey struct{}

// operations are the first words that a span names.
var operations = map[string]bool{
	"SELECT": true, "INSERT": true, "UPDATE": true, "DELETE": true, "WITH": true,
	"BEGIN": true, "COMMIT": true, "ROLLBACK": true, "SAVEPOINT": true, "RELEASE": true,
}

// BeforeQuery implements bun.QueryHook. The span is not in the context: bun keeps that of BEGIN for the whole transaction.
func (w watcher) BeforeQuery(ctx context.Context, e *bun.QueryEvent) context.Context {
	if !trace.Recording(ctx) || ctx.Value(builtKey{}) != nil {
		return ctx
	}
	_, span := w.start(ctx, firstWord(e.Query), tableOf(e.IQuery))
	e.Stash = map[any]any{watchKey{}: span}
	if e.IQuery != nil {
		ctx = context.WithValue(ctx, builtKey{}, true)
	}
	return ctx
}

// AfterQuery implements bun.QueryHook.
func (watcher) AfterQuery(_ context.Context, e *bun.QueryEvent) {
	if span, ok := e.Stash[watchKey{}].(trace.Span); ok {
		span.End(failure(e.Err))
	}
}

// firstWord of a statement.
func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return word
}

func (w watcher) start(ctx context.Context, operation, table string) (context.Context, trace.Span) {
	operation = strings.ToUpper(operation)
	if !operations[operation] {
		operation = "OTHER"
	}
	return trace.Start(ctx, "sql "+operation, trace.Database.Is(w.system), trace.Operation.Is(operation), trace.Table.Is(table))
}

// tableOf is the table that a query was built for; empty where its text was written by hand.
func tableOf(q bun.Query) string {
	if q == nil {
		return ""
	}
	return q.GetTableName()
}

// failure: that there is no row is an answer.
func failure(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// runner runs a function in a transaction.
type runner func(context.Context, func(context.Context, bun.Tx) error) error

// traced runs f in a transaction that has a span, which tells how long the transaction waited to begin.
func (d *DB) traced(ctx context.Context, in runner, f func(context.Context, bun.Tx) error) error {
	ctx, span := trace.Start(ctx, "transaction", trace.Database.Is(d.system()))
	var told error
	defer span.Close(&told)
	asked := time.Now()
	err := in(ctx, func(ctx context.Context, tx bun.Tx) error {
		span.SetFacts(trace.TxWait.Is(time.Since(asked)))
		return f(ctx, tx)
	})
	told = failure(err)
	return err
}
