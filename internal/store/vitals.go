package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// Vitals reads what /metrics tells of the deployment. It is asked for every few seconds and reads indexes and short tables.
func (s *Store) Vitals(ctx context.Context) (insight.Vitals, error) {
	out := insight.Vitals{Queues: map[idv.Mode]insight.Queue{}}
	begun := time.Now()
	var one int
	err := s.read.NewSelect().ColumnExpr("1").Scan(ctx, &one)
	if err != nil {
		return out, fmt.Errorf("ask the database: %w", err)
	}
	out.Database = time.Since(begun)
	if out.Jobs, err = s.Jobs(ctx); err != nil {
		return out, err
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		if out.Queues[mode], err = s.Queue(ctx, mode, s.now()); err != nil {
			return out, err
		}
	}
	if _, out.Unsequenced, err = s.AuditSize(ctx); err != nil {
		return out, err
	}
	if _, out.GivenUp, err = s.HookFailures(ctx, s.now().Add(-24*time.Hour)); err != nil {
		return out, err
	}
	worked := s.read.NewSelect().TableExpr("river_job").ColumnExpr("finalized_at").Where("kind = ? AND state = 'completed'", job.Sequence{}.Kind()).OrderExpr("id DESC")
	if out.Worked, err = earliest(ctx, worked); err != nil {
		return out, err
	}
	if out.Due, out.DueSince, err = s.countFrom(ctx, "webhook_deliveries", "next_at", "state = ? AND next_at <= ?", string(webhook.Pending), s.now()); err != nil {
		return out, err
	}
	if out.Erasing, out.ErasingFrom, err = s.countFrom(ctx, "erasures", "erased_at", "finished_at IS NULL"); err != nil {
		return out, err
	}
	out.Bytes, err = s.databaseBytes(ctx)
	return out, err
}

// countFrom counts rows and answers the least of a time that they have.
func (s *Store) countFrom(ctx context.Context, table, at, where string, args ...any) (int, time.Time, error) {
	q := s.read.NewSelect().TableExpr(table).Where(where, args...)
	n, err := q.Clone().Count(ctx)
	if err != nil || n == 0 {
		return 0, time.Time{}, wrapped(err, "count "+table)
	}
	first, err := earliest(ctx, q.ColumnExpr(at).OrderExpr(at))
	return int(n), first, err
}

// earliest is the time of the first row; zero for none.
func earliest(ctx context.Context, q *bun.SelectQuery) (time.Time, error) {
	var at []time.Time
	if err := q.Limit(1).Scan(ctx, &at); err != nil || len(at) == 0 {
		return time.Time{}, wrapped(err, "look for the first")
	}
	return utc(at[0]), nil
}

func (s *Store) databaseBytes(ctx context.Context) (int64, error) {
	if s.pool == nil {
		return s.fileBytes(), nil
	}
	var n int64
	err := s.read.NewRaw("SELECT pg_database_size(current_database())").Scan(ctx, &n)
	return n, wrapped(err, "measure the database")
}
