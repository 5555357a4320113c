package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench/quality"
)

// benchQuality is `bonafide bench quality`.
type benchQuality struct {
	benchInput
	Generate int   `default:"3" placeholder:"N" help:"Documents that are photographed at every step."`
	Seed     int64 `default:"1" help:"The seed of the first."`
}

// Run measures what the numbers of a picture's quality mean.
func (c *benchQuality) Run(ctx context.Context, s streams) error {
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Generate)-1)
	}
	r, err := quality.Run(ctx, e.Optical, c.Seed, c.Generate, progress(s.Err))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures\n", r.Pictures)
	for _, n := range r.Series {
		fmt.Fprintf(&b, "%s\n", n.Number)
		for _, row := range n.Rows {
			fmt.Fprintf(&b, "  from %6.3f  zone exact %3d of %3d, told to redo %3d\n", row.From, row.Exact.Count, row.Exact.Of, row.Refused.Count)
		}
	}
	return c.answer(s, "what the numbers of quality mean", r, b.String())
}
