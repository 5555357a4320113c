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

	"github.com/bonafide-id/bonafide/bench/light"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// benchLight is `bonafide bench light`.
type benchLight struct {
	benchInput
	Generate  int    `placeholder:"N" help:"First act N genuine runs, and write what is seen in them to --runs. Runs that it has stay."`
	Attacks   int    `placeholder:"N" help:"And N runs of each trick. Default: a quarter of --generate."`
	Seed      int64  `default:"1" help:"The seed of the first run."`
	Runs      string `placeholder:"FILE" required:"" help:"What was seen in the runs, a line each."`
	Calibrate string `placeholder:"FILE" help:"Write thresholds and rates there, as internal/liveness/light.json."`
}

// Run measures the answer to the colours of a screen.
func (c *benchLight) Run(ctx context.Context, s streams) error {
	if c.Generate > 0 {
		e, err := newEngine(c.Engine)
		if err != nil {
			return err
		}
		amounts := light.Amounts{Genuine: c.Generate, Attacks: c.Attacks, Seed: c.Seed}
		if amounts.Attacks == 0 {
			amounts.Attacks = max(1, c.Generate/4)
		}
		x := biometric.NewFramesExtractor(e.Faces, biometric.Options{})
		if err := light.Generate(ctx, c.Runs, x, amounts, progress(s.Err)); err != nil {
			return err
		}
	}
	runs, err := light.Read(c.Runs)
	if err != nil {
		return err
	}
	r := light.Judge(runs, liveness.Light().Thresholds)
	if c.Calibrate != "" {
		raw, err := json.MarshalIndent(r.Measured(c.name(), command(os.Args), time.Now().UTC()), "", "  ")
		if err != nil {
			return fmt.Errorf("encode the rates: %w", err)
		}
		if err := os.WriteFile(c.Calibrate, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // public
			return fmt.Errorf("write the rates: %w", err)
		}
	}
	return c.answer(s, "colours of a screen, answered by acted people in simulated light and by tricks", r, textOfLight(r))
}

func textOfLight(r *light.Result) string {
	var b strings.Builder
	line := func(name string, t light.Tally) {
		fmt.Fprintf(&b, "  %-22s matched %3d, unseen %3d, doubted %3d of %d\n", name, t.Matched, t.Unseen, t.Doubted, t.Of())
	}
	fmt.Fprintf(&b, "genuine unseen  %s\ngenuine doubted %s\n", r.Unseen, r.Doubted)
	line("indoors", r.Usual)
	for _, m := range []map[string]*light.Tally{r.ByTone, r.ByLux, r.ByNits, r.ByView, r.Attacks} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			line(name, *m[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Signs)) {
		fmt.Fprintf(&b, "  %s: %d\n", name, r.Signs[name])
	}
	return b.String()
}
