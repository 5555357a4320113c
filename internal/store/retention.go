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

type settingRow struct {
	bun.BaseModel `bun:"table:settings"`
	Name          string        `bun:"name"`
	Value         idv.Retention `bun:"value,type:json"`
	ChangedAt     time.Time     `bun:"changed_at"`
}

// settingRetention is the name of the setting.
const settingRetention = "retention"

// Retention implements session.RetentionStore.
func (r *reader) Retention(ctx context.Context) (idv.Retention, error) {
	var row settingRow
	err := r.db.NewSelect().Model(&row).Where("name = ?", settingRetention).Scan(ctx)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return idv.Retention{}, fmt.Errorf("read the retention: %w", err)
	}
	return row.Value, nil
}

// SetRetention implements session.RetentionWriter.
func (t *tx) SetRetention(ctx context.Context, v idv.Retention) error {
	row := settingRow{Name: settingRetention, Value: v, ChangedAt: t.s.now()}
	_, err := t.db.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").
		Set("value = EXCLUDED.value").Set("changed_at = EXCLUDED.changed_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("keep the retention: %w", err)
	}
	return nil
}

// DueSessions implements session.RetentionStore.
func (r *reader) DueSessions(ctx context.Context, d session.Due) ([]idv.SessionID, error) {
	var final []string
	for _, s := range idv.SessionStates() {
		if s.Final() {
			final = append(final, string(s))
		}
	}
	q := r.db.NewSelect().Model((*sessionRow)(nil)).Column("id").
		Where("s.workflow_version_id = ? AND s.touched_at <= ?", string(d.Workflow), d.Before).
		Where("s.state IN (?) AND s.held_at IS NULL", bun.List(final))
	if d.Scope == session.ScopePictures {
		q = q.Where("s.pictures_erased_at IS NULL")
	} else {
		q = q.Where("s.erased_at IS NULL")
	}
	var ids []string
	if err := q.OrderExpr("s.touched_at").Limit(int64(d.Limit)).Scan(ctx, &ids); err != nil {
		return nil, fmt.Errorf("list sessions that are due: %w", err)
	}
	out := make([]idv.SessionID, len(ids))
	for i, id := range ids {
		out[i] = idv.SessionID(id)
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
	out := make([]session.Hold, 0, len(rows))
	for _, row := range rows {
		h := session.Hold{Session: id, SetBy: row.SetBy, SetAt: row.SetAt.UTC(), LiftedBy: row.LiftedBy, LiftedAt: utc(row.LiftedAt)}
		if len(row.Reason) > 0 {
			if err := r.unsealJSON(ctx, id, heldReason(h.SetAt), row.Reason, &h.Reason); err != nil {
				return nil, err
			}
		}
		out = append(out, h)
	}
	return out, nil
}
