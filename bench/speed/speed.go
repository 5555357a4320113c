// Package speed measures what a whole verification costs: a document picture and a selfie in, a verdict out, in a
// process that is warm. It is about processor time and memory, on pictures of the size that phones send; how right the
// answers are is measured elsewhere.
package speed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Result is what `bonafide bench speed` answers. Times are milliseconds a verification; memory is bytes.
type Result struct {
	Verifications int                        `json:"verifications"`
	Pictures      int                        `json:"pictures"` // different ones, warm-up left out
	CPU           bench.Quantiles            `json:"cpu_ms"`
	Wall          bench.Quantiles            `json:"wall_ms"`
	Stages        map[string]bench.Quantiles `json:"stages_ms"` // wall clock
	RSSWarm       int64                      `json:"rss_bytes_warm"`
	RSSAfter      int64                      `json:"rss_bytes_after"`
	RSSPeak       int64                      `json:"rss_bytes_peak"`
	Outcomes      map[string]int             `json:"outcomes"`
}

// pair is one verification's pictures.
type pair struct {
	document, back, selfie string // files; back and selfie may be empty
}

// Run verifies every document of dir: files NAME-front.jpg with NAME-back.jpg and NAME-selfie.jpg beside them, as
// cmd/fixtures writes them. The first is verified once more before the clock starts. progress, if not nil, is called
// after each.
func Run(ctx context.Context, dir string, e *flow.Engine, progress func(done, total int)) (*Result, error) {
	pairs, err := pairsIn(dir)
	if err != nil {
		return nil, err
	}
	r := &Result{Stages: map[string]bench.Quantiles{}, Outcomes: map[string]int{}}
	if _, err := verify(ctx, e, pairs[0]); err != nil {
		return nil, err
	}
	if r.RSSWarm, _, err = memory(); err != nil {
		return nil, err
	}
	var cpu, wall []float64
	stages := map[string][]float64{}
	for i, p := range pairs {
		before, start := bench.Processor(), time.Now()
		res, err := verify(ctx, e, p)
		if err != nil {
			return nil, err
		}
		cpu = append(cpu, bench.Milliseconds(bench.Processor()-before))
		wall = append(wall, bench.Milliseconds(time.Since(start)))
		for stage, d := range res.Timings {
			stages[stage] = append(stages[stage], bench.Milliseconds(d))
		}
		r.Outcomes[string(res.Verdict.Outcome)]++
		r.Pictures += p.pictures()
		if progress != nil {
			progress(i+1, len(pairs))
		}
	}
	r.Verifications, r.CPU, r.Wall = len(pairs), bench.QuantilesOf(cpu), bench.QuantilesOf(wall)
	for stage, v := range stages {
		r.Stages[stage] = bench.QuantilesOf(v)
	}
	r.RSSAfter, r.RSSPeak, err = memory()
	return r, err
}

func (p pair) pictures() int {
	n := 1
	for _, f := range []string{p.back, p.selfie} {
		if f != "" {
			n++
		}
	}
	return n
}

// pairsIn lists the verifications of a folder by name.
func pairsIn(dir string) ([]pair, error) {
	fronts, err := filepath.Glob(filepath.Join(dir, "*-front.*"))
	if err != nil {
		return nil, fmt.Errorf("bench speed: %w", err)
	}
	slices.Sort(fronts)
	beside := func(front, what string) string {
		f := strings.Replace(front, "-front.", "-"+what+".", 1)
		if _, err := os.Stat(f); err != nil {
			return ""
		}
		return f
	}
	var out []pair
	for _, f := range fronts {
		out = append(out, pair{document: f, back: beside(f, "back"), selfie: beside(f, "selfie")})
	}
	if len(out) == 0 {
		return nil, errors.New("bench speed: no NAME-front.jpg in the folder")
	}
	return out, nil
}

func verify(ctx context.Context, e *flow.Engine, p pair) (flow.Result, error) {
	q := flow.Request{Workflow: idv.PictureWorkflow(idv.Test), Mode: idv.Test, Now: time.Now().UTC()}
	for _, f := range []struct {
		file string
		to   *[]byte
	}{{p.document, &q.Document}, {p.back, &q.Back}, {p.selfie, &q.Selfie}} {
		if f.file == "" {
			continue
		}
		b, err := os.ReadFile(f.file)
		if err != nil {
			return flow.Result{}, fmt.Errorf("bench speed: %w", err)
		}
		*f.to = b
	}
	res, err := e.Verify(ctx, q)
	if err != nil {
		return res, fmt.Errorf("bench speed: %s: %w", filepath.Base(p.document), err)
	}
	return res, nil
}

// memory is the resident memory of this process now and at its peak, in bytes.
func memory() (now, peak int64, err error) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, fmt.Errorf("bench speed: %w", err)
	}
	for line := range strings.Lines(string(raw)) {
		var kb int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kb); n == 1 {
			now = kb << 10
		}
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			peak = kb << 10
		}
	}
	return now, peak, nil
}
