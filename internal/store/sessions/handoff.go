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

// HandoffRow is the passing of a session from one browser to another.
type HandoffRow struct {
	bun.BaseModel `bun:"table:handoffs"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	LinkHash      string    `bun:"link_hash"`
	From          string    `bun:"from_hash"`
	To            string    `bun:"to_hash"`
	MadeAt        time.Time `bun:"made_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
	OpenedAt      time.Time `bun:"opened_at,nullzero"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
}

func (h HandoffRow) handoff() session.HandoffRow {
	return session.HandoffRow{
		ID: idv.HandoffID(h.ID), Session: idv.SessionID(h.Session), LinkHash: h.LinkHash, From: h.From, To: h.To,
		MadeAt: h.MadeAt.UTC(), ExpiresAt: h.ExpiresAt.UTC(), OpenedAt: database.UTC(h.OpenedAt), EndedAt: database.UTC(h.EndedAt),
	}
}

// AddHandoff implements session.Writer.
func (t *ApplicantWriter) AddHandoff(ctx context.Context, h session.HandoffRow) error {
	return t.Insert(ctx, &HandoffRow{
		ID: string(h.ID), Session: string(h.Session), LinkHash: h.LinkHash, From: h.From, To: h.To,
		MadeAt: h.MadeAt, ExpiresAt: h.ExpiresAt, OpenedAt: h.OpenedAt, EndedAt: h.EndedAt,
	}, "hand-off")
}

// SaveHandoff implements session.Writer.
func (t *ApplicantWriter) SaveHandoff(ctx context.Context, h session.HandoffRow) error {
	row := HandoffRow{From: h.From, To: h.To, OpenedAt: h.OpenedAt, EndedAt: h.EndedAt}
	_, err := t.Conn.NewUpdate().Model(&row).Column("from_hash", "to_hash", "opened_at", "ended_at").Where("id = ?", string(h.ID)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("write hand-off: %w", err)
	}
	return nil
}

// HandoffByLink implements session.HandoffReader.
func (r *ApplicantReader) HandoffByLink(ctx context.Context, hash string) (session.HandoffRow, error) {
	var row HandoffRow
	if err := r.Conn.NewSelect().Model(&row).Where("link_hash = ?", hash).Scan(ctx); err != nil {
		return session.HandoffRow{}, database.Missing(err, "read hand-off")
	}
	return row.handoff(), nil
}

// HandoffsByToken implements session.HandoffReader.
func (r *ApplicantReader) HandoffsByToken(ctx context.Context, hash string) ([]session.HandoffRow, error) {
	return r.handoffs(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("from_hash = ? OR to_hash = ?", hash, hash)
	})
}

// Handoffs implements session.HandoffReader.
func (r *ApplicantReader) Handoffs(ctx context.Context, id idv.SessionID) ([]session.HandoffRow, error) {
	return r.handoffs(ctx, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("session_id = ?", string(id)) })
}

func (r *ApplicantReader) handoffs(ctx context.Context, narrow func(*bun.SelectQuery) *bun.SelectQuery) ([]session.HandoffRow, error) {
	var rows []HandoffRow
	if err := narrow(r.Conn.NewSelect().Model(&rows)).OrderExpr("seq").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read hand-offs: %w", err)
	}
	out := make([]session.HandoffRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.handoff())
	}
	return out, nil
}
