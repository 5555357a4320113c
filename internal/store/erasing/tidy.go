package erasing

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// RemoveOrphans deletes those of the named blobs that no row refers to, and returns how many.
func (s *Eraser) RemoveOrphans(ctx context.Context, names []string) (int, error) {
	if len(names) == 0 {
		return 0, nil
	}
	known := map[string]bool{}
	for _, table := range []any{(*sessions.CaptureRow)(nil), (*sessions.ArtifactRow)(nil), (*sessions.UploadPartRow)(nil)} {
		var rows []string
		err := s.db.Read.NewSelect().Model(table).Column("blob").Where("blob IN (?)", bun.List(names)).Scan(ctx, &rows)
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
		if err := s.db.Blobs.Delete(ctx, name); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}
