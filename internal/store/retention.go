package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
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

func keepSetting[T any](ctx context.Context, t *tx, name string, v T) error {
	row := settingRow[T]{Name: name, Value: v, ChangedAt: t.s.now()}
	_, err := t.db.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").
		Set("value = EXCLUDED.value").Set("changed_at = EXCLUDED.changed_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("keep the setting %s: %w", name, err)
	}
	return nil
}

// Retention implements session.RetentionStore.
func (r *reader) Retention(ctx context.Context) (idv.RetentionSetting, error) {
	return setting[idv.RetentionSetting](ctx, r.db, settingRetention)
}

// SetRetention implements session.RetentionWriter.
func (t *tx) SetRetention(ctx context.Context, v idv.RetentionSetting) error {
	return keepSetting(ctx, t, settingRetention, v)
}

// RetentionRuns implements session.RetentionStore.
func (r *reader) RetentionRuns(ctx context.Context) (session.RetentionRuns, error) {
	return setting[session.RetentionRuns](ctx, r.db, settingRetentionRuns)
}

// SetRetentionRuns implements session.RetentionWriter.
func (t *tx) SetRetentionRuns(ctx context.Context, v session.RetentionRuns) error {
	return keepSetting(ctx, t, settingRetentionRuns, v)
}

// DueSessions implements session.RetentionStore.
func (r *reader) DueSessions(ctx context.Context, d session.Due) ([]idv.SessionID, error) {
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

// erasable selects sessions of some versions that came to their end, are not held, and of which there is something to erase.
func (r *reader) erasable(of []idv.WorkflowVersionID, scope session.Scope) *bun.SelectQuery {
	var final, versions []string
	for _, s := range idv.SessionStates() {
		if s.Final() {
			final = append(final, string(s))
		}
	}
	for _, id := range of {
		versions = append(versions, string(id))
	}
	q := r.db.NewSelect().Model((*sessionRow)(nil)).Where("s.workflow_version_id IN (?)", bun.List(versions)).
		Where("s.state IN (?) AND s.held_at IS NULL", bun.List(final))
	if scope == session.ScopePictures {
		return q.Where("s.pictures_erased_at IS NULL")
	}
	return q.Where("s.erased_at IS NULL")
}

// CountDue implements session.RetentionStore.
func (r *reader) CountDue(ctx context.Context, of []idv.WorkflowVersionID, scope session.Scope, before []time.Time) ([]int, error) {
	q := r.erasable(of, scope)
	for _, at := range before {
		q = q.ColumnExpr("COUNT(*) FILTER (WHERE s.touched_at <= ?)", at)
	}
	return counted(ctx, q, len(before), "sessions that are due")
}

// CountEntries implements session.RetentionStore. The last that is old enough is the witness of those before it and stays.
func (r *reader) CountEntries(ctx context.Context, before []time.Time) ([]int, error) {
	q := r.db.NewSelect().TableExpr("audit_entries AS e").Where("e.position IS NOT NULL").Where(ofNoHeld)
	for _, at := range before {
		witness, err := trimWitness(ctx, r.db, at)
		if err != nil {
			return nil, err
		}
		q = q.ColumnExpr("COUNT(*) FILTER (WHERE e.position < ?)", witness)
	}
	return counted(ctx, q, len(before), "entries that are due")
}

// counted reads a row of counts.
func counted(ctx context.Context, q *bun.SelectQuery, n int, what string) ([]int, error) {
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

// WorkflowVersions implements session.RetentionStore.
func (r *reader) WorkflowVersions(ctx context.Context) ([]idv.WorkflowVersion, error) {
	var rows []versionRow
	err := r.db.NewSelect().Model(&rows).ColumnExpr("v.*, w.mode").Join("JOIN workflows AS w ON w.id = v.workflow_id").
		OrderExpr("v.id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list workflow versions: %w", err)
	}
	out := make([]idv.WorkflowVersion, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.version())
	}
	return out, nil
}

type holdRow struct {
	bun.BaseModel `bun:"table:legal_holds"`
	Session       string    `bun:"session_id"`
	Reason        []byte    `bun:"reason"`
	SetBy         string    `bun:"set_by"`
	SetAt         time.Time `bun:"set_at"`
	LiftedBy      string    `bun:"lifted_by"`
	LiftedAt      time.Time `bun:"lifted_at,nullzero"`
}

// heldReason is the column that the reason of a hold is sealed for, by when the hold was set.
func heldReason(set time.Time) string {
	return place("legal_holds.reason", set.UTC().Format(time.RFC3339))
}

// SetHold implements session.HoldWriter.
func (t *tx) SetHold(ctx context.Context, h session.Hold) error {
	sealed, err := t.sealJSON(ctx, h.Session, heldReason(h.SetAt), h.Reason)
	if err != nil {
		return err
	}
	if err := t.insert(ctx, &holdRow{Session: string(h.Session), Reason: sealed, SetBy: h.SetBy, SetAt: h.SetAt}, "hold"); err != nil {
		return err
	}
	return t.held(ctx, h.Session, h.SetAt)
}

// LiftHold implements session.HoldWriter.
func (t *tx) LiftHold(ctx context.Context, id idv.SessionID, by string, at time.Time) error {
	_, err := t.db.NewUpdate().Model((*holdRow)(nil)).Set("lifted_by = ?", by).Set("lifted_at = ?", at).
		Where("session_id = ? AND lifted_at IS NULL", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("lift a hold: %w", err)
	}
	return t.held(ctx, id, time.Time{})
}

// held notes in the session's row since when it is held, and leaves its age as it is.
func (t *tx) held(ctx context.Context, id idv.SessionID, at time.Time) error {
	_, err := t.db.NewUpdate().Model((*sessionRow)(nil)).Set("held_at = ?", bun.NullTime{Time: at}).Set("version = version + 1").
		Where("s.id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note a hold: %w", err)
	}
	return nil
}

// Holds implements session.HoldReader. Of an erased session the reasons are gone.
func (r *reader) Holds(ctx context.Context, id idv.SessionID) ([]session.Hold, error) {
	rows, err := rowsOf[holdRow](ctx, r, id, "holds")
	if err != nil {
		return nil, err
	}
	return r.holds(ctx, rows)
}

// StandingHolds implements session.HoldReader.
func (r *reader) StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]session.Hold, error) {
	var rows []holdRow
	q := r.db.NewSelect().Model(&rows).Where("lifted_at IS NULL").OrderExpr("session_id DESC").Limit(int64(limit))
	if after != "" {
		q = q.Where("session_id < ?", string(after))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list holds: %w", err)
	}
	return r.holds(ctx, rows)
}

// CountHolds implements session.HoldReader.
func (r *reader) CountHolds(ctx context.Context) (int, error) {
	n, err := r.db.NewSelect().Model((*holdRow)(nil)).Where("lifted_at IS NULL").Count(ctx)
	return int(n), wrapped(err, "count holds")
}

func (r *reader) holds(ctx context.Context, rows []holdRow) ([]session.Hold, error) {
	r = r.together()
	out := make([]session.Hold, 0, len(rows))
	for _, row := range rows {
		h := session.Hold{Session: idv.SessionID(row.Session), SetBy: row.SetBy, SetAt: row.SetAt.UTC(), LiftedBy: row.LiftedBy, LiftedAt: utc(row.LiftedAt)}
		if len(row.Reason) > 0 {
			if err := r.unsealJSON(ctx, h.Session, heldReason(h.SetAt), row.Reason, &h.Reason); err != nil {
				return nil, err
			}
		}
		out = append(out, h)
	}
	return out, nil
}
