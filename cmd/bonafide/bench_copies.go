package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/copies"
)

// benchCopies is `bonafide bench copies`.
type benchCopies struct {
	benchInput
	Generate  int    `placeholder:"N" help:"First write photographs of N specimens and their copies into the folder."`
	Seed      int64  `default:"1" help:"The seed of the first specimen."`
	Scores    string `placeholder:"FILE" help:"Write every picture's values there, one a line."`
	Calibrate string `placeholder:"FILE" help:"Write thresholds and rates there, as internal/forensic/measured.json."`
	Read      bool   `help:"Read the pictures as an applicant's, without knowing where their pages are: how well pages are found, and what is suspected in all."`
	Most      int    `placeholder:"N" help:"With --read, at most so many pictures of each sort."`
	Only      bool   `help:"Only write the photographs, measure nothing."`
}

// Run measures the signs of copies and of exchanged portraits.
func (c *benchCopies) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	if c.Generate > 0 {
		if err := copies.Generate(c.Dir, c.Seed, c.Generate, progress(s.Err)); err != nil {
			return err
		}
	}
	if c.Only {
		return nil
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.Read {
		r, err := copies.Read(ctx, c.Dir, e.Optical, c.Most, progress(s.Err))
		if err != nil {
			return err
		}
		return c.answer(s, "pages found in photographs", r, textOfCorners(r))
	}
	r, err := copies.Run(ctx, c.Dir, e.Optical, progress(s.Err))
	if err != nil {
		return err
	}
	if err := c.saveFiles(r); err != nil {
		return err
	}
	return c.answer(s, "signs of copies and of exchanged portraits", r, textOfCopies(r))
}

// saveFiles writes what was asked for beside the record.
func (c *benchCopies) saveFiles(r *copies.Result) error {
	if c.Scores != "" {
		var b strings.Builder
		for _, s := range r.Scores {
			line, err := json.Marshal(s)
			if err != nil {
				return fmt.Errorf("encode a score: %w", err)
			}
			b.Write(append(line, '\n'))
		}
		if err := os.WriteFile(c.Scores, []byte(b.String()), 0o644); err != nil { //nolint:gosec // values of generated pictures
			return fmt.Errorf("write the scores: %w", err)
		}
	}
	if c.Calibrate == "" {
		return nil
	}
	raw, err := json.MarshalIndent(r.Measured(c.name(), "bonafide bench copies DIR", time.Now().UTC()), "", "  ")
	if err != nil {
		return fmt.Errorf("encode the rates: %w", err)
	}
	if err := os.WriteFile(c.Calibrate, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // public
		return fmt.Errorf("write the rates: %w", err)
	}
	return nil
}

func textOfCopies(r *copies.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures, %.0f ms each beyond opening them\n", r.Pictures, r.CPU.P50)
	for _, s := range r.Signs {
		fmt.Fprintf(&b, "%s, threshold %.2f; genuine %v\n", s.Sign, s.Threshold, s.Genuine)
		for _, a := range s.Attacks {
			fmt.Fprintf(&b, "  %-8s found %s  %v\n", a.Attack, a.Found, a.Quantiles)
		}
		for _, at := range s.Ranges {
			fmt.Fprintf(&b, "  from %2.0f px/mm  false alarms %s\n", at.From, at.FalseAlarms)
			for _, a := range s.Attacks {
				fmt.Fprintf(&b, "      %-8s %s\n", a.Attack, at.Found[a.Attack])
			}
		}
	}
	b.WriteString("suspected by any sign\n")
	for _, what := range slices.Sorted(maps.Keys(r.Together)) {
		fmt.Fprintf(&b, "  %-8s %s\n", what, r.Together[what])
	}
	return b.String()
}

func textOfCorners(r *copies.CornerResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures\n  corners named  %s\n  overlap ≥ 95 %%  %s\n  corner error   p50 %.2f %%, p95 %.2f %% of the page's width\n",
		r.Pictures, r.Found, r.Close, r.Error.P50, r.Error.P95)
	for _, what := range slices.Sorted(maps.Keys(r.ByWhat)) {
		fmt.Fprintf(&b, "  %-8s overlap ≥ 95 %%  %s\n           suspected  %s\n", what, r.ByWhat[what], r.Signs[what])
	}
	for _, f := range r.Failed {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	return b.String()
}
