package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/bench/speed"
	"github.com/bonafide-id/bonafide/internal/chip"
	watch "github.com/bonafide-id/bonafide/internal/screening"
)

// benchSpeed is `bonafide bench speed`: what whole verifications or the reading of documents alone cost.
type benchSpeed struct {
	benchInput
	What string `enum:"verify,inspect" default:"verify" help:"verify: NAME-front with NAME-back and NAME-selfie. inspect: every document alone."`
}

// Run measures processor time and memory.
func (c *benchSpeed) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	if c.What == "inspect" {
		return c.inspect(ctx, s)
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
		"%d verifications of %d pictures\n  processor   p50 %.0f ms, p95 %.0f ms\n  wall clock  p50 %.0f ms, p95 %.0f ms\n"+
			"  memory      %d MB after, %d MB at its peak\n",
		r.Verifications, r.Pictures, r.CPU.P50, r.CPU.P95, r.Wall.P50, r.Wall.P95, r.RSSAfter>>20, r.RSSPeak>>20))
}

// inspect measures the reading of documents alone.
func (c *benchSpeed) inspect(ctx context.Context, s streams) error {
	e, err := engineWith(c.Engine, speed.ProcessorClock(), evidence{trust: chip.Nobody{}, watchlists: watch.Nobody{}})
	if err != nil {
		return err
	}
	r, err := speed.Inspect(ctx, c.Dir, e.Flow, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "cost of reading a document", r, r.String())
}
