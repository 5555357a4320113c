package figures

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// Jobs implements insight.Machine. Upkeep that comes around by itself is left out while it waits for its time.
func (s *Machine) Jobs(ctx context.Context) ([]insight.Jobs, error) {
	var rows []struct {
		Kind  string `bun:"kind"`
		State string `bun:"state"`
		N     int    `bun:"n"`
	}
	err := s.db.Read.NewSelect().TableExpr("river_job").ColumnExpr("kind, CAST(state AS TEXT) AS state, COUNT(*) AS n").
		Where("state IN ('available', 'pending', 'running', 'retryable', 'scheduled', 'discarded')").GroupExpr("1, 2").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	by := map[string]*insight.Jobs{}
	for _, r := range rows {
		if by[r.Kind] == nil {
			by[r.Kind] = &insight.Jobs{Kind: r.Kind}
		}
		j := by[r.Kind]
		switch r.State {
		case "available", "pending":
			j.Waiting += r.N
		case "running":
			j.Working += r.N
		case "discarded":
			j.Failed += r.N
		default:
			j.Later += r.N
		}
	}
	out := []insight.Jobs{}
	for _, j := range by {
		if j.Waiting > 0 {
			if err := s.db.Read.NewSelect().TableExpr("river_job").ColumnExpr("scheduled_at").Where("kind = ? AND state = 'available'", j.Kind).
				OrderExpr("scheduled_at").Limit(1).Scan(ctx, &j.Oldest); err != nil {
				j.Oldest = time.Time{} // it was taken a moment ago
			}
			j.Oldest = database.UTC(j.Oldest)
		}
		out = append(out, *j)
	}
	slices.SortFunc(out, func(a, b insight.Jobs) int { return strings.Compare(a.Kind, b.Kind) })
	return out, nil
}

// Database implements insight.Machine.
func (s *Machine) Database(ctx context.Context) (insight.Database, error) {
	out := insight.Database{Engine: s.db.Engine()}
	var err error
	if s.db.Pool == nil {
		out.Bytes = s.fileBytes()
		err = s.db.Read.NewSelect().ColumnExpr("sqlite_version()").Scan(ctx, &out.Version)
	} else {
		var now time.Time
		before := s.db.Now()
		err = s.db.Read.NewSelect().ColumnExpr("pg_database_size(current_database()), CURRENT_SETTING('server_version'), CLOCK_TIMESTAMP()").
			Scan(ctx, &out.Bytes, &out.Version, &now)
		out.Skew = now.Sub(before.Add(s.db.Now().Sub(before) / 2)).Round(time.Millisecond)
	}
	if err != nil {
		return out, fmt.Errorf("look at the database: %w", err)
	}
	p, err := s.schema.Provider()
	if err != nil {
		return out, err
	}
	if out.Schema, out.Newest, err = p.GetVersions(ctx); err != nil {
		return out, fmt.Errorf("look at the schema: %w", err)
	}
	return out, nil
}

// fileBytes is what the files of SQLite take.
func (s *Machine) fileBytes() int64 {
	var n int64
	for _, file := range []string{s.db.File, s.db.File + "-wal"} {
		if info, err := os.Stat(file); err == nil {
			n += info.Size()
		}
	}
	return n
}

// Evidence implements insight.Machine.
func (s *Machine) Evidence(ctx context.Context) (insight.Evidence, error) {
	var out insight.Evidence
	err := s.db.Read.NewSelect().TableExpr("captures AS c").ColumnExpr("COUNT(*), COALESCE(SUM(c.size), 0)").
		Join("JOIN sessions AS s ON s.id = c.session_id").Where("s.pictures_erased_at IS NULL").Scan(ctx, &out.Captures, &out.Bytes)
	if err != nil {
		return out, fmt.Errorf("count pictures: %w", err)
	}
	return out, nil
}

// AuditSize implements insight.Machine.
func (s *Machine) AuditSize(ctx context.Context) (entries, waiting int64, err error) {
	err = s.db.Read.NewSelect().TableExpr("audit_entries").ColumnExpr("COALESCE(MAX(position) + 1, 0)").Scan(ctx, &entries)
	if err != nil {
		return 0, 0, fmt.Errorf("measure the audit log: %w", err)
	}
	n, err := s.db.Read.NewSelect().TableExpr("audit_entries").Where("position IS NULL").Count(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("measure the audit log: %w", err)
	}
	return entries, n, nil
}

// HookFailures implements insight.Machine.
func (s *Machine) HookFailures(ctx context.Context, since time.Time) (failing, givenUp int, err error) {
	failing64, err := s.db.Read.NewSelect().TableExpr("webhook_deliveries").Where("state = ? AND attempt > 0", string(webhook.Pending)).Count(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("count deliveries: %w", err)
	}
	given, err := s.db.Read.NewSelect().TableExpr("webhook_deliveries").Where("state = ? AND ended_at >= ?", string(webhook.GivenUp), since).Count(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("count deliveries: %w", err)
	}
	return int(failing64), int(given), nil
}
