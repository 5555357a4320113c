package speed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// memoryEvery is after how many pictures resident memory is noted, so that a list shows whether it is flat.
const memoryEvery = 25

// Inspection is what `bonafide bench speed --what inspect` answers: the cost of reading one picture of a document, without
// judging it. Times are milliseconds of processor time a picture, those of the stages too; memory is bytes.
type Inspection struct {
	Pictures int                        `json:"pictures"` // all of them different, the warm-up left out
	CPU      bench.Quantiles            `json:"cpu_ms"`
	Wall     bench.Quantiles            `json:"wall_ms"`
	Stages   map[string]bench.Quantiles `json:"stages_cpu_ms"`
	RSS      []int64                    `json:"rss_bytes_every_25"` // the first is the warm process, before any picture is counted
	RSSPeak  int64                      `json:"rss_bytes_peak"`
	Verified int                        `json:"verified"` // machine-readable zones that were proved
	Kinds    map[string]int             `json:"kinds"`    // what the pictures were taken for
}

// Extractor is what is measured; *flow.Engine is one.
type Extractor interface {
	Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error)
}

// ProcessorClock is a clock for optical.Options that advances with this process's processor time, so that stages are
// told apart by what they cost and not by who else keeps the machine busy.
func ProcessorClock() func() time.Time {
	start, used := time.Now(), bench.Processor()
	return func() time.Time { return start.Add(bench.Processor() - used) }
}

// Inspect reads every picture of dir, selfies left out, one after the other. The first is read once more before anything
// is counted. The stages are those of the extractor's own clock. progress, if not nil, is called after each.
func Inspect(ctx context.Context, dir string, x Extractor, progress func(done, total int)) (*Inspection, error) {
	files, err := documentsIn(dir)
	if err != nil {
		return nil, err
	}
	r := &Inspection{Pictures: len(files), Stages: map[string]bench.Quantiles{}, Kinds: map[string]int{}}
	if _, err := inspect(ctx, x, files[0]); err != nil {
		return nil, err
	}
	if err := r.weigh(); err != nil {
		return nil, err
	}
	var cpu, wall []float64
	stages := map[string][]float64{}
	for i, file := range files {
		before, start := bench.Processor(), time.Now()
		found, err := inspect(ctx, x, file)
		if err != nil {
			return nil, err
		}
		cpu = append(cpu, bench.Milliseconds(bench.Processor()-before))
		wall = append(wall, bench.Milliseconds(time.Since(start)))
		for stage, d := range found.Timings {
			stages[stage] = append(stages[stage], bench.Milliseconds(d))
		}
		if err := r.count(found); err != nil {
			return nil, err
		}
		if (i+1)%memoryEvery == 0 || i+1 == len(files) {
			if err := r.weigh(); err != nil {
				return nil, err
			}
		}
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	r.CPU, r.Wall = bench.QuantilesOf(cpu), bench.QuantilesOf(wall)
	for stage, v := range stages {
		r.Stages[stage] = bench.QuantilesOf(v)
	}
	return r, nil
}

func (r *Inspection) weigh() error {
	now, peak, err := memory()
	r.RSS, r.RSSPeak = append(r.RSS, now), peak
	return err
}

func (r *Inspection) count(found idv.Extraction) error {
	for _, a := range found.Artifacts {
		switch {
		case !a.Present:
		case a.Kind == idv.ArtifactPage:
			page, err := idv.ValueOf[idv.Page](a)
			if err != nil {
				return err
			}
			r.Kinds[string(page.Kind)]++
		case a.Kind == idv.ArtifactMRZ:
			zone, err := idv.ValueOf[idv.MRZ](a)
			if err != nil {
				return err
			}
			if zone.Verified {
				r.Verified++
			}
		}
	}
	return nil
}

// documentsIn lists the pictures of documents in a folder by name.
func documentsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("bench speed: %w", err)
	}
	var out []string
	for _, e := range entries {
		name := e.Name()
		picture := slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp"}, strings.ToLower(filepath.Ext(name)))
		if picture && !strings.Contains(name, "-selfie.") {
			out = append(out, filepath.Join(dir, name))
		}
	}
	if len(out) == 0 {
		return nil, errors.New("bench speed: no picture of a document in the folder")
	}
	return out, nil
}

func inspect(ctx context.Context, x Extractor, file string) (idv.Extraction, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("bench speed: %w", err)
	}
	side := idv.Front
	if strings.Contains(filepath.Base(file), "-back.") {
		side = idv.Back
	}
	found, err := x.Extract(ctx, idv.Capture{Kind: idv.DocumentImage, Side: side, Bytes: raw, Size: int64(len(raw))})
	if err != nil {
		return found, fmt.Errorf("bench speed: %s: %w", filepath.Base(file), err)
	}
	return found, nil
}

// String is the result for people.
func (r *Inspection) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d pictures of documents, %d zones verified\n  processor   p50 %.0f ms, p95 %.0f ms\n", r.Pictures, r.Verified, r.CPU.P50, r.CPU.P95)
	for _, stage := range slices.Sorted(maps.Keys(r.Stages)) {
		q := r.Stages[stage]
		fmt.Fprintf(&b, "    %-10s p50 %4.0f ms, p95 %4.0f ms\n", stage, q.P50, q.P95)
	}
	fmt.Fprintf(
		&b, "  wall clock  p50 %.0f ms, p95 %.0f ms\n  memory      %d MB at its peak; every %d pictures, in MB:", r.Wall.P50, r.Wall.P95,
		r.RSSPeak>>20, memoryEvery,
	)
	for _, v := range r.RSS {
		fmt.Fprintf(&b, " %d", v>>20)
	}
	b.WriteByte('\n')
	return b.String()
}
