package figures

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// Vitals reads what /metrics tells of the deployment. It is asked for every few seconds and reads indexes and short tables.
func (s *Machine) Vitals(ctx context.Context) (insight.Vitals, error) {
	pages := s.db.Pages()
	out := insight.Vitals{Queues: map[idv.Mode]insight.Queue{}, Checked: pages.At, Damaged: pages.Found != ""}
	begun := time.Now()
	var one int
	err := s.db.Read.NewSelect().ColumnExpr("1").Scan(ctx, &one)
	if err != nil {
		return out, fmt.Errorf("ask the database: %w", err)
	}
	out.Database = time.Since(begun)
	if out.Jobs, err = s.Jobs(ctx); err != nil {
		return out, err
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		if out.Queues[mode], err = s.statistics.Queue(ctx, mode, s.db.Now()); err != nil {
			return out, err
		}
	}
	if _, out.Unsequenced, err = s.AuditSize(ctx); err != nil {
		return out, err
	}
	if _, out.GivenUp, err = s.HookFailures(ctx, s.db.Now().Add(-24*time.Hour)); err != nil {
		return out, err
	}
	worked := s.db.Read.NewSelect().
		TableExpr("river_job").
		ColumnExpr("finalized_at").
		Where("kind = ? AND state = 'completed'", job.Sequence{}.Kind()).
		OrderExpr("id DESC")
	if out.Worked, err = earliest(ctx, worked); err != nil {
		return out, err
	}
	if out.Due, out.DueSince, err = s.countFrom(ctx, "webhook_deliveries", "next_at", "state = ? AND next_at <= ?", string(webhook.Pending),
		s.db.Now()); err != nil {
		return out, err
	}
	if out.Erasing, out.ErasingFrom, err = s.countFrom(ctx, "erasures", "erased_at", "finished_at IS NULL"); err != nil {
		return out, err
	}
	out.Bytes, err = s.databaseBytes(ctx)
	return out, err
}

// countFrom counts rows and answers the least of a time that they have.
func (s *Machine) countFrom(ctx context.Context, table, at, where string, args ...any) (int, time.Time, error) {
	q := s.db.Read.NewSelect().TableExpr(table).Where(where, args...)
	n, err := q.Clone().Count(ctx)
	if err != nil || n == 0 {
		return 0, time.Time{}, database.Wrapped(err, "count "+table)
	}
	first, err := earliest(ctx, q.ColumnExpr(at).OrderExpr(at))
	return int(n), first, err
}

// earliest is the time of the first row; zero for none.
func earliest(ctx context.Context, q *bun.SelectQuery) (time.Time, error) {
	var at []time.Time
	if err := q.Limit(1).Scan(ctx, &at); err != nil || len(at) == 0 {
		return time.Time{}, database.Wrapped(err, "look for the first")
	}
	return database.UTC(at[0]), nil
}

func (s *Machine) databaseBytes(ctx context.Context) (int64, error) {
	if s.db.Pool == nil {
		return s.fileBytes(), nil
	}
	var n int64
	err := s.db.Read.NewRaw("SELECT pg_database_size(current_database())").Scan(ctx, &n)
	return n, database.Wrapped(err, "measure the database")
}
