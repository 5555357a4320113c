package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/load"
	"github.com/bonafide-id/bonafide/internal/store"
)

// benchLoad is `bonafide bench load`: how a server bears sessions that come at a steady rate.
type benchLoad struct {
	Database string        `help:"A new database: sqlite:PATH or postgres://… Default: SQLite in a temporary directory." placeholder:"URL"`
	Rate     float64       `default:"300" help:"Sessions made a second."`
	Time     time.Duration `default:"1m" help:"For how long."`
	Warm     time.Duration `default:"5s" help:"For how long beforehand, not counted."`
	Readers  int           `default:"50" help:"People who read the console at the same time, each with an event stream."`
	Pause    time.Duration `default:"2s" help:"Between two pages of a reader."`
	JSON     bool          `name:"json" help:"Print one JSON object."`
	Record   string        `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run measures the bare loop, the server and the bare loop once more.
func (c *benchLoad) Run(ctx context.Context, s streams) (err error) {
	if c.Rate <= 0 || c.Rate > 100_000 || c.Time <= 0 || c.Readers < 0 || c.Pause <= 0 {
		return errors.New("bench load: --rate, --time and --pause are above 0, --readers 0 or more")
	}
	dir, err := os.MkdirTemp("", "bonafide-load-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if c.Database == "" {
		c.Database = "sqlite:" + filepath.Join(dir, "bonafide.db")
	}
	before, err := c.bare(ctx, true)
	if err != nil {
		return err
	}
	r, err := c.serve(ctx, dir)
	if err != nil {
		return err
	}
	after, err := c.bare(ctx, false)
	if err != nil {
		return err
	}
	r.Against(before, after)
	input := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("%.0f sessions a second, %d readers", c.Rate, c.Readers)}
	return input.answer(s, "load of making sessions", r, r.String())
}

// serve measures a server of this very program, started for it.
func (c *benchLoad) serve(ctx context.Context, dir string) (load.Result, error) {
	program, err := os.Executable()
	if err != nil {
		return load.Result{}, fmt.Errorf("find this program: %w", err)
	}
	const plenty = "100000000"
	args := []string{
		"serve", "--dev", "--listen", "127.0.0.1:0", "--data-dir", dir, "--database", c.Database, "--admin-listen", "off",
		"--key-rate", plenty, "--member-rate", plenty, "--address-rate", plenty,
	}
	r, err := load.Run(ctx, load.Options{Program: program, Args: args, Rate: c.Rate, Span: c.Time, Warm: c.Warm, Readers: c.Readers, Pause: c.Pause})
	r.Database, _, _ = strings.Cut(c.Database, ":")
	return r, err
}

// bare measures the bare loop while no server runs. The first time the database has to be new: nothing is
// measured on what somebody keeps.
func (c *benchLoad) bare(ctx context.Context, first bool) (out load.Bare, err error) {
	st, err := store.Open(ctx, c.Database, store.Options{})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	if first {
		if unused, err := st.Unused(ctx); err != nil || !unused {
			return out, errors.Join(errors.New("bench load: the database is in use; it measures on one that is new"), err)
		}
	}
	b, err := st.Bare(ctx)
	if err != nil {
		return out, err
	}
	if out, err = load.MeasureBare(ctx, b, c.Rate, c.Time); err != nil {
		return out, err
	}
	return out, b.Drop(ctx)
}
