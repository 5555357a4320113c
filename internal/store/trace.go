package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// watchStatements has a span made of each statement that belongs to something that is traced.
func (s *Store) watchStatements() {
	if s.tracer == nil {
		return
	}
	s.write = s.write.WithQueryHook(watcher{s.system()})
	if s.group == nil {
		s.read = s.write
		return
	}
	s.group.db = s.write
	s.read = s.read.WithQueryHook(watcher{s.system()})
}

// system names the database as OpenTelemetry does.
func (s *Store) system() string {
	if s.pool != nil {
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
	"SELECT": true, "INSERT": true, "UPDATE": true, "DELETE": true, "WITH": true, "BEGIN": true, "COMMIT": true, "ROLLBACK": true, "SAVEPOINT": true, "RELEASE": true,
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

// traced is inTx as a part of what is traced.
func (s *Store) traced(ctx context.Context, in func(context.Context, func(context.Context, bun.Tx) error) error, f func(context.Context, bun.Tx) error) error {
	ctx, span := trace.Start(ctx, "transaction", trace.Database.Is(s.system()))
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

// parentKey is where a job keeps the traceparent of what caused it.
const parentKey = "traceparent"

// carrying lets a job follow what is under way. One that sends webhooks at a later time is for whatever is due by then, and
// follows nothing.
func carrying(ctx context.Context, a job.Args, o *river.InsertOpts) (*river.InsertOpts, error) {
	if d, ok := a.(job.Deliver); ok && !d.At.IsZero() {
		return o, nil
	}
	parent := trace.Parent(ctx)
	if parent == "" {
		return o, nil
	}
	raw, err := json.Marshal(map[string]string{parentKey: parent})
	if err != nil {
		return nil, fmt.Errorf("write what a job follows: %w", err)
	}
	o.Metadata = raw
	return o, nil
}

// worked makes a span of one try of a job. Upkeep and the sweeping of webhooks are only traced where something caused them
// that is.
func (s *Store) worked(ctx context.Context, j *rivertype.JobRow) (context.Context, trace.Span) {
	if s.tracer == nil {
		return ctx, trace.Span{}
	}
	var kept map[string]any
	_ = json.Unmarshal(j.Metadata, &kept) // what cannot be read names nothing
	parent, _ := kept[parentKey].(string)
	if parent == "" && j.Queue != queueWork {
		return ctx, trace.Span{}
	}
	var waited time.Duration
	if j.AttemptedAt != nil {
		waited = j.AttemptedAt.Sub(j.ScheduledAt)
	}
	return s.tracer.Begin(ctx, trace.Origin{Name: "job " + j.Kind, Parent: parent},
		trace.Job.Is(j.Kind), trace.JobAttempt.Is(j.Attempt), trace.JobWait.Is(waited))
}
