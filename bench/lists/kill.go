package lists

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/bonafide-id/bonafide/bench/screening"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Options say what is killed, and how often.
type Options struct {
	Program  []string // what runs a Part, which is added as JSON
	Formats  []watchlist.Format
	Share    float64 // of the official size
	Kills    int     // at each stage
	Agree    int     // how often two servers have to agree; 0 for never
	Database string  // of PostgreSQL, where each list gets a database beside it; an SQLite file for each list where it is left out
	Seed     uint64
	Progress func(string)
}

// Result is what was left of the imports.
type Result struct {
	Database string       `json:"database"`
	Lists    []ListResult `json:"lists"`
	Agreed   *Agreed      `json:"agreed,omitempty"`
}

// Good reports whether every version in use was whole, and the one before or the new one.
func (r Result) Good() bool {
	for _, l := range r.Lists {
		if len(l.Faults) > 0 || l.Broke > 0 {
			return false
		}
	}
	return r.Agreed == nil || len(r.Agreed.Faults) == 0
}

// ListResult is what was left of the imports of one list.
type ListResult struct {
	Format  watchlist.Format `json:"format"`
	Bytes   int64            `json:"bytes"`
	Entries int              `json:"entries"`
	Import  float64          `json:"import_wall_s"`      // fetch, store, activate and compile
	Used    float64          `json:"import_processor_s"` // of the whole process
	Peak    int64            `json:"peak_bytes"`         // of the whole process
	Kills   []StageResult    `json:"kills"`
	Held    []HeldResult     `json:"held"`
	Broke   int              `json:"not_held"` // files that should have been held and were not
	Faults  []string         `json:"faults"`
}

// StageResult is which version was in use after processes had been killed at a stage.
type StageResult struct {
	Stage Stage `json:"stage"`
	Kills int   `json:"kills"`
	Old   int   `json:"old"`
	New   int   `json:"new"`
}

// HeldResult is a file that is no good.
type HeldResult struct {
	Why  watchlist.Reason `json:"why"`
	Held bool             `json:"held"` // and the version before stayed in use
}

// place is one list, and the publisher that has it.
type place struct {
	o       Options
	part    Part
	at      *publisher
	files   [2]file // versions that follow each other, again and again
	now     int     // the one in use
	out     *ListResult
	drop    func() error  // the database of PostgreSQL
	compile time.Duration // how long writing the compiled lists may take
	draw    *rand.Rand
}

// Run kills imports of lists in each format.
func Run(ctx context.Context, o Options) (*Result, error) {
	r := &Result{Database: "sqlite"}
	if o.Database != "" {
		r.Database = "postgres"
	}
	dir, err := os.MkdirTemp("", "lists-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for i, format := range o.Formats {
		p, err := newPlace(ctx, o, filepath.Join(dir, string(format)), format, i)
		if err != nil {
			return nil, err
		}
		err = p.run(ctx)
		r.Lists = append(r.Lists, *p.out)
		if err == nil && o.Agree > 0 && i == len(o.Formats)-1 {
			r.Agreed, err = p.agree(ctx)
		}
		p.at.close()
		if err = errors.Join(err, p.drop()); err != nil {
			return r, fmt.Errorf("%s: %w", format, err)
		}
	}
	return r, nil
}

func newPlace(ctx context.Context, o Options, dir string, format watchlist.Format, i int) (*place, error) {
	if err := os.MkdirAll(filepath.Join(dir, "index"), 0o700); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	draw := rand.New(rand.NewPCG(o.Seed, uint64(i))) //nolint:gosec // it draws the moments of kills, which have to repeat
	p := &place{o: o, out: &ListResult{Format: format, Faults: []string{}}, draw: draw}
	database := "sqlite:" + filepath.Join(dir, "lists.db")
	p.drop = func() error { return nil }
	if o.Database != "" {
		var err error
		if database, p.drop, err = databaseBeside(ctx, o.Database, format); err != nil {
			return nil, err
		}
	}
	size := int64(o.Share * float64(screening.OfficialSizes()[format]))
	for n := range p.files {
		var err error
		p.files[n], err = writeFile(filepath.Join(dir, fmt.Sprintf("list-%d", n)), screening.Official{
			Format: format, Bytes: size, Seed: o.Seed + uint64(n), Day: published,
		})
		if err != nil {
			return nil, err
		}
	}
	p.out.Bytes, p.out.Entries = p.files[0].bytes, p.files[0].entries
	p.at = newPublisher()
	p.part = Part{
		Database: database, Home: dir, Index: filepath.Join(dir, "index"), List: string(format), URL: p.at.url(), Roots: p.at.roots(), Bytes: p.files[0].bytes,
	}
	return p, nil
}

