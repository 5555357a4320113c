package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/load"
)

// benchOverload is `bonafide bench overload`: how a server fares that is asked for more than it can bear.
type benchOverload struct {
	Database string        `help:"A new database: sqlite:PATH or postgres://… Default: SQLite in a temporary directory." placeholder:"URL"`
	Time     time.Duration `default:"60s" help:"For how long at each rate."`
	Times    []float64     `default:"0.2,1,5" help:"The rates, as multiples of what the server can bear. The others are compared with the first."`
	Together bool          `help:"Let the server and the calls share the processors; else the server has one half of them, and the calls the other."`
	JSON     bool          `name:"json" help:"Print one JSON object."`
	Record   string        `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

// Run implements the command.
func (c *benchOverload) Run(ctx context.Context, s streams) (err error) {
	if c.Time <= 0 || len(c.Times) == 0 || c.Times[0] <= 0 {
		return errors.New("bench overload: --time and --times are above 0")
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	dir, err := os.MkdirTemp("", "bonafide-overload-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	where := cmp.Or(c.Database, "sqlite:"+filepath.Join(dir, "bonafide.db"))
	const plenty = "100000000"
	o := load.OverloadOptions{Program: program, Span: c.Time, Times: c.Times, Args: []string{
		"serve", "--dev", "--listen", "127.0.0.1:0", "--data-dir", dir, "--database", where, "--admin-listen", "off",
		"--key-rate", plenty, "--member-rate", plenty, "--address-rate", plenty, "--applicant-rate", plenty,
	}}
	if n := runtime.NumCPU(); n > 1 && !c.Together {
		for i := range n {
			if i < n/2 {
				o.Server = append(o.Server, i)
			} else {
				o.Client = append(o.Client, i)
			}
		}
	}
	r, err := load.RunOverload(ctx, o)
	if err != nil {
		return err
	}
	r.Database, _, _ = strings.Cut(where, ":")
	input := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("%v times the capacity", c.Times)}
	return input.answer(s, "calls beyond what a server can bear", r, r.String())
}
