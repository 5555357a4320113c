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

// TabRow is a tab of a browser that has or had a session.
type TabRow struct {
	bun.BaseModel `bun:"table:tabs"`
	Session       string    `bun:"session_id"`
	TokenHash     string    `bun:"token_hash"`
	KeyHash       string    `bun:"key_hash"`
	How           string    `bun:"opened_how"`
	OpenedAt      time.Time `bun:"opened_at"`
}

func (t TabRow) tab() session.TabRow {
	return session.TabRow{
		Session: idv.SessionID(t.Session), TokenHash: t.TokenHash, KeyHash: t.KeyHash, How: session.Opening(t.How), OpenedAt: t.OpenedAt.UTC(),
	}
}

// AddTab implements session.Writer.
func (t *ApplicantWriter) AddTab(ctx context.Context, tab session.TabRow) error {
	return t.Insert(ctx, &TabRow{
		Session: string(tab.Session), TokenHash: tab.TokenHash, KeyHash: tab.KeyHash, How: string(tab.How), OpenedAt: tab.OpenedAt,
	}, "tab")
}

// TabByToken implements session.TabReader.
func (r *ApplicantReader) TabByToken(ctx context.Context, hash string) (session.TabRow, error) {
	return r.tab(ctx, "token_hash = ?", hash)
}

// TabByKey implements session.TabReader.
func (r *ApplicantReader) TabByKey(ctx context.Context, hash string) (session.TabRow, error) {
	return r.tab(ctx, "key_hash = ?", hash)
}

func (r *ApplicantReader) tab(ctx context.Context, where, hash string) (session.TabRow, error) {
	var row TabRow
	if err := r.Conn.NewSelect().Model(&row).Where(where, hash).OrderExpr("seq DESC").Limit(1).Scan(ctx); err != nil {
		return session.TabRow{}, database.Missing(err, "read tab")
	}
	return row.tab(), nil
}

// CountTabs implements session.TabReader.
func (r *ApplicantReader) CountTabs(ctx context.Context, id idv.SessionID, how session.Opening, since time.Time) (int, error) {
	n, err := r.Conn.NewSelect().Model((*TabRow)(nil)).
		Where("session_id = ?", string(id)).Where("opened_how = ?", string(how)).Where("opened_at >= ?", since).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count tabs: %w", err)
	}
	return int(n), nil
}
