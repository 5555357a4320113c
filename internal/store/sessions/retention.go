package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type settingRow[T any] struct {
	bun.BaseModel `bun:"table:settings,alias:o"`
	Name          string    `bun:"name"`
	Value         T         `bun:"value,type:json"`
	ChangedAt     time.Time `bun:"changed_at"`
}

// The names of the settings.
const (
	settingRetention     = "retention"
	settingRetentionRuns = "retention_runs" // no setting, but one value that is kept in the same way
)

// setting reads a setting; its zero value where nothing was set.
func setting[T any](ctx context.Context, db bun.IDB, name string) (T, error) {
	var row settingRow[T]
	err := db.NewSelect().Model(&row).Where("name = ?", name).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return row.Value, fmt.Errorf("read the setting %s: %w", name, err)
	}
	return row.Value, nil
}

// saveSetting writes a setting.
func saveSetting[T any](ctx context.Context, t *database.Tx, name string, v T) error {
	row := settingRow[T]{Name: name, Value: v, ChangedAt: t.DB.Now()}
	_, err := t.Conn.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").
		Set("value = EXCLUDED.value").Set("changed_at = EXCLUDED.changed_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("keep the setting %s: %w", name, err)
	}
	return nil
}

// Retention implements session.RetentionStore.
func (r *RetentionReader) Retention(ctx context.Context) (idv.RetentionSetting, error) {
	return setting[idv.RetentionSetting](ctx, r.Conn, settingRetention)
}

// SetRetention implements session.RetentionWriter.
func (t *RetentionWriter) SetRetention(ctx context.Context, v idv.RetentionSetting) error {
	return saveSetting(ctx, t.Tx, settingRetention, v)
}

// RetentionRuns implements session.RetentionStore.
func (r *RetentionReader) RetentionRuns(ctx context.Context) (session.RetentionRuns, error) {
	return setting[session.RetentionRuns](ctx, r.Conn, settingRetentionRuns)
}

// SetRetentionRuns implements session.RetentionWriter.
func (t *RetentionWriter) SetRetentionRuns(ctx context.Context, v session.RetentionRuns) error {
	return saveSetting(ctx, t.Tx, settingRetentionRuns, v)
}

// DueSessions implements session.RetentionStore.
func (r *RetentionReader) DueSessions(ctx context.Context, d session.Due) ([]idv.SessionID, error) {
	var ids []string
	q := r.erasable([]idv.WorkflowVersionID{d.Workflow}, d.Scope).Column("id").Where("s.touched_at <= ?", d.Before)
	if err := q.OrderExpr("s.touched_at").Limit(int64(d.Limit)).Scan(ctx, &ids); err != nil {
		return nil, fmt.Errorf("list sessions that are due: %w", err)
	}
	out := make([]idv.SessionID, len(ids))
	for i, id := range ids {
		out[i] = idv.SessionID(id)
	}
	return out, nil
}

// erasable selects finished sessions of workflow versions that are not held and have something left to erase.
func (r *RetentionReader) erasable(of []idv.WorkflowVersionID, scope session.Scope) *bun.SelectQuery {
	var final, versions []string
	for _, s := range idv.SessionStates() {
		if s.Final() {
			final = append(final, string(s))
		}
	}
	for _, id := range of {
		versions = append(versions, string(id))
	}
	q := r.Conn.NewSelect().Model((*SessionRow)(nil)).Where("s.workflow_version_id IN (?)", bun.List(versions)).
		Where("s.state IN (?) AND s.held_at IS NULL", bun.List(final))
	if scope == session.ScopePictures {
		return q.Where("s.pictures_erased_at IS NULL")
	}
	return q.Where("s.erased_at IS NULL")
}

// CountDue implements session.RetentionStore.
func (r *RetentionReader) CountDue(ctx context.Context, of []idv.WorkflowVersionID, scope session.Scope, before []time.Time) ([]int, error) {
	q := r.erasable(of, scope)
	for _, at := range before {
		q = q.ColumnExpr("COUNT(*) FILTER (WHERE s.touched_at <= ?)", at)
	}
	return scanCounts(ctx, q, len(before), "sessions that are due")
}

// CountEntries implements session.RetentionStore. The last that is old enough is the witness of those before it and stays.
func (r *RetentionReader) CountEntries(ctx context.Context, before []time.Time) ([]int, error) {
	q := r.Conn.NewSelect().TableExpr("audit_entries AS e").Where("e.position IS NOT NULL").Where(auditlog.OfNoHeld)
	for _, at := range before {
		witness, err := auditlog.TrimWitness(ctx, r.Conn, at)
		if err != nil {
			return nil, err
		}
		q = q.ColumnExpr("COUNT(*) FILTER (WHERE e.position < ?)", witness)
	}
	return scanCounts(ctx, q, len(before), "entries that are due")
}

// scanCounts reads one row of n counts.
func scanCounts(ctx context.Context, q *bun.SelectQuery, n int, what string) ([]int, error) {
	out := make([]int, n)
	into := make([]any, n)
	for i := range out {
		into[i] = &out[i]
	}
	if err := q.Scan(ctx, into...); err != nil {
		return nil, fmt.Errorf("count %s: %w", what, err)
	}
	return out, nil
}
