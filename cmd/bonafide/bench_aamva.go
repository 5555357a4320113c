package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/aamva"
)

// benchAAMVA is `bonafide bench aamva`.
type benchAAMVA struct {
	Generate int    `default:"200" placeholder:"N" help:"How many cards are invented, photographed and read."`
	Seed     int64  `default:"1" help:"The seed of the first card."`
	Failures string `placeholder:"DIR" help:"Keep pictures that were read wrongly there, for people to look at."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
	Record   string `placeholder:"FILE" help:"Also write the result there, with machine, commit and seeds."`
}

// Run measures what is read from the backs of North American cards.
func (c *benchAAMVA) Run(ctx context.Context, s streams) error {
	gallery, err := bench.NewGallery(c.Failures)
	if err != nil {
		return err
	}
	r, err := aamva.Run(ctx, aamva.Options{First: c.Seed, Pictures: c.Generate, Failures: gallery, Progress: progress(s.Err)})
	if err != nil {
		return err
	}
	if err := gallery.Close(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d generated cards\n  every field equal     %s\n  of faulty cards       %s\n  code read             %s\n"+
		"  read but not equal    %s\n  processor             p50 %.0f ms, p95 %.0f ms a picture\n",
		c.Generate, r.Equal, r.Faulty, r.Read, r.Wrong, r.CPU.P50, r.CPU.P95)
	for _, list := range [][]aamva.Tally{r.Versions, r.Countries, r.Cameras} {
		for _, t := range list {
			fmt.Fprintf(&b, "  %-20s  %s\n", t.What, t.Equal)
		}
	}
	in := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Generate)-1)}
	return in.answer(s, "reading of AAMVA bar codes", r, b.String())
}
