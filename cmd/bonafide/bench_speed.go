package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/bench/speed"
)

// benchSpeed is `bonafide bench speed`.
type benchSpeed struct{ benchInput }

// Run measures whole verifications.
func (c *benchSpeed) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := speed.Run(ctx, c.Dir, e.Flow, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "cost of a verification", r, fmt.Sprintf(
		"%d verifications of %d pictures\n  processor   p50 %.0f ms, p95 %.0f ms\n  wall clock  p50 %.0f ms, p95 %.0f ms\n  memory      %d MB after, %d MB at its peak\n",
		r.Verifications, r.Pictures, r.CPU.P50, r.CPU.P95, r.Wall.P50, r.Wall.P95, r.RSSAfter>>20, r.RSSPeak>>20))
}