// published is the day of the invented lists.
var published = time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC)

func (p *place) run(ctx context.Context) error {
	p.o.Progress(string(p.out.Format))
	if _, err := p.do(ctx, "create", "", nil); err != nil {
		return err
	}
	p.at.offer(p.files[0].copyTo)
	start := time.Now()
	used, err := p.do(ctx, "fetch", "", nil)
	if err != nil {
		return err
	}
	p.out.Import = time.Since(start).Seconds()
	p.out.Used = (used.UserTime() + used.SystemTime()).Seconds()
	if u, ok := used.SysUsage().(*syscall.Rusage); ok {
		p.out.Peak = u.Maxrss << 10
	}
	p.compile = time.Since(start) / 3
	if err := p.check(ctx, "the first import", p.files[0]); err != nil {
		return err
	}
	if p.part.Chunk, err = p.middle(ctx); err != nil {
		return err
	}
	for _, stage := range Stages() {
		p.o.Progress(string(p.out.Format) + ", killed at " + string(stage))
		if err := p.kills(ctx, stage); err != nil {
			return err
		}
	}
	next := p.files[1-p.now]
	p.at.offer(next.copyTo)
	if _, err := p.do(ctx, "fetch", "", nil); err != nil {
		return err
	}
	p.now = 1 - p.now
	if err := p.check(ctx, "the import after all", next); err != nil {
		return err
	}
	return p.holds(ctx)
}

// middle is the place of a stored part in the middle of the file: a part has a mebibyte of entries, and a file is longer than those.
func (p *place) middle(ctx context.Context) (int, error) {
	c, err := p.look(ctx)
	if err != nil {
		return 0, err
	}
	return c.Chunks / 2, nil
}

// kills kills imports of the version that is not in use at a stage.
func (p *place) kills(ctx context.Context, stage Stage) error {
	r := StageResult{Stage: stage}
	for range p.o.Kills {
		next := p.files[1-p.now]
		p.at.offer(next.copyTo)
		met := false
		_, err := p.do(ctx, "fetch", stage, func(kill func() error) error {
			met = true
			if stage == StageWrite {
				time.Sleep(time.Duration(p.draw.Float64() * float64(p.compile)))
			}
			return kill()
		})
		if err != nil {
			return err
		}
		if !met {
			p.fault("an import did not come to %s", stage)
			continue
		}
		r.Kills++
		c, err := p.look(ctx)
		if err != nil {
			return err
		}
		switch c.Active {
		case next.digest:
			r.New++
			p.now = 1 - p.now
		case p.files[p.now].digest:
			r.Old++
		}
		p.judge("killed at "+string(stage), c, p.files[p.now])
	}
	p.out.Kills = append(p.out.Kills, r)
	return nil
}

// judge notes what is wrong with a condition in which a version should be in use.
func (p *place) judge(after string, c Condition, want file) {
	compiled := []string{p.files[0].digest, p.files[1].digest}
	switch {
	case c.Active != want.digest || c.Actives != 1:
		p.fault("%s: %d versions in use, the last of %.8s, want %.8s", after, c.Actives, c.Active, want.digest)
	case c.Entries != want.entries || c.Summary != want.entries:
		p.fault("%s: the version in use has %d entries of %d", after, c.Entries, want.entries)
	case c.Damaged || c.Before != "" && !slices.Contains(compiled, c.Before):
		p.fault("%s: the compiled lists are of %.8s, damaged: %t", after, c.Before, c.Damaged)
	case c.After != want.digest || c.People < want.entries:
		p.fault("%s: a server that starts searches %d people of %.8s", after, c.People, c.After)
	case c.Half > 0 || c.Orphans > 0 || len(c.Leftover) > 0:
		p.fault("%s: left are %d half versions, %d parts of none, and %v", after, c.Half, c.Orphans, c.Leftover)
	}
}

