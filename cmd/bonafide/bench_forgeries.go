package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/forgeries"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
)

// benchForgeries is `bonafide bench forgeries`.
type benchForgeries struct {
	benchInput
	Generate int      `placeholder:"N" help:"Forge N documents in memory, before printing and after capture, and verify them and the genuine ones."`
	Seed     int64    `default:"1" help:"The seed of the first document."`
	Family   []string `placeholder:"FAMILY" help:"Only these families: print, portrait, zone, identity, copy_move, whole."`
	Kinds    []string `placeholder:"KIND" help:"Kinds of generated documents, in turn. Default: those whose facts something in the picture confirms."`
	Camera   string   `enum:"phone,scan" default:"phone" help:"How generated pages are photographed: phone or scan."`
	Cases    string   `placeholder:"FILE" help:"Write every case there, one JSON object a line: what was changed, how, and what was said of it."`
	Resume   bool     `help:"Go on where an earlier run of the same seeds, camera and families stopped: keep the cases of that file."`
}

// Run measures verdicts on forged documents, or what is said of a folder of genuine pictures.
func (c *benchForgeries) Run(ctx context.Context, s streams) error {
	if c.Dir == "" && c.Generate == 0 {
		return errNoPictures
	}
	o, err := c.options()
	if err != nil {
		return err
	}
	e, err := newEngine(c.Engine)
	if err != nil {
		return err
	}
	if c.Generate == 0 {
		r, err := forgeries.Folder(ctx, c.Dir, e.Flow, progress(s.Err))
		if err != nil {
			return err
		}
		return c.answer(s, "what is said of genuine documents", r, textOfAccusations(r))
	}
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d, %s", c.Seed, c.Seed+int64(c.Generate)-1, c.Camera)
	}
	o.Progress = progress(s.Err)
	stop, err := c.keepCases(&o)
	if err != nil {
		return err
	}
	cases, err := forgeries.Generated(ctx, e.Flow, o)
	if err := errors.Join(err, stop()); err != nil {
		return err
	}
	r := forgeries.Summarize(cases)
	return c.answer(s, "verdicts on edited documents", r, textOfForgeries(r))
}

func (c *benchForgeries) options() (forgeries.Options, error) {
	if c.Resume && c.Cases == "" {
		return forgeries.Options{}, errors.New("bench: --resume needs the --cases of the earlier run")
	}
	o := forgeries.Options{Documents: c.Generate, Seed: c.Seed, Camera: c.Camera}
	for _, f := range c.Family {
		if !slices.Contains(forge.Families(), forge.Family(f)) {
			return o, errors.New("bench: no family of forgeries called " + f)
		}
		o.Families = append(o.Families, forge.Family(f))
	}
	for _, k := range c.Kinds {
		if !slices.Contains(fixtures.AllKinds(), fixtures.Kind(k)) {
			return o, errors.New("bench: no specimen of kind " + k)
		}
		o.Kinds = append(o.Kinds, fixtures.Kind(k))
	}
	return o, nil
}

// keepCases opens the file of cases, loads what it holds if the run goes on, and has each document's cases appended.
func (c *benchForgeries) keepCases(o *forgeries.Options) (stop func() error, err error) {
	if c.Cases == "" {
		return func() error { return nil }, nil
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if c.Resume {
		mode = os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if o.Known, err = loadCases(c.Cases); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(c.Cases, mode, 0o644) //nolint:gosec // generated documents
	if err != nil {
		return nil, fmt.Errorf("open the cases: %w", err)
	}
	o.Keep = func(cases []forgeries.Case) error {
		var lines bytes.Buffer
		for _, one := range cases {
			if err := json.NewEncoder(&lines).Encode(one); err != nil {
				return fmt.Errorf("encode a case: %w", err)
			}
		}
		_, err := file.Write(lines.Bytes())
		return err
	}
	return file.Close, nil
}

func loadCases(name string) ([]forgeries.Case, error) {
	raw, err := os.ReadFile(name) //nolint:gosec // the operator's file
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("load the cases: %w", err)
	}
	var out []forgeries.Case
	for lines := json.NewDecoder(bytes.NewReader(raw)); lines.More(); {
		var one forgeries.Case
		if err := lines.Decode(&one); err != nil {
			return nil, fmt.Errorf("load the cases: %w", err)
		}
		out = append(out, one)
	}
	return out, nil
}

func textOfForgeries(r *forgeries.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents\n", r.Documents)
	for _, row := range r.Rows {
		name := strings.TrimSpace(string(row.Family) + " " + string(row.Stage))
		fmt.Fprintf(&b, "  %-24s approved %s\n", name, row.Approved)
		if row.Stage != forgeries.Genuine {
			fmt.Fprintf(&b, "  %24s where the genuine was %s\n  %24s unnoticed %s\n", "", row.Passed, "", row.Unnoticed)
		}
		if row.Located != nil {
			fmt.Fprintf(&b, "  %24s located %s\n", "", row.Located)
		}
		reasonLines(&b, row.Reasons)
	}
	return b.String()
}

func textOfAccusations(r *forgeries.Accusations) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures\n  approved %s\n", r.Pictures, r.Approved)
	reasonLines(&b, r.Reasons)
	return b.String()
}

// reasonLines lists reasons, the most frequent first.
func reasonLines(b *strings.Builder, reasons map[string]bench.Rate) {
	names := slices.Sorted(maps.Keys(reasons))
	slices.SortStableFunc(names, func(x, y string) int { return reasons[y].Count - reasons[x].Count })
	for _, name := range names {
		fmt.Fprintf(b, "      %-60s %s\n", name, reasons[name])
	}
}
