package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench/screening"
)

// benchScreening is `bonafide bench screening`.
type benchScreening struct {
	Dir    string `arg:"" help:"The folder with name_pairs.csv, the lists of UN and OFAC, and invented customers."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
	Record string `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run measures who is found and who is accused.
func (c *benchScreening) Run(_ context.Context, s streams) error {
	in := benchInput{JSON: c.JSON, Record: c.Record, Dir: c.Dir}
	r, err := screening.Run(c.Dir)
	if err != nil {
		return err
	}
	in.DataSet = "public pairs, UN of 2026-02-27, OFAC SDN, invented customers"
	return in.answer(s, "screening of names", r, screeningText(r))
}

func screeningText(r *screening.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d people, %d names\n", r.People, r.Names)
	for _, p := range r.Pairs {
		fmt.Fprintf(&b, "  %-62s %3d  F1 %.3f [%.3f, %.3f] (P %.3f R %.3f)  logic-v2 %.3f  strong wrong %d, %d of %d\n", p.What, p.Pairs, p.Own.F1,
			p.Own.Interval.Low, p.Own.Interval.High, p.Own.Precision, p.Own.Recall, p.Peer.F1, p.StrongWrong, p.PeerStrong, p.Strong)
	}
	for _, a := range r.Aliases {
		fmt.Fprintf(&b, "  %-45s alarm %s\n%49stop ten %s\n", a.What, a.Alarm, "", a.TopTen)
	}
	for _, a := range r.Customers {
		fmt.Fprintf(&b, "  %-45s by name %s\n%38swith birth %s\n%41sstrong %s  unusable %d\n", a.What, a.ByName, "", a.ByBirth, "", a.Strong, a.Unusable)
	}
	fmt.Fprintf(&b, "  shown by OFAC's tool at 90 and above: alarm %s\n%40sshown %s\n", r.Parity.Alarm, "", r.Parity.Shown)
	return b.String()
}
