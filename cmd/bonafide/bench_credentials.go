package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/credentials"
)

// benchCredentials is `bonafide bench credentials`.
type benchCredentials struct {
	Rounds int           `default:"200" help:"How often each verification is repeated; a tenth of that for lists and for openssl."`
	Delay  time.Duration `default:"50ms" help:"How long a round trip to a chip takes."`
	Peer   string        `enum:",openssl" default:"" placeholder:"openssl" help:"Also let openssl verify what it can."`
	JSON   bool          `name:"json" help:"Print one JSON object."`
	Record string        `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run measures how long chips and wallets take.
func (c *benchCredentials) Run(ctx context.Context, s streams) error {
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
				fmt.Fprintf(&b, ", openssl %.2f ms, of which start %.2f ms", t.OpenSSL.Wall.P50, t.OpenSSL.Start.P50)
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
