package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/screening"
)

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
	o := screening.SpeedOptions{Names: c.Names, Searches: c.Searches, Subjects: c.Subjects, Changed: c.Changed, Runs: c.Runs, Seed: c.Seed, List: screening.FullList}
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
