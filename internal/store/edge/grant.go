package edge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/database"
)

// GrantRow is how many calls a caller was granted in a span of time, by all nodes together. On PostgreSQL the table is not
// logged: a crash of the database forgets it.
type GrantRow struct {
	bun.BaseModel `bun:"table:call_grants,alias:call_grants"`
	Caller        string    `bun:"caller"` // keyed digest: an address stays nowhere in the clear
	Span          int64     `bun:"span"`
	Granted       int       `bun:"granted"`
	LastGrant     int       `bun:"last_grant"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// Grants counts calls over all nodes. It is safe for concurrent use.
type Grants struct{ db *database.DB }

// NewGrants returns the Grants of a database.
func NewGrants(db *database.DB) *Grants { return &Grants{db: db} }

// Grant implements httpapi.Grants: it grants up to want calls, as far as all grants of the span stay within room. It answers
// how many, and how many all nodes were granted.
func (s *Grants) Grant(ctx context.Context, caller string, span int64, want, room int, expires time.Time) (got, all int, err error) {
	digest, err := s.db.Reader().Blind(ctx, "caller", caller)
	if err != nil {
		return 0, 0, err
	}
	for range 2 { // the row may have to be made first
		var row GrantRow
		fitting := "CASE WHEN ? <= granted THEN 0 WHEN ? - granted < ? THEN ? - granted ELSE ? END"
		err = s.db.Write.NewUpdate().
			Model(&row).
			Set("last_grant = "+fitting, room, room, want, room, want).
			Set("granted = granted + "+fitting, room, room, want, room, want).
			Where("caller = ? AND span = ?", digest, span).
			Returning("last_grant, granted").
			Scan(ctx)
		if err == nil {
			return row.LastGrant, row.Granted, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			break
		}
		made := GrantRow{Caller: digest, Span: span, ExpiresAt: expires}
		if _, err = s.db.Write.NewInsert().Model(&made).On("CONFLICT (caller, span) DO NOTHING").Exec(ctx); err != nil {
			break
		}
	}
	return 0, 0, fmt.Errorf("grant calls: %w", err)
}

// Granted implements httpapi.Grants: how many calls all nodes were granted in a span.
func (s *Grants) Granted(ctx context.Context, caller string, span int64) (int, error) {
	digest, err := s.db.Reader().Blind(ctx, "caller", caller)
	if err != nil {
		return 0, err
	}
	var n []int
	if err := s.db.Read.NewSelect().Model((*GrantRow)(nil)).Column("granted").Where("caller = ? AND span = ?", digest, span).Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("read granted calls: %w", err)
	}
	if len(n) == 0 {
		return 0, nil
	}
	return n[0], nil
}
