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

	"github.com/bonafide-id/bonafide/bench/liveness"
	"github.com/bonafide-id/bonafide/internal/biometric"
)

// benchLiveness is `bonafide bench liveness`.
type benchLiveness struct {
	benchInput
	Generate  int      `placeholder:"N" help:"First act N genuine runs into the folder. Runs that it has stay: the same command goes on where it was stopped."`
	Attacks   int      `placeholder:"N" help:"And N runs of each attack. Default: a quarter of --generate."`
	Seed      int64    `default:"1" help:"The seed of the first run."`
	Frames    int      `default:"36" help:"Frames a run."`
	Only      []string `placeholder:"KIND,…" help:"Act only these: genuine, again, recoded, or attacks by name, such as 'two persons'."`
	Signals   string   `placeholder:"FILE" help:"Write how often the signals err there, as internal/liveness/signals.json."`
	Calibrate string   `placeholder:"FILE" help:"Write thresholds and rates there, as internal/liveness/measured.json."`
}

// Run measures the judgement of liveness challenges.
func (c *benchLiveness) Run(ctx context.Context, s streams) error {
	if c.Dir == "" {
		return errNoPictures
	}
	if c.Generate > 0 {
		e, err := newEngine(c.Engine)
		if err != nil {
			return err
		}
		amounts := liveness.Amounts{Genuine: c.Generate, Attacks: c.Attacks, Seed: c.Seed, Frames: c.Frames, Only: c.Only}
		if amounts.Attacks == 0 {
			amounts.Attacks = max(1, c.Generate/4)
		}
		if err := liveness.Generate(ctx, c.Dir, biometric.NewFramesExtractor(e.Faces, biometric.Options{}), amounts, progress(s.Err)); err != nil {
			return err
		}
	}
	r, err := liveness.Run(c.Dir)
	if err != nil {
		return err
	}
	for _, w := range []struct {
		file string
		what any
	}{
		{c.Calibrate, r.Measured(c.name(), command(os.Args), time.Now().UTC())},
		{c.Signals, r.MeasuredSignals(c.name(), command(os.Args), time.Now().UTC())},
	} {
		if w.file == "" {
			continue
		}
		raw, err := json.MarshalIndent(w.what, "", "  ")
		if err != nil {
			return fmt.Errorf("encode the rates: %w", err)
		}
		if err := os.WriteFile(w.file, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // public
			return fmt.Errorf("write the rates: %w", err)
		}
	}
	return c.answer(s, "liveness challenges answered by generated people and attacks", r, textOfLiveness(r))
}

func textOfLiveness(r *liveness.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "genuine refused  %s\n", r.Refused)
	for _, a := range slices.Sorted(maps.Keys(r.Accepted)) {
		fmt.Fprintf(&b, "  %-13s accepted %s\n", a, r.Accepted[a])
		for _, rule := range r.Broken[a] {
			fmt.Fprintf(&b, "      %4d (%d alone) %s\n", rule.Runs, rule.Only, rule.Rule)
		}
	}
	for _, signal := range r.Signals {
		fmt.Fprintf(&b, "%s %s\n  genuine doubted %s\n", signal.Check, signal.Sign, signal.Doubted)
		for _, a := range slices.Sorted(maps.Keys(signal.Passed)) {
			fmt.Fprintf(&b, "  %-13s not doubted %s; accepted %d\n", a, signal.Passed[a], signal.Through[a].Count)
		}
	}
	d := r.Digests
	fmt.Fprintf(
		&b, "frames near an earlier one, ≤ %d of 256 bits\n  sent again  %s\n  another time %s\n  elsewhere   %s\n", d.NearBits, d.Recoded,
		d.Again, d.Others,
	)
	fmt.Fprintf(&b, "  share of a run: replays at least %.2f, another time at most %.2f\n", d.LeastReplay, d.MostAgain)
	fmt.Fprintf(&b, "processor time a frame: p50 %.0f ms, p95 %.0f ms\n", r.CPU.P50, r.CPU.P95)
	for _, f := range slices.Concat(r.Failed, r.Passed) {
		fmt.Fprintf(&b, "  %s\n", f)
	}
	return b.String()
}
