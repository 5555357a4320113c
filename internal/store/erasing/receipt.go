package erasing

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Erasures implements session.ErasureReader.
func (r *ErasureReader) Erasures(ctx context.Context, id idv.SessionID) ([]session.Erasure, error) {
	var rows []ErasureRow
	err := r.Conn.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("erased_at, scope DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("read erasings: %w", err)
	}
	out := make([]session.Erasure, 0, len(rows))
	for _, row := range rows {
		out = append(out, session.Erasure{
			Session: id, Scope: session.Scope(row.Scope), Statement: row.Statement, ErasedAt: row.ErasedAt.UTC(), FinishedAt: database.UTC(row.FinishedAt),
		})
	}
	return out, nil
}

// EntryOf implements session.ErasureReader.
func (r *ErasureReader) EntryOf(ctx context.Context, id idv.SessionID, action string) (audit.Entry, *audit.Proof, error) {
	var row auditlog.AuditRow
	err := r.Conn.NewSelect().Model(&row).Where("session_id = ? AND action = ?", string(id), action).OrderExpr("id DESC").Limit(1).Scan(ctx)
	if err != nil {
		return audit.Entry{}, nil, database.Missing(err, "read an audit entry")
	}
	e := row.Entry()
	if e.Position < 0 {
		return e, nil, nil
	}
	p, err := r.log.Prove(ctx, r.Conn, e)
	return e, p, err
}
