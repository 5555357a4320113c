package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

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
	return database.Place("legal_holds.reason", set.UTC().Format(time.RFC3339))
}

// SetHold implements session.HoldWriter.
func (t *RetentionWriter) SetHold(ctx context.Context, h session.Hold) error {
	sealed, err := t.SealJSON(ctx, h.Session, heldReason(h.SetAt), h.Reason)
	if err != nil {
		return err
	}
	if err := t.Insert(ctx, &holdRow{Session: string(h.Session), Reason: sealed, SetBy: h.SetBy, SetAt: h.SetAt}, "hold"); err != nil {
		return err
	}
	return t.setHeldAt(ctx, h.Session, h.SetAt)
}

// LiftHold implements session.HoldWriter.
func (t *RetentionWriter) LiftHold(ctx context.Context, id idv.SessionID, by string, at time.Time) error {
	_, err := t.Conn.NewUpdate().Model((*holdRow)(nil)).Set("lifted_by = ?", by).Set("lifted_at = ?", at).
		Where("session_id = ? AND lifted_at IS NULL", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("lift a hold: %w", err)
	}
	return t.setHeldAt(ctx, id, time.Time{})
}

// setHeldAt notes in the session's row since when it is held; zero for not. It does not change the session's age.
func (t *RetentionWriter) setHeldAt(ctx context.Context, id idv.SessionID, at time.Time) error {
	_, err := t.Conn.NewUpdate().Model((*SessionRow)(nil)).Set("held_at = ?", bun.NullTime{Time: at}).Set("version = version + 1").
		Where("s.id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note a hold: %w", err)
	}
	return nil
}

// Holds implements session.HoldReader. Of an erased session the reasons are gone.
func (r *RetentionReader) Holds(ctx context.Context, id idv.SessionID) ([]session.Hold, error) {
	rows, err := database.RowsOf[holdRow](ctx, r.Reader, id, "holds")
	if err != nil {
		return nil, err
	}
	return r.holds(ctx, rows)
}

// StandingHolds implements session.HoldReader.
func (r *RetentionReader) StandingHolds(ctx context.Context, after idv.SessionID, limit int) ([]session.Hold, error) {
	var rows []holdRow
	q := r.Conn.NewSelect().Model(&rows).Where("lifted_at IS NULL").OrderExpr("session_id DESC").Limit(int64(limit))
	if after != "" {
		q = q.Where("session_id < ?", string(after))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list holds: %w", err)
	}
	return r.holds(ctx, rows)
}

// CountHolds implements session.HoldReader.
func (r *RetentionReader) CountHolds(ctx context.Context) (int, error) {
	n, err := r.Conn.NewSelect().Model((*holdRow)(nil)).Where("lifted_at IS NULL").Count(ctx)
	return int(n), database.Wrapped(err, "count holds")
}

func (r *RetentionReader) holds(ctx context.Context, rows []holdRow) ([]session.Hold, error) {
	r = &RetentionReader{r.Together()}
	out := make([]session.Hold, 0, len(rows))
	for _, row := range rows {
		h := session.Hold{Session: idv.SessionID(row.Session), SetBy: row.SetBy, SetAt: row.SetAt.UTC(), LiftedBy: row.LiftedBy, LiftedAt: database.UTC(row.LiftedAt)}
		if len(row.Reason) > 0 {
			if err := r.UnsealJSON(ctx, h.Session, heldReason(h.SetAt), row.Reason, &h.Reason); err != nil {
				return nil, err
			}
		}
		out = append(out, h)
	}
	return out, nil
}