func (p *place) check(ctx context.Context, after string, want file) error {
	c, err := p.look(ctx)
	if err == nil {
		p.judge(after, c, want)
	}
	return err
}

func (p *place) fault(format string, args ...any) {
	p.out.Faults = append(p.out.Faults, fmt.Sprintf(format, args...))
}

// holds offers files that are no good. The version in use has to stay, and the new one be held for the reason.
func (p *place) holds(ctx context.Context) error {
	p.o.Progress(string(p.out.Format) + ", held")
	for _, bad := range badFiles(p.out.Format, p.files[p.now], int64(p.o.Share*float64(screening.OfficialSizes()[p.out.Format])), p.o.Seed+9) {
		p.at.offer(bad.write)
		if _, err := p.do(ctx, "fetch", "", nil); err != nil {
			return err
		}
		c, err := p.look(ctx)
		if err != nil {
			return err
		}
		p.judge("after a file that is "+string(bad.why), c, p.files[p.now])
		held := c.Newest == "held" && slices.Contains(c.Why, string(bad.why))
		if !held {
			p.out.Broke++
			p.fault("a file that is %s: the newest version is %s for %v", bad.why, c.Newest, c.Why)
		}
		p.out.Held = append(p.out.Held, HeldResult{bad.why, held})
	}
	return nil
}

// look starts a process that looks at what is left.
func (p *place) look(ctx context.Context) (Condition, error) {
	var c Condition
	cmd, err := p.command(ctx, p.part, "look", "")
	if err != nil {
		return c, err
	}
	out, err := cmd.Output()
	if err != nil {
		return c, told(err)
	}
	var said Said
	if err := json.Unmarshal(out, &said); err != nil || said.Seen == nil {
		return c, fmt.Errorf("what a process found: %q: %w", out, err)
	}
	return *said.Seen, nil
}

func (p *place) command(ctx context.Context, part Part, do string, stop Stage) (*exec.Cmd, error) {
	part.Do, part.Stop = do, stop
	text, err := json.Marshal(part)
	if err != nil {
		return nil, fmt.Errorf("write a part: %w", err)
	}
	args := append(slices.Clone(p.o.Program[1:]), string(text))
	cmd := exec.CommandContext(ctx, p.o.Program[0], args...) //nolint:gosec // it runs this program itself, which the caller names
	return cmd, nil
}

// do runs a part. Where it says that it has come to the stage, met gets what kills it; a process that was not killed has to end well.
func (p *place) do(ctx context.Context, what string, stop Stage, met func(kill func() error) error) (*os.ProcessState, error) {
	cmd, err := p.command(ctx, p.part, what, stop)
	if err != nil {
		return nil, err
	}
	var errs limited
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a part: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a part: %w", err)
	}
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var said Said
		if json.Unmarshal(lines.Bytes(), &said) == nil && said.Stage != "" && met != nil {
			killed = true
			if err := met(cmd.Process.Kill); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return nil, fmt.Errorf("kill a part: %w", err)
			}
		}
	}
	if err := cmd.Wait(); err != nil && !killed {
		return nil, fmt.Errorf("%s: %w: %s", what, err, errs.text)
	}
	return cmd.ProcessState, nil
}

// limited keeps the beginning of what a process says of its errors.
type limited struct{ text []byte }

func (l *limited) Write(b []byte) (int, error) {
	l.text = append(l.text, b[:min(len(b), 4096-min(4096, len(l.text)))]...)
	return len(b), nil
}

// told is an error with what the process said of it.
func told(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}
