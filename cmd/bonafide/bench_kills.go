package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/kills"
)

// benchKills is `bonafide bench kills`: what becomes of sessions whose server is killed.
type benchKills struct {
	Runs     int      `default:"200" help:"Kills in this run."`
	Database []string `help:"New databases, each for a server of its own. Default: SQLite, a new one every 50 kills." placeholder:"URL"`
	AtOnce   int      `default:"1" help:"Servers at the same time on SQLite."`
	Seed     uint64   `default:"1" help:"Of the first kill."`
	Lives    int      `default:"6" help:"Sessions at the same time."`
	Personas bool     `help:"No session sends pictures that are read: test personas settle all."`
	Resume   bool     `help:"Add to the record of earlier runs."`
	Log      string   `placeholder:"FILE" help:"Keep the log of the servers there."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
	Record   string   `placeholder:"FILE" help:"Also write the result there, with machine and commit."`
}

const whatKills = "sessions whose server is killed"

// Run implements the command. It fails where a session was lost, stuck or decided twice.
func (c *benchKills) Run(ctx context.Context, s streams) (err error) {
	if c.Runs <= 0 || c.Lives <= 0 {
		return errors.New("bench kills: --runs and --lives are above 0")
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	dir, err := os.MkdirTemp("", "bonafide-kills-")
	if err != nil {
		return fmt.Errorf("make a directory: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o := kills.Options{
		Program: program, Place: func(ctx context.Context, slot int) (kills.Place, error) { return c.place(ctx, dir, slot) },
		AtOnce: max(c.AtOnce, len(c.Database)), Kills: c.Runs, Seed: c.Seed, Lives: c.Lives, Real: !c.Personas, Say: progress(s.Err),
	}
	if c.Log != "" {
		f, err := os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("open the log: %w", err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		o.Log = f
	}
	if c.Resume {
		if o.From, err = c.earlier(); err != nil {
			return err
		}
	}
	input := benchInput{JSON: c.JSON, Record: c.Record, DataSet: fmt.Sprintf("seeds from %d", c.Seed)}
	if c.Record != "" {
		o.Save = func(r *kills.Result) error {
			r.Database = c.engine()
			return bench.NewRecord(whatKills, input.DataSet, command(os.Args), r).Write(c.Record)
		}
	}
	r, err := kills.Run(ctx, o)
	if err != nil {
		return err
	}
	r.Database = c.engine()
	if err := input.answer(s, whatKills, r, r.String()); err != nil {
		return err
	}
	if !r.Good() {
		return errors.New("bench kills: something was lost, stuck or done twice")
	}
	return nil
}

func (c *benchKills) engine() string {
	if len(c.Database) == 0 {
		return "sqlite"
	}
	scheme, _, _ := strings.Cut(c.Database[0], ":")
	return scheme
}

// earlier is the result that the record keeps, nil where there is no record yet.
func (c *benchKills) earlier() (*kills.Result, error) {
	raw, err := os.ReadFile(c.Record)
	if errors.Is(err, fs.ErrNotExist) || c.Record == "" {
		return nil, nil //nolint:nilnil // nothing to go on from, which is no failure
	}
	if err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	kept := struct {
		Result *kills.Result `json:"result"`
	}{}
	if err := json.Unmarshal(raw, &kept); err != nil {
		return nil, fmt.Errorf("read the record: %w", err)
	}
	return kept.Result, nil
}

// place returns where a server keeps its data: a new folder with a database in it, or the slot's database and its folder.
func (c *benchKills) place(ctx context.Context, run string, slot int) (kills.Place, error) {
	var where []string
	if len(c.Database) > 0 {
		where = []string{"--dev", "--data-dir", filepath.Join(run, strconv.Itoa(slot)), "--database", c.Database[slot]}
	} else {
		dir, err := os.MkdirTemp(run, "place-")
		if err != nil {
			return kills.Place{}, fmt.Errorf("make a directory: %w", err)
		}
		where = []string{"--dev", "--data-dir", dir, "--database", "sqlite:" + filepath.Join(dir, "bonafide.db")}
	}
	port, err := freePort(ctx)
	if err != nil {
		return kills.Place{}, err
	}
	const plenty = "100000000"
	args := append([]string{
		"serve", "--listen", fmt.Sprintf("127.0.0.1:%d", port), "--admin-listen", "off",
		"--key-rate", plenty, "--member-rate", plenty, "--address-rate", plenty, "--applicant-rate", plenty,
	}, where...)
	return kills.Place{Args: args, Verify: append([]string{"audit", "verify"}, where...)}, nil
}

// freePort is a port that nobody listens on.
func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a port: %w", err)
	}
	port := l.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // it listens on TCP
	return port, l.Close()
}
