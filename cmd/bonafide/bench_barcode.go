package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/barcode"
)

// benchBarcode is `bonafide bench barcode`.
type benchBarcode struct {
	benchInput
	benchGenerated
	Peer string `enum:",zxing" default:"" help:"Measure this program on the same pictures: zxing (ZXingReader of Debian's zxing-cpp-tools)."`
}

const readingOfCodes = "reading of barcodes"

// Run measures the reading of barcodes.
func (c *benchBarcode) Run(ctx context.Context, s streams) error {
	o := barcode.Options{Zxing: c.Peer == "zxing", First: c.Seed, Pictures: c.Generate, Progress: progress(s.Err)}
	if c.Generate > 0 {
		return c.generated(ctx, s, o)
	}
	if c.Dir == "" {
		return errNoPictures
	}
	r, err := barcode.Run(ctx, c.Dir, o)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d codes\n  right      %s\n  wrong      %s\n  not read   %s\n  processor  p50 %.0f ms, p95 %.0f ms a picture\n",
		r.Pictures, r.Right, r.Wrong, r.NotRead, r.CPU.P50, r.CPU.P95)
	if r.Peer != nil {
		fmt.Fprintf(&b, "  zxing      %s\n             p50 %.0f ms, p95 %.0f ms a picture, its start included\n", *r.Peer, r.PeerCPU.P50, r.PeerCPU.P95)
	}
	return c.answer(s, readingOfCodes, r, b.String())
}

// generated measures on pictures that are made for it.
func (c *benchBarcode) generated(ctx context.Context, s streams, o barcode.Options) error {
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Generate)-1)
	}
	var err error
	if o.Failures, err = bench.NewGallery(c.Failures); err != nil {
		return err
	}
	r, err := barcode.RunGenerated(ctx, o)
	if err != nil {
		return err
	}
	if err := o.Failures.Close(); err != nil {
		return err
	}
	var b strings.Builder
	row := func(t barcode.Tally) {
		fmt.Fprintf(&b, "  %-22s %s", t.What, t.Right)
		if t.Peer != nil {
			fmt.Fprintf(&b, "   zxing %s", *t.Peer)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%d generated pictures of codes, wrong %d, processor p50 %.0f ms, p95 %.0f ms\n", c.Generate, r.Wrong.Count, r.CPU.P50, r.CPU.P95)
	row(r.All)
	for _, t := range r.Of {
		row(t)
	}
	return c.answer(s, readingOfCodes, r, b.String())
}
