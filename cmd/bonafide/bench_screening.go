package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
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

// benchScreeningSpeed is `bonafide bench screening-speed`.
type benchScreeningSpeed struct {
	Names    int    `default:"1500000" help:"How many names the invented lists have."`
	Searches int    `default:"2000" help:"How many people are searched for."`
	Subjects int    `default:"100000" help:"How many people are screened again."`
	Changed  int    `default:"500" help:"How many entries changed."`
	Runs     int    `default:"3" help:"How often each part is run; the fastest counts."`
	Seed     uint64 `default:"24" help:"The seed of the invented people."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
	Record   string `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run measures what lists of full size cost.
func (c *benchScreeningSpeed) Run(_ context.Context, s streams) error {
	o := screening.SpeedOptions{
		Names: c.Names, Searches: c.Searches, Subjects: c.Subjects, Changed: c.Changed, Runs: c.Runs, Seed: c.Seed, List: screening.FullList,
	}
	r, err := screening.MeasureSpeed(o, func(what string) { _, _ = fmt.Fprintln(s.Err, what) })
	if err != nil {
		return err
	}
	in := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("invented people, seed %d", c.Seed)}
	return in.answer(s, "cost of screening against lists of full size", r, screeningSpeedText(r))
}

func screeningSpeedText(r *screening.Speed) string {
	var b strings.Builder
	took := func(what string, t screening.Took, more string) {
		fmt.Fprintf(&b, "  %-24s processor %.1f s, wall clock %.1f s%s\n", what, t.Processor, t.Wall, more)
	}
	line := func(what string, q bench.Quantiles) {
		fmt.Fprintf(&b, "  %-24s p50 %.1f ms, p95 %.1f ms, at most %.0f ms\n", what, q.P50, q.P95, q.Max)
	}
	fmt.Fprintf(&b, "%d people, %d names, index of %d MB\n", r.People, r.Names, r.IndexBytes>>20)
	took("build", r.Build, fmt.Sprintf(", %d MB at its peak", r.BuildPeak>>20))
	took("start", r.Start, fmt.Sprintf(", %d MB resident after searches, %d MB of the index mapped", r.Resident>>20, r.Mapped>>20))
	line("search, processor", r.Search)
	line("search, wall clock", r.SearchWall)
	fmt.Fprintf(&b, "  %-24s %s\n", "found", r.Found)
	took("SDN.XML", r.List, fmt.Sprintf(", %d MB, %d entries, %d MB at its peak", r.ListBytes/1_000_000, r.ListEntries, r.ListPeak>>20))
	took("changed entries", r.Delta, fmt.Sprintf(", %d entries, %d subjects, of whom %d were searched for", r.Changed, r.Subjects, r.Searched))
	return b.String()
}
