package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/bench/mrz"
)

// benchMRZ is `bonafide bench mrz`.
type benchMRZ struct{ benchInput }

// Run measures the reading of machine-readable zones.
func (c *benchMRZ) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	r, err := mrz.Run(ctx, c.Dir, c.Truth, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "reading of machine-readable zones", r, fmt.Sprintf(
		"%d pictures\n  found                %s\n  exact                %s\n  exact after repair   %s\n  verified             %s\n  verified but wrong   %s\n  not found            %s\n",
		r.Pictures, r.Found, r.Exact, r.Repaired,
		r.Verified, r.VerifiedWrong, r.NotFound))
}
