package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Session implements session.RecordReader.
func (r *reader) Session(ctx context.Context, id idv.SessionID) (session.Record, error) {
	return r.sessionBy(ctx, "id", string(id), false)
}

// SessionByLink implements session.RecordReader.
func (r *reader) SessionByLink(ctx context.Context, hash string) (session.Record, error) {
	return r.sessionBy(ctx, "link_hash", hash, false)
}

// SessionByToken implements session.RecordReader.
func (r *reader) SessionByToken(ctx context.Context, hash string) (session.Record, error) {
	return r.sessionBy(ctx, "token_hash", hash, false)
}

func (r *reader) sessionBy(ctx context.Context, column, value string, lock bool) (session.Record, error) {
	var row sessionRow
	q := r.db.NewSelect().Model(&row).Where("? = ?", bun.Ident("s."+column), value)
	if lock && r.s.Engine() == "postgres" {
		q = q.For("UPDATE") // on SQLite the transaction already is the only writer
	}
	if err := q.Scan(ctx); err != nil {
		return session.Record{}, missing(err, "read session")
	}
	return r.unseal(ctx, row)
}

// CountStates implements session.RecordReader.
func (r *reader) CountStates(ctx context.Context, mode idv.Mode) (map[idv.SessionState]int, error) {
	var rows []struct {
		State string
		N     int
	}
	q := r.db.NewSelect().Model((*sessionRow)(nil)).ColumnExpr("s.state AS state, COUNT(*) AS n").GroupExpr("s.state")
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
func (r *reader) Overdue(ctx context.Context, now time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(ctx, limit, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("(s.state = ? AND s.link_expires_at <= ?) OR (s.state = ? AND s.expires_at <= ?)",
			string(idv.Created), now, string(idv.Capturing), now)
	})
}

// Stale implements session.RecordReader.
func (r *reader) Stale(ctx context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	return r.ids(ctx, limit, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("s.state = ? AND s.touched_at < ?", string(idv.Processing), before)
	})
}

func (r *reader) ids(ctx context.Context, limit int, where func(*bun.SelectQuery) *bun.SelectQuery) ([]idv.SessionID, error) {
	var out []string
	q := where(r.db.NewSelect().Model((*sessionRow)(nil)).Column("id"))
	if err := q.OrderExpr("s.id").Limit(int64(limit)).Scan(ctx, &out); err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	ids := make([]idv.SessionID, len(out))
	for i, id := range out {
		ids[i] = idv.SessionID(id)
	}
	return ids, nil
}

// rowsOf reads what a table holds of one session, in the order in which it was written.
func rowsOf[R any](ctx context.Context, r *reader, id idv.SessionID, what string) ([]R, error) {
	var rows []R
	if err := r.db.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("seq").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return rows, nil
}
