package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/credentials"
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

// benchSigned is `bonafide bench credentials`.
type benchSigned struct {
	Rounds int           `default:"200" help:"How often each verification is repeated; a tenth of that for lists and for openssl."`
	Delay  time.Duration `default:"50ms" help:"How long a round trip to a chip takes."`
	Peer   string        `enum:",openssl" default:"" placeholder:"openssl" help:"Also let openssl verify what it can."`
	JSON   bool          `name:"json" help:"Print one JSON object."`
	Record string        `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run measures how long chips and wallets take.
func (c *benchSigned) Run(ctx context.Context, s streams) error {
	r, err := credentials.Run(ctx, credentials.Options{Rounds: c.Rounds, Delay: c.Delay, OpenSSL: c.Peer == "openssl"})
	if err != nil {
		return err
	}
	in := benchInput{JSON: c.JSON, Record: c.Record, DataSet: "chips, lists and wallets that it makes"}
	return in.answer(s, "speed of chips and wallets", r, credentialsText(r))
}

func credentialsText(r *credentials.Result) string {
	var b strings.Builder
	for _, part := range []struct {
		what string
		all  []credentials.Timing
	}{{"passive authentication", r.Passive}, {"master list", r.List}, {"wallet answers", r.Wallet}} {
		fmt.Fprintf(&b, "%s\n", part.what)
		for _, t := range part.all {
			fmt.Fprintf(&b, "  %-42s p50 %6.2f  p95 %6.2f  max %6.2f ms, processor %6.2f ms", t.What, t.Wall.P50, t.Wall.P95, t.Wall.Max, t.Processor)
			if t.OpenSSL != nil {
				fmt.Fprintf(&b, ", openssl %.2f ms (its start takes %.2f ms)", t.OpenSSL.Wall.P50, t.OpenSSL.Start.P50)
			}
			b.WriteByte('\n')
		}
	}
	b.WriteString("chip at a distance\n")
	for _, one := range r.Relay {
		fmt.Fprintf(&b, "  %-58s %2d round trips, %3d commands, %5.2f s, %d bytes\n", one.What, one.Trips, one.Sent, one.Seconds, one.Bytes)
	}
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "%-6s %s: %.2f of at most %.0f %s\n", map[bool]string{true: "met", false: "MISSED"}[t.Met], t.What, t.Worst, t.Limit, t.Unit)
	}
	return b.String()
}
