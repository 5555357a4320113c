package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/edits"
	"github.com/bonafide-id/bonafide/bench/forgeries"
)

// benchEdits is `bonafide bench edits`.
type benchEdits struct {
	benchInput
	Generate int    `placeholder:"N" help:"Photograph N documents in memory, as they are and forged."`
	Seed     int64  `default:"1" help:"The seed of the first document."`
	Camera   string `enum:"phone,scan" default:"phone" help:"How pages are photographed: phone or scan."`
	Stage    string `enum:"both,before_print,after_capture,none" default:"both" help:"When documents are forged; none: only genuine ones are looked at."`
	Shots    string `placeholder:"FILE" help:"Write every picture's values there, one a line."`

	Calibrate string `placeholder:"FILE" help:"Write the thresholds with these rates there, as internal/forensic/edits.json."`
}

// Run measures the signs of editing at places that are known.
func (c *benchEdits) Run(ctx context.Context, s streams) error {
	if c.Generate == 0 {
		return errNoPictures
	}
	o := edits.Options{Documents: c.Generate, Seed: c.Seed, Camera: c.Camera, Progress: progress(s.Err)}
	for _, stage := range []forgeries.Stage{forgeries.BeforePrint, forgeries.AfterCapture} {
		if c.Stage == "both" || c.Stage == string(stage) {
			o.Stages = append(o.Stages, stage)
		}
	}
	if c.Shots != "" {
		file, err := os.Create(c.Shots)
		if err != nil {
			return fmt.Errorf("keep the values: %w", err)
		}
		defer func() { _ = file.Close() }()
		o.Keep = func(shots []edits.Shot) error {
			for _, one := range shots {
				if err := json.NewEncoder(file).Encode(one); err != nil {
					return fmt.Errorf("keep a picture's values: %w", err)
				}
			}
			return nil
		}
	}
	shots, err := edits.Measured(ctx, o)
	if err != nil {
		return err
	}
	if c.DataSet == "" {
		c.DataSet = fmt.Sprintf("generated, seeds %d to %d, %s", c.Seed, c.Seed+int64(c.Generate)-1, c.Camera)
	}
	r := edits.Summarize(shots)
	if err := c.calibrate(r); err != nil {
		return err
	}
	return c.answer(s, "signs of editing at known places", r, textOfEdits(r))
}

// calibrate writes the rates, where that was asked for.
func (c *benchEdits) calibrate(r *edits.Result) error {
	if c.Calibrate == "" {
		return nil
	}
	raw, err := json.MarshalIndent(r.Measured(c.name(), command(os.Args), time.Now().UTC()), "", "  ")
	if err != nil {
		return fmt.Errorf("encode the rates: %w", err)
	}
	if err := os.WriteFile(c.Calibrate, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // public
		return fmt.Errorf("write the rates: %w", err)
	}
	return nil
}

func textOfEdits(r *edits.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents, %.0f ms of processor a page\n", r.Documents, r.CPU.P50)
	for _, row := range r.Rows {
		name := string(row.Stage)
		if row.Family != "" {
			name = string(row.Family) + ", " + name
		}
		fmt.Fprintf(&b, "%-26s suspected %s\n", name, row.Together)
		for _, sign := range edits.Signs() {
			if rate, ok := row.Signs[sign]; ok {
				fmt.Fprintf(&b, "    %-14s %s\n", sign, rate)
			}
		}
		if row.Located != nil {
			fmt.Fprintf(&b, "    the place      %s\n", row.Located)
		}
	}
	return b.String()
}
