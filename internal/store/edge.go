package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
)

type replayRow struct {
	bun.BaseModel `bun:"table:idempotency_keys"`
	ID            string    `bun:"id"`
	Request       string    `bun:"request_digest"`
	Sealed        []byte    `bun:"sealed"`
	ClaimedAt     time.Time `bun:"claimed_at"`
	ExpiresAt     time.Time `bun:"expires_at"`
	Session       string    `bun:"session_id"` // what the answer is about; empty for none
}

// Replays keeps the sealed answers of calls that were made with an idempotency key.
type Replays struct{ s *Store }

// Replays answers the idempotency keys of this store.
func (s *Store) Replays() Replays { return Replays{s: s} }

// Claim takes a key for a call with that request digest. fresh: it was free, expired, or claimed before stale
// without an answer, and is ours now. Else request and sealed are what the call that has it left; sealed is
// nil while that still runs.
func (r Replays) Claim(ctx context.Context, key, asked string, now, stale, expires time.Time) (request string, sealed []byte, fresh bool, err error) {
	for range 3 { // whoever has it may free it between our asking and our looking
		fresh, err = r.take(ctx, replayRow{ID: key, Request: asked, ClaimedAt: now, ExpiresAt: expires}, stale)
		if err != nil || fresh {
			break
		}
		var row replayRow
		if err = r.s.write.NewSelect().Model(&row).Where("id = ?", key).Scan(ctx); err == nil {
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

// take writes a row unless one with that key is there that still counts.
func (r Replays) take(ctx context.Context, row replayRow, stale time.Time) (taken bool, err error) {
	err = r.s.once(ctx, func(ctx context.Context, db bun.IDB) error {
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

// Keep stores the sealed answer of a claimed key. It goes when that session is erased.
func (r Replays) Keep(ctx context.Context, key string, id idv.SessionID, sealed []byte) error {
	err := r.s.once(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewUpdate().Model((*replayRow)(nil)).Set("sealed = ?", sealed).Set("session_id = ?", string(id)).Where("id = ?", key).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	return nil
}

// Release frees a claimed key that has no answer.
func (r Replays) Release(ctx context.Context, key string) error {
	err := r.s.once(ctx, func(ctx context.Context, db bun.IDB) error {
		_, err := db.NewDelete().Model((*replayRow)(nil)).Where("id = ? AND sealed IS NULL", key).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("free an idempotency key: %w", err)
	}
	return nil
}

// handoffsKept is how long a hand-off can be watched and handed back: longer than a session that nobody reopens.
const handoffsKept = 30 * 24 * time.Hour

// dropExpired removes console sessions, idempotency keys, invitations and hand-offs whose time is over.
func (s *Store) dropExpired(ctx context.Context) error {
	now := s.now()
	if _, err := s.write.NewDelete().Model((*webRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired console sessions: %w", err)
	}
	if _, err := s.write.NewDelete().Model((*replayRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired idempotency keys: %w", err)
	}
	if _, err := s.write.NewDelete().Model((*ceremonyRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop challenges that nobody answered: %w", err)
	}
	if _, err := s.write.NewDelete().Model((*invitationRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired invitations: %w", err)
	}
	if _, err := s.write.NewDelete().Model((*grantRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop granted calls: %w", err)
	}
	if _, err := s.write.NewDelete().Model((*handoffRow)(nil)).Where("made_at <= ?", now.Add(-handoffsKept)).Exec(ctx); err != nil {
		return fmt.Errorf("drop old hand-offs: %w", err)
	}
	return nil
}
