package watchlists

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

type chunkRow struct {
	bun.BaseModel `bun:"table:watchlist_chunks,alias:c"`
	Version       string `bun:"version_id"`
	Place         int    `bun:"place"`
	Packed        []byte `bun:"packed"`
}

// AddWatchlistChunk implements lists.Store.
func (s *Shelf) AddWatchlistChunk(ctx context.Context, version idv.WatchlistVersionID, place int, packed []byte, at time.Time) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		n, err := database.Affected(t.Conn.NewUpdate().Model((*versionRow)(nil)).Set("beat_at = ?", at).
			Where("v.id = ? AND v.state = 'importing'", string(version)).Exec(ctx))
		if err != nil {
			return fmt.Errorf("note that an import goes on: %w", err)
		}
		if n == 0 {
			return errGivenUp
		}
		return t.Insert(ctx, &chunkRow{Version: string(version), Place: place, Packed: packed}, "entries of a watchlist")
	})
}

// errGivenUp is an import that somebody took for dead: what it goes on writing would never be removed.
var errGivenUp = errors.New("the import was given up")

// WatchlistChunks implements lists.Store. One chunk is in memory at a time.
func (s *Shelf) WatchlistChunks(ctx context.Context, version idv.WatchlistVersionID, each func(packed []byte) error) error {
	for place := 0; ; place++ {
		var row chunkRow
		err := s.db.Read.NewSelect().Model(&row).Where("c.version_id = ? AND c.place = ?", string(version), place).Scan(ctx)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the entries of a watchlist: %w", err)
		}
		if err := each(row.Packed); err != nil {
			return err
		}
	}
}

// DropWatchlistChunks implements lists.Store. It also removes those of versions that are gone.
func (s *Shelf) DropWatchlistChunks(ctx context.Context, version idv.WatchlistVersionID) error {
	_, err := s.db.Write.NewDelete().Model((*chunkRow)(nil)).
		Where("c.version_id = ? OR c.version_id NOT IN (SELECT id FROM watchlist_versions)", string(version)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("remove the entries of a watchlist: %w", err)
	}
	return nil
}
