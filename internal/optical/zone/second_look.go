package zone

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// secondLooks improves a zone by other ways of looking at it, which are tried in order.
type secondLooks struct {
	done   func(best *Zone) bool       // nothing is left to improve; best may be nil
	better func(next, best *Zone) bool // next replaces best, which may be nil
}

// improve returns the best of a zone, which may be nil, and those of the looks. A look returns nil where it finds nothing.
func (l secondLooks) improve(best *Zone, looks ...func() (*Zone, error)) (*Zone, error) {
	for _, look := range looks {
		if l.done(best) {
			break
		}
		next, err := look()
		if err != nil {
			return nil, err
		}
		if next != nil && l.better(next, best) {
			best = next
		}
	}
	return best, nil
}

// untilWhole looks until the rows are whole, and keeps what is read better.
var untilWhole = secondLooks{
	done:   func(best *Zone) bool { return best != nil && best.whole() },
	better: func(next, best *Zone) bool { return best == nil || next.better(best) },
}

// better reports whether the rows are read better than others of the same zone.
func (z *Zone) better(than *Zone) bool {
	before, ok := than.decoded()
	after, ok2 := z.decoded()
	return ok2 && (!ok || z.whole() || after.score > before.score)
}

// recut returns the zone with its rows read again from other lines, one a row.
func (s scanner) recut(ctx context.Context, z *Zone, lines []ocr.Strip) (*Zone, error) {
	rows, err := s.scanAll(ctx, lines)
	if err != nil {
		return nil, err
	}
	return &Zone{pitch: z.pitch, rivals: z.rivals, rivalLengths: z.rivalLengths, rows: rows}, nil
}
