package sessions

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Alike implements session.RecordReader. It stays within the index of digests, and never leaves the session's mode.
func (r *RecordReader) Alike(ctx context.Context, id idv.SessionID, limit int) ([]session.Alike, error) {
	var rows []struct {
		Session string `bun:"session_id"`
		Numbers int    `bun:"numbers"`
		Names   int    `bun:"names"`
	}
	err := r.Conn.NewSelect().TableExpr("blind_indexes AS own").
		Join("JOIN blind_indexes AS o ON o.kind = own.kind AND o.digest = own.digest AND o.session_id <> own.session_id").
		Join("JOIN sessions AS s ON s.id = o.session_id").
		ColumnExpr("o.session_id AS session_id").
		ColumnExpr("COUNT(CASE WHEN o.kind = ? THEN 1 END) AS numbers", BlindNumber).
		ColumnExpr("COUNT(CASE WHEN o.kind = ? THEN 1 END) AS names", BlindName).
		Where("own.session_id = ? AND own.kind IN (?, ?)", string(id), BlindNumber, BlindName).
		Where("s.mode = (SELECT t.mode FROM sessions AS t WHERE t.id = ?) AND s.erased_at IS NULL", string(id)).
		GroupExpr("o.session_id").OrderExpr("o.session_id DESC").Limit(int64(limit)).Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("find sessions that are alike: %w", err)
	}
	out := make([]session.Alike, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.Alike{Session: idv.SessionID(row.Session), Number: row.Numbers > 0, Name: row.Names > 0})
	}
	return out, nil
}

// Reasons implements session.RecordReader.
func (r *RecordReader) Reasons(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID][]string, error) {
	out := map[idv.SessionID][]string{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []reasonRow
	err := r.Conn.NewSelect().Model(&rows).Where("session_id IN (?)", bun.List(ids)).OrderExpr("session_id, code").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read reasons: %w", err)
	}
	for _, row := range rows {
		id := idv.SessionID(row.Session)
		out[id] = append(out[id], row.Code)
	}
	return out, nil
}

// settingDecline is the name of the setting of which reasons reviewers are offered.
const settingDecline = "decline_reasons"

// DeclineReasons implements session.CaseReader.
func (r *CaseReader) DeclineReasons(ctx context.Context) ([]session.OfferedReason, error) {
	return setting[[]session.OfferedReason](ctx, r.Conn, settingDecline)
}

// SetDeclineReasons implements session.CaseWriter.
func (t *CaseWriter) SetDeclineReasons(ctx context.Context, offered []session.OfferedReason) error {
	return saveSetting(ctx, t.Tx, settingDecline, offered)
}
