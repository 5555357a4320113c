package edge

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// ReplayRow is the answer to a call that was made with an idempotency key.
type ReplayRow struct {
	bun.BaseModel `bun:"table:idempotency_keys"`
	ID            string    `bun:"id"`
	Request       string    `bun:"request_digest"`
	Sealed        []byte    `bun:"sealed"`
	ClaimedAt     time.Time `bun:"claimed_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
	Session       string    `bun:"session_id"` // what the answer is about; empty for none
}

// Replays keeps the sealed answers of calls that were made with an idempotency key.
type Replays struct{ db *database.DB }

// NewReplays returns the idempotency keys of a database.
func NewReplays(db *database.DB) Replays { return Replays{db: db} }

// Claim takes a key for a call with that request digest. fresh: it was free, expired, or claimed before stale
// without an answer, and is ours now. Else request and sealed are what the call that has it left; sealed is
// nil while that still runs.
func (r Replays) Claim(ctx context.Context, key, asked string, now, stale, expires time.Time) (request string, sealed []byte, fresh bool, err error) {
	for range 3 { // the call that has it may release it between the two statements
		fresh, err = r.claim(ctx, ReplayRow{ID: key, Request: asked, ClaimedAt: now, ExpiresAt: expires}, stale)
		if err != nil || fresh {
			break
		}
		var row ReplayRow
		if err = r.db.Write.NewSelect().Model(&row).Where("id = ?", key).Scan(ctx); err == nil {
			return row.Request, row.Sealed, false, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			break
		}
	}
	if err != nil {
		return "", nil, false, fmt.Errorf("take an idempotency key: %w", err)
	}
	return "", nil, fresh, nil
}

// claim writes a row unless there is one with that key that still counts, and reports whether it did.
func (r Replays) claim(ctx context.Context, row ReplayRow, stale time.Time) (taken bool, err error) {
	err = r.db.Once(ctx, func(ctx context.Context, db bun.IDB) error {
		res, err := db.NewInsert().Model(&row).Returning("NULL").On("CONFLICT (id) DO UPDATE").
			Set("request_digest = EXCLUDED.request_digest").Set("sealed = NULL").Set("claimed_at = EXCLUDED.claimed_at").
			Set("expires_at = EXCLUDED.expires_at").Set("session_id = EXCLUDED.session_id").
			Where("replay_row.expires_at <= ? OR (replay_row.sealed IS NULL AND replay_row.claimed_at < ?)", row.ClaimedAt, stale).Exec(ctx)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		taken = n == 1
		return err
	})
	return taken, err
}

// ReleaseAll frees every claimed key that has no answer. It must be called only while no call runs.
func (r Replays) ReleaseAll(ctx context.Context) error {
	err := r.db.Once(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewDelete().Model((*ReplayRow)(nil)).Where("sealed IS NULL").Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("free idempotency keys: %w", err)
	}
	return nil
}

// Keep stores the sealed answer of a claimed key. It goes when that session is erased.
func (r Replays) Keep(ctx context.Context, key string, id idv.SessionID, sealed []byte) error {
	err := r.db.Once(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewUpdate().Model((*ReplayRow)(nil)).Set("sealed = ?", sealed).Set("session_id = ?", string(id)).Where("id = ?", key).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}

// Release frees a claimed key that has no answer.
func (r Replays) Release(ctx context.Context, key string) error {
	err := r.db.Once(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewDelete().Model((*ReplayRow)(nil)).Where("id = ? AND sealed IS NULL", key).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("free an idempotency key: %w", err)
	}
	return nil
}
