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

// Session implements session.RecordReader.
func (r *RecordReader) Session(ctx context.Context, id idv.SessionID) (session.Record, error) {
	return r.sessionBy(ctx, "id", string(id), false)
}

// SessionByLink implements session.RecordReader.
func (r *RecordReader) SessionByLink(ctx context.Context, hash string) (session.Record, error) {
	return r.sessionBy(ctx, "link_hash", hash, false)
}

// SessionByToken implements session.RecordReader.
func (r *RecordReader) SessionByToken(ctx context.Context, hash string) (session.Record, error) {
	return r.sessionBy(ctx, "token_hash", hash, false)
}

func (r *RecordReader) sessionBy(ctx context.Context, column, value string, lock bool) (session.Record, error) {
	var row SessionRow
	q := r.Conn.NewSelect().Model(&row).Where("? = ?", bun.Ident("s."+column), value)
	if lock && r.DB.Engine() == "postgres" {
		q = q.For("UPDATE") // on SQLite the transaction already is the only writer
	}
	if err := q.Scan(ctx); err != nil {
		return session.Record{}, database.Missing(err, "read session")
	}
	return r.unseal(ctx, row)
}

// CountStates implements session.RecordReader.
func (r *RecordReader) CountStates(ctx context.Context, mode idv.Mode) (map[idv.SessionState]int, error) {
	var rows []struct {
		State string
		N     int
	}
	q := r.Conn.NewSelect().Model((*SessionRow)(nil)).ColumnExpr("s.state AS state, COUNT(*) AS n").GroupExpr("s.state")
	if mode != "" {
		q = q.Where("s.mode = ?", string(mode))
	}
	if err := q.Scan(ctx, &rows); err != nil {
		return nil, fmt.Errorf("count sessions: %w", err)
	}
	out := map[idv.SessionState]int{}
	for _, row := range rows {
		out[idv.SessionState(row.State)] = row.N
	}
	return out, nil
}

// Overdue implements session.RecordReader.
func (r *RecordReader) Overdue(ctx context.Context, now time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(ctx, limit, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("(s.state = ? AND s.link_expires_at <= ?) OR (s.state = ? AND s.expires_at <= ?)",
			string(idv.Created), now, string(idv.Capturing), now)
	})
}

// Stale implements session.RecordReader.
func (r *RecordReader) Stale(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(ctx, limit, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("s.state = ? AND s.touched_at < ?", string(idv.Processing), before)
	})
}

func (r *RecordReader) ids(ctx context.Context, limit int, where func(*bun.SelectQuery) *bun.SelectQuery) ([]idv.SessionID, error) {
	var out []string
	q := where(r.Conn.NewSelect().Model((*SessionRow)(nil)).Column("id"))
	if err := q.OrderExpr("s.id").Limit(int64(limit)).Scan(ctx, &out); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	ids := make([]idv.SessionID, len(out))
	for i, id := range out {
		ids[i] = idv.SessionID(id)
	}
	return ids, nil
}
