package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/bench/barcode"
)

// benchBarcode is `bonafide bench barcode`.
type benchBarcode struct{ benchInput }

// Run measures the reading of barcodes.
func (c *benchBarcode) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	r, err := barcode.Run(ctx, c.Dir, progress(s.Err))
	if err != nil {
		return err
	}
	return c.answer(s, "reading of barcodes", r, fmt.Sprintf("%d codes\n  right      %s\n  wrong      %s\n  not read   %s\n",
		r.Pictures, r.Right, r.Wrong, r.NotRead))
}
