package erasing

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/store/database"
)

// leftFor is how far back erasings are looked at: far longer than two versions run beside each other.
const leftFor = 30 * 24 * time.Hour

// leftBy selects the sessions that were erased lately. leftByPictures also selects those that lost only their pictures.
const (
	leftByPictures = "(SELECT e.session_id FROM erasures AS e WHERE e.erased_at > ?)"
	leftBy         = "(SELECT e.session_id FROM erasures AS e WHERE e.scope = 'all' AND e.erased_at > ?)"
)

// DropLeft deletes what is left of sessions that a server of a former version erased: it knows nothing of tables that came later. What is
// sealed there is closed for ever, as the keys went, but rows say by themselves that there was something.
func (s *Eraser) DropLeft(ctx context.Context) error {
	since := s.db.Now().Add(-leftFor)
	for _, f := range inOrder(Fates()) {
		if f.all != remove {
			continue
		}
		by := leftBy
		if f.pictures == remove {
			by = leftByPictures
		}
		where, args := "session_id IN "+by, []any{since}
		if f.of == ofEither {
			where, args = where+" OR other_id IN "+by, []any{since, since}
		}
		if f.Table == galleryTable {
			if err := s.dropLeftFaces(ctx, where, args...); err != nil {
				return err
			}
			continue
		}
		n, err := database.Affected(s.db.Write.NewDelete().TableExpr("?", bun.Ident(f.Table)).Where(where, args...).Exec(ctx))
		if err != nil {
			return fmt.Errorf("drop what is left in %s: %w", f.Table, err)
		}
		if n > 0 {
			s.db.Logger.WarnContext(ctx, "rows that an erasing had left were deleted", "table", f.Table, "count", n)
		}
	}
	return nil
}

// dropLeftFaces deletes faces if there are any: to delete them is to search galleries and files for them.
func (s *Eraser) dropLeftFaces(ctx context.Context, where string, args ...any) error {
	some, err := s.db.Read.NewSelect().TableExpr("?", bun.Ident(galleryTable)).Where(where, args...).Exists(ctx)
	if err != nil {
		return fmt.Errorf("look for faces that are left: %w", err)
	}
	if !some {
		return nil
	}
	return s.dropFaces(ctx, where, args...)
}

// inOrder sorts fates by the order of deleting.
func inOrder(fates []Fate) []Fate {
	place := func(f Fate) int { // what has no place in the order refers to nothing
		if i := slices.Index(order, f.Table); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(fates, func(a, b Fate) int { return place(a) - place(b) })
	return fates
}
