package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// orphanAge is how old a blob has to be before it can count as an orphan: its row may be a moment behind.
const orphanAge = 24 * time.Hour

// orphanBatch bounds one look into the database.
const orphanBatch = 200

// Tidy removes calls that were kept long enough, and blobs that no row refers to. The latter are what is left when a step fails between writing its blob
// and its rows.
func (s *Store) Tidy(ctx context.Context) error {
	if err := s.forgetCalls(ctx); err != nil {
		return err
	}
	if s.blobs == nil {
		return nil
	}
	var names []string
	removed := 0
	flush := func() error {
		n, err := s.removeOrphans(ctx, names)
		names, removed = names[:0], removed+n
		return err
	}
	err := s.blobs.ListBefore(ctx, s.now().Add(-orphanAge), func(name string) error {
		if names = append(names, name); len(names) < orphanBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if removed > 0 {
		s.log.InfoContext(ctx, "orphan blobs removed", "count", removed)
	}
	return err
}

func (s *Store) removeOrphans(ctx context.Context, names []string) (int, error) {
	if len(names) == 0 {
		return 0, nil
	}
	known := map[string]bool{}
	for _, table := range []any{(*captureRow)(nil), (*artifactRow)(nil), (*uploadPartRow)(nil)} {
		var rows []string
		err := s.read.NewSelect().Model(table).Column("blob").Where("blob IN (?)", bun.List(names)).Scan(ctx, &rows)
		if err != nil {
			return 0, fmt.Errorf("look for the rows of blobs: %w", err)
		}
		for _, name := range rows {
			known[name] = true
		}
	}
	removed := 0
	for _, name := range names {
		if known[name] {
			continue
		}
		if err := s.blobs.Delete(ctx, name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
