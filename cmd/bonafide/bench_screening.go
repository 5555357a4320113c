package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	listkills "github.com/bonafide-id/bonafide/bench/lists"
	"github.com/bonafide-id/bonafide/bench/screening"
	"github.com/bonafide-id/bonafide/internal/watchlist"
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
	fmt.Fprintf(&b, "  shown by OFAC's tool at 90 and above: alarm %s\n%40sshown %s\n%40swritten alike %s\n",
		r.Parity.Alarm, "", r.Parity.Shown, "", r.Parity.Alike)
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
	line("written alike", r.Literal)
	fmt.Fprintf(&b, "  %-24s %s\n", "found", r.Found)
	took("SDN.XML", r.List, fmt.Sprintf(", %d MB, %d entries, %d MB at its peak", r.ListBytes/1_000_000, r.ListEntries, r.ListPeak>>20))
	took("changed entries", r.Delta, fmt.Sprintf(", %d entries, %d subjects, of whom %d were searched for", r.Changed, r.Subjects, r.Searched))
	return b.String()
}

// benchLists is `bonafide bench lists`.
type benchLists struct {
	Formats  []watchlist.Format `default:"ofac-xml,ofac-advanced,un,eu,uk,seco,ftm" help:"Formats of the lists."`
	Share    float64            `default:"1" help:"Part of the official size that the lists have."`
	Kills    int                `default:"1" help:"How often an import is killed at each stage."`
	Agree    int                `default:"4" help:"How often two servers have to agree on the version in use, with the last of the formats."`
	Database string             `placeholder:"URL" help:"A PostgreSQL database, beside which each list gets one of its own. Default: SQLite files."`
	Seed     uint64             `default:"24" help:"The seed of the invented people."`
	JSON     bool               `name:"json" help:"Print one JSON object."`
	Record   string             `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
	Part     string             `hidden:"" help:"What a process does that may be killed."`
}

// Run imports lists and kills it. It answers 1 where a version in use was neither the one before nor the new one, or not whole.
func (c *benchLists) Run(ctx context.Context, s streams) error {
	if c.Part != "" {
		var p listkills.Part
		if err := json.Unmarshal([]byte(c.Part), &p); err != nil {
			return fmt.Errorf("read --part: %w", err)
		}
		return p.Run(ctx, s.Out)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	r, err := listkills.Run(ctx, listkills.Options{
		Program: []string{program, "bench", "lists", "--part"}, Formats: c.Formats, Share: c.Share, Kills: c.Kills, Agree: c.Agree, Database: c.Database,
		Seed: c.Seed, Progress: func(what string) { _, _ = fmt.Fprintln(s.Err, what) },
	})
	if err != nil {
		return err
	}
	in := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("invented lists of official size, seed %d", c.Seed)}
	if err := in.answer(s, "imports of watchlists that are killed", r, listsText(r)); err != nil {
		return err
	}
	if !r.Good() {
		return exitNo
	}
	return nil
}

func listsText(r *listkills.Result) string {
	var b strings.Builder
	for _, l := range r.Lists {
		old, made, held := 0, 0, 0
		for _, k := range l.Kills {
			old, made = old+k.Old, made+k.New
		}
		for _, h := range l.Held {
			if h.Held {
				held++
			}
		}
		fmt.Fprintf(&b, "  %-14s %6.1f MB, %6d entries, import %.1f s (processor %.1f s, %d MB); killed: %d old, %d new; %d of %d bad files held\n", l.Format,
			float64(l.Bytes)/1e6, l.Entries, l.Import, l.Used, l.Peak>>20, old, made, held, len(l.Held))
		for _, f := range l.Faults {
			fmt.Fprintf(&b, "    WRONG: %s\n", f)
		}
	}
	if a := r.Agreed; a != nil {
		fmt.Fprintf(&b, "  two servers on %s agreed %d times within %.1f s, %d were killed %v\n", r.Database, a.Times, a.Within, a.Killed, a.Faults)
	}
	return b.String()
}
