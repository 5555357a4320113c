// Package store keeps everything in SQL, on SQLite and on PostgreSQL, by one code path: bun writes the
// queries, goose moves the schema, River queues the jobs. It is the only package that knows any of them.
//
// SQLite takes one writer at a time, so writing goes through a pool of one connection, which makes writers
// queue in order instead of waiting for a lock; readers have a pool of their own and see what is committed.
// On PostgreSQL both are the same pool. A use case writes in InTx: rows, audit entries, events and jobs
// commit together. Personal columns are sealed by the vault before they reach SQL.
package store

import (
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
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"
	"github.com/uptrace/bun/dialect/sqlitedialect"
	_ "modernc.org/sqlite" // driver "sqlite"

	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Options of a Store. Master and Blobs are required for all but schema work; the rest may be zero.
type Options struct {
	Master *vault.Master
	Blobs  *vault.Blobs
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
	Tracer *trace.Tracer // nil for none
}

// Store is an open database together with its vault. It is safe for concurrent use.
type Store struct {
	reader
	read      *bun.DB
	write     *bun.DB
	queries   *pgxpool.Pool // PostgreSQL only: what read and write go through
	pool      *pgxpool.Pool // PostgreSQL only: for jobs, and to listen
	group     *group        // SQLite only: transactions that commit together
	file      string        // SQLite only: the path of the database
	master    *vault.Master
	blobs     *vault.Blobs
	queue     inserter
	hub       *hub
	published published
	now       func() time.Time
	random    io.Reader
	log       *slog.Logger
	tracer    *trace.Tracer
	aheadSaid atomic.Int64 // when sayAhead spoke, in nanoseconds

	ownMu sync.Mutex
	own   *vault.Keyset // the deployment's, once it is open
}

// oneMoment are the options of a transaction all of whose reads see what was there at its first.
func (s *Store) oneMoment() *sql.TxOptions {
	if s.pool == nil { // SQLite knows no other
		return &sql.TxOptions{}
	}
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
}

// Open connects to sqlite:PATH or postgres://…. It changes no schema: see Migrate. Where the schema is there,
// the master key is tried, and a wrong one is vault.ErrWrongMaster.
func Open(ctx context.Context, where string, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Store{
		master: o.Master, blobs: o.Blobs, random: o.Random, log: o.Log, tracer: o.Tracer, hub: newHub(),
		now: func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) },
	}
	if err := s.connect(ctx, where); err != nil {
		return nil, err
	}
	s.watchStatements()
	s.reader = reader{s: s, db: s.read}
	if err := s.begin(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// begin tries what only a migrated database can answer. It makes nothing: a restore wants the keyset of the backup.
func (s *Store) begin(ctx context.Context) error {
	if err := s.openQueue(); err != nil {
		return err
	}
	ok, err := s.Current(ctx)
	if err != nil || !ok || s.master == nil {
		return err
	}
	if _, err = s.deployment(ctx); errors.Is(err, errNoKeyset) {
		return nil
	}
	return err
}

// Close releases the database. Work has to have ended.
func (s *Store) Close() error {
	s.hub.close()
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.pool != nil {
		s.queries.Close()
		s.pool.Close()
	}
	return err
}

// Ping reports whether the database and the bucket answer.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.read.PingContext(ctx); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	if s.blobs == nil {
		return nil
	}
	return s.blobs.Check(ctx)
}

// Engine names the database: "sqlite" or "postgres".
func (s *Store) Engine() string {
	if s.pool != nil {
		return "postgres"
	}
	return "sqlite"
}

func (s *Store) connect(ctx context.Context, where string) error {
	scheme, rest, _ := strings.Cut(where, ":")
	switch scheme {
	case "sqlite":
		return s.connectSQLite(ctx, rest)
	case "postgres", "postgresql":
		return s.connectPostgres(ctx, where)
	default:
		return fmt.Errorf("database: want sqlite:PATH or postgres://…, not %q", scheme)
	}
}

// maxReaders bounds the readers of SQLite: each holds a page cache of its own.
const maxReaders = 8

func (s *Store) connectSQLite(ctx context.Context, path string) error {
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
	s.file = path
	open := func(params url.Values, conns int) (*bun.DB, error) {
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
	if s.write, err = open(url.Values{"_txlock": {"immediate"}}, 1); err != nil {
		return err
	}
	s.group = &group{db: s.write}
	if s.read, err = open(url.Values{}, maxReaders); err != nil {
		return errors.Join(err, s.write.Close())
	}
	if err := s.write.PingContext(ctx); err != nil {
		return errors.Join(fmt.Errorf("open the database %s: %w", path, err), s.read.Close(), s.write.Close())
	}
	return nil
}

// Connections of PostgreSQL where the URL says nothing: those of requests, and those of jobs, two of which only listen.
const (
	minConns = 12
	jobConns = 6
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

func (s *Store) connectPostgres(ctx context.Context, where string) error {
	conf, err := pgxpool.ParseConfig(where)
	if err != nil {
		return errors.New("database: the postgres:// URL cannot be read") // the cause may show the password
	}
	if !strings.Contains(where, "pool_max_conns") {
		conf.MaxConns = max(conf.MaxConns, minConns)
	}
	jobs := conf.Copy()
	jobs.MaxConns = min(jobs.MaxConns, jobConns)
	if !strings.Contains(where, "default_query_exec_mode") {
		// bun writes values into the text of a statement, so that no two are the same: prepared, each would cost a call
		// of its own and stay in the memory of both sides. The job queue passes values apart and prepares.
		conf.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	if s.queries, err = pgxpool.NewWithConfig(ctx, conf); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	pool, err := pgxpool.NewWithConfig(ctx, jobs)
	if err != nil {
		s.queries.Close()
		return fmt.Errorf("open the database: %w", err)
	}
	if err := s.queries.Ping(ctx); err != nil {
		s.queries.Close()
		pool.Close()
		return fmt.Errorf("reach the database: %w", err)
	}
	s.pool = pool
	s.write = bun.NewDB(stdlib.OpenDBFromPool(s.queries), pgdialect.New())
	s.read = s.write
	return nil
}
