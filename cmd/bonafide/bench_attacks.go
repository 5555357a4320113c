package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench/attacks"
	"github.com/bonafide-id/bonafide/fixtures/puppet"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// benchAttacks is `bonafide bench attacks`.
type benchAttacks struct {
	benchInput
	Generate int      `placeholder:"N" required:"" help:"Runs a row; of the adaptive row, victims. A run costs seconds of processor time."`
	Seed     int64    `default:"1" help:"The seed of the first run."`
	Only     []string `placeholder:"ROW,…" help:"Only these rows: genuine, a family such as thin_plate, or adaptive."`
	Tries    int      `default:"20" help:"Tries that an adaptive attacker has for each victim."`
	Frames   int      `default:"36" help:"Frames a run."`
	Cases    string   `placeholder:"FILE" help:"Write every case there, one JSON object a line: what was tried and what was said of it."`
	Resume   bool     `help:"Go on where an earlier run of the same seeds stopped: keep the cases of that file."`
}

// Run measures verdicts on stolen pictures. With a folder the victims are the people of its pairs.tsv.
func (c *benchAttacks) Run(ctx context.Context, s streams) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.DataSet == "" && c.Dir == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d", c.Seed, c.Seed+int64(c.Generate)-1)
	}
	o.Progress = progress(s.Err)
	stop, err := c.keepCases(&o)
	if err != nil {
		return err
	}
	cases, err := attacks.Run(ctx, e.Flow, finder(e.Faces), o)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	r := attacks.Summarize(cases)
	return c.answer(s, "verdicts on stolen pictures that are made to follow a challenge", r, textOfAttacks(r))
}

func (c *benchAttacks) options() (attacks.Options, error) {
	o := attacks.Options{Runs: c.Generate, Seed: c.Seed, Tries: c.Tries, Frames: c.Frames}
	if c.Resume && c.Cases == "" {
		return o, errors.New("bench: --resume needs the --cases of the earlier run")
	}
	for _, row := range c.Only {
		if !slices.Contains(attacks.Rows(), attacks.Row(row)) {
			return o, errors.New("bench: no attack called " + row)
		}
		o.Rows = append(o.Rows, attacks.Row(row))
	}
	if c.Dir == "" {
		return o, nil
	}
	if len(o.Rows) == 0 {
		o.Rows = slices.DeleteFunc(attacks.Rows(), attacks.Row.Honest)
	}
	var err error
	o.Victims, err = attacks.Photographed(c.Dir)
	return o, err
}

// finder finds faces as an attacker would, by whatever model he has: here the program's own.
func finder(e *face.Engine) attacks.Finder {
	return func(ctx context.Context, p *imaging.RGB) (puppet.Marks, bool, error) {
		found, err := e.Detect(ctx, p)
		if err != nil {
			return puppet.Marks{}, false, err
		}
		largest, ok := face.Largest(found)
		if !ok {
			return puppet.Marks{}, false, nil
		}
		m, _, err := e.Mesh(ctx, p, largest)
		return puppet.Marks(m.Marks()), true, err
	}
}

// keepCases opens the file of cases, loads what it holds if the run goes on, and has each case appended.
func (c *benchAttacks) keepCases(o *attacks.Options) (stop func() error, err error) {
	if c.Cases == "" {
		return func() error { return nil }, nil
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if c.Resume {
		mode = os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if o.Known, err = loadAttacks(c.Cases); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(c.Cases, mode, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the cases: %w", err)
	}
	o.Keep = func(one attacks.Case) error { return json.NewEncoder(file).Encode(one) }
	return file.Close, nil
}

func loadAttacks(name string) ([]attacks.Case, error) {
	file, err := os.Open(name) //nolint:gosec // the operator's file
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load the cases: %w", err)
	}
	defer func() { _ = file.Close() }()
	var out []attacks.Case
	for lines := json.NewDecoder(file); lines.More(); {
		var one attacks.Case
		if err := lines.Decode(&one); err != nil {
			return nil, fmt.Errorf("load the cases: %w", err)
		}
		out = append(out, one)
	}
	return out, nil
}

func textOfAttacks(r *attacks.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %5s %9s %9s %9s %9s  %s\n", "", "runs", "approved", "referred", "declined", "refused", "approved, 95 %")
	line := func(row attacks.Counts) {
		fmt.Fprintf(
			&b, "%-24s %5d %9d %9d %9d %9d  %.1f to %.1f %%\n", row.Row, row.Runs, row.Approved.Count, row.Referred, row.Declined, row.NotAccepted,
			100*row.Approved.Interval.Low, 100*row.Approved.Interval.High,
		)
	}
	for _, row := range r.Rows {
		line(row)
		if row.Tries != nil {
			fmt.Fprintf(&b, "      tries of those who won: p50 %.0f, p95 %.0f\n", row.Tries.P50, row.Tries.P95)
		}
		for _, how := range slices.Sorted(maps.Keys(row.Best)) {
			fmt.Fprintf(&b, "      %4d by %s\n", row.Best[how], how)
		}
		reasonLines(&b, row.Reasons)
	}
	if r.Warps != nil {
		line(*r.Warps)
	}
	return b.String()
}
