package database

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // driver "sqlite"

	"github.com/bonafide-id/bonafide/internal/store/groupcommit"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Options configure a DB. Master and Blobs are required for everything but migrations; the other fields have defaults.
type Options struct {
	Master *vault.Master
	Blobs  *vault.Blobs
	Now    func() time.Time // defaults to time.Now
	Random io.Reader        // defaults to crypto/rand
	Log    *slog.Logger     // defaults to slog.Default
	Tracer *trace.Tracer    // nil for none
}

// DB is an open database together with the vault that seals what is personal in it. It is safe for concurrent use.
//
// SQLite has one writer: Write is a pool of one connection, so that writers queue in order instead of waiting for a lock,
// and Read is a pool of readers that see what is committed. On PostgreSQL both are the same pool.
type DB struct {
	Read    *bun.DB
	Write   *bun.DB
	Queries *pgxpool.Pool // PostgreSQL only: the pool behind Read and Write
	Pool    *pgxpool.Pool // PostgreSQL only: the pool of jobs and of LISTEN
	File    string        // SQLite only: the path of the database
	Master  *vault.Master
	Blobs   *vault.Blobs
	Now     func() time.Time // in UTC, to the microsecond
	Random  io.Reader
	Logger  *slog.Logger
	Tracer  *trace.Tracer

	group *groupcommit.Queue // SQLite only

	health health

	ownMu sync.Mutex
	own   *vault.Keyset // the deployment's, once it was opened
}

// Open connects to sqlite:PATH or postgres://…. It does not change the schema.
func Open(ctx context.Context, where string, o Options) (*DB, error) {
	now := o.Now
	if now == nil {
		now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	d := &DB{
		Master: o.Master, Blobs: o.Blobs, Random: o.Random, Logger: cmp.Or(o.Log, slog.Default()),
		Now: func() time.Time { return now().UTC().Truncate(time.Microsecond) },
	}
	if err := d.connect(ctx, where); err != nil {
		return nil, err
	}
	d.Trace(o.Tracer)
	return d, nil
}

// Close closes the connections. Nothing may use the DB any more.
func (d *DB) Close() error {
	err := errors.Join(d.Read.Close(), d.Write.Close())
	if d.Pool != nil {
		d.Queries.Close()
		d.Pool.Close()
	}
	return err
}

// Waiting returns how many transactions wait to begin on SQLite.
func (d *DB) Waiting() int { return d.group.Waiting() }

// SnapshotOptions returns the options of a transaction whose reads all see the database as it was at the first of them.
func (d *DB) SnapshotOptions() *sql.TxOptions {
	if d.Pool == nil { // SQLite knows no other
		return &sql.TxOptions{}
	}
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// Engine names the database: "sqlite" or "postgres".
func (d *DB) Engine() string {
	if d.Pool != nil {
		return "postgres"
	}
	return "sqlite"
}

func (d *DB) connect(ctx context.Context, where string) error {
	scheme, rest, _ := strings.Cut(where, ":")
	switch scheme {
	case "sqlite":
		return d.connectSQLite(ctx, rest)
	case "postgres", "postgresql":
		return d.connectPostgres(ctx, where)
	default:
		return fmt.Errorf("database: want sqlite:PATH or postgres://…, not %q", scheme)
	}
}

// maxReaders bounds the readers of SQLite: each holds a page cache of its own.
const maxReaders = 8

func (d *DB) connectSQLite(ctx context.Context, path string) error {
	path = strings.TrimPrefix(path, "//")
	if path == "" {
		return errors.New("database: sqlite: needs a path")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the directory of the database: %w", err)
	}
	if err := private(path); err != nil {
		return err
	}
	d.File = path
	open := func(params url.Values, conns int) (*bun.DB, error) {
		params.Set("mode", "rw") // a file that goes away later is not made anew, empty
		for _, p := range []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)"} {
			params.Add("_pragma", p)
		}
		db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: params.Encode()}).String())
		if err != nil {
			return nil, fmt.Errorf("open the database: %w", err)
		}
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		return bun.NewDB(db, sqlitedialect.New()), nil
	}
	var err error
	if d.Write, err = open(url.Values{"_txlock": {"immediate"}}, 1); err != nil {
		return err
	}
	d.group = groupcommit.New(d.Write)
	if d.Read, err = open(url.Values{}, maxReaders); err != nil {
		return errors.Join(err, d.Write.Close())
	}
	if err := d.Write.PingContext(ctx); err != nil {
		return errors.Join(fmt.Errorf("open the database %s: %w", path, err), d.Read.Close(), d.Write.Close())
	}
	if d.health.opened, err = os.Stat(path); err != nil {
		return errors.Join(fmt.Errorf("open the database: %w", err), d.Read.Close(), d.Write.Close())
	}
	return nil
}

// Connections to PostgreSQL unless the URL says otherwise: for requests, and for jobs, two of which only listen.
const (
	minConns = 12
	jobConns = 6

	connectWithin = 5 * time.Second // so that calls are answered soon where the server cannot be reached
)

// private makes the database file before SQLite does, so that only its owner can read it.
func private(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return nil
}

func (d *DB) connectPostgres(ctx context.Context, where string) error {
	conf, err := pgxpool.ParseConfig(where)
	if err != nil {
		return errors.New("database: the postgres:// URL cannot be read") // the cause may show the password
	}
	if !strings.Contains(where, "pool_max_conns") {
		conf.MaxConns = max(conf.MaxConns, minConns)
	}
	if !strings.Contains(where, "connect_timeout") {
		conf.ConnConfig.ConnectTimeout = connectWithin
	}
	jobs := conf.Copy()
	jobs.MaxConns = min(jobs.MaxConns, jobConns)
	if !strings.Contains(where, "default_query_exec_mode") {
		// bun writes values into the text of a statement, so that no two are the same: prepared, each would cost a call
		// of its own and stay in the memory of both sides. The job queue passes values apart and prepares.
		conf.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	if d.Queries, err = pgxpool.NewWithConfig(ctx, conf); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, jobs)
	if err != nil {
		d.Queries.Close()
		return fmt.Errorf("open the database: %w", err)
	}
	if err := d.Queries.Ping(ctx); err != nil {
		d.Queries.Close()
		pool.Close()
		return fmt.Errorf("reach the database: %w", err)
	}
	d.Pool = pool
	d.Write = bun.NewDB(stdlib.OpenDBFromPool(d.Queries), pgdialect.New())
	d.Read = d.Write
	return nil
}
