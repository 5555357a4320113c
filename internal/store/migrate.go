package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/bonafide-id/bonafide/internal/idv"
)

//go:embed migrations/*.sql
var migrations embed.FS

// types are the words of the migrations that the two engines spell differently.
var types = map[string]*strings.Replacer{
	"sqlite": strings.NewReplacer("{{serial}}", "INTEGER PRIMARY KEY AUTOINCREMENT", "{{blob}}", "BLOB", "{{ts}}", "TIMESTAMP", "{{json}}", "TEXT",
		"{{waited}}", "CAST((julianday(decided_at) - julianday(submitted_at)) * 86400 AS INTEGER)",
		"{{forget_functions}}\n", "", "{{unlogged}}", "",
		"{{forget_day}}", "BEGIN DELETE FROM figure_days WHERE mode = NEW.mode AND day = SUBSTR(NEW.created_at, 1, 10); END",
		"{{forget_reason_added}}", "BEGIN "+forgetDayOf+" = NEW.session_id); END", "{{forget_reason_removed}}", "BEGIN "+forgetDayOf+" = OLD.session_id); END"),
	"postgres": strings.NewReplacer("{{serial}}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "{{blob}}", "BYTEA",
		"{{ts}}", "TIMESTAMPTZ", "{{json}}", "JSONB", "{{waited}}", "CAST(EXTRACT(EPOCH FROM decided_at - submitted_at) AS BIGINT)",
		"{{forget_functions}}", forgetFunctions, "{{unlogged}}", "UNLOGGED ", "{{forget_day}}", "EXECUTE FUNCTION forget_figure_day()",
		"{{forget_reason_added}}", "EXECUTE FUNCTION forget_figure_day_of_reason()", "{{forget_reason_removed}}", "EXECUTE FUNCTION forget_figure_day_of_reason()"),
}

// What the triggers of sums do (see figure_days.go): on SQLite for a reason, on PostgreSQL for everything. A semicolon at the
// end of a line would end the statement.
const (
	forgetDayOf     = "DELETE FROM figure_days WHERE (mode, day) = (SELECT s.mode, SUBSTR(s.created_at, 1, 10) FROM sessions AS s WHERE s.id"
	forgetFunctions = `CREATE FUNCTION forget_figure_day() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM figure_days WHERE mode = NEW.mode AND day = TO_CHAR(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'); RETURN NULL; END $$;

CREATE FUNCTION forget_figure_day_of_reason() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM figure_days AS f USING sessions AS s WHERE s.id = (CASE TG_OP WHEN 'DELETE' THEN OLD.session_id ELSE NEW.session_id END)
	AND f.mode = s.mode AND f.day = TO_CHAR(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'); RETURN NULL; END $$;`
)

// migrationLock is the advisory lock that keeps two nodes from migrating at once.
const migrationLock = 0x626f6e61 // "bona"

// Migrate brings the schema up to date, also River's, and makes what a deployment starts with: its keyset and
// the default workflows. It may run while the old binary still serves, and any number of times. A database that is half
// restored is ErrHalfRestored.
func (s *Store) Migrate(ctx context.Context) error {
	if err := s.Finished(ctx); err != nil {
		return err
	}
	return s.migrate(ctx)
}

func (s *Store) migrate(ctx context.Context) error {
	if s.master == nil {
		return errors.New("migrate: a master key is needed")
	}
	unlock, err := s.lockMigrations(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	p, err := s.provider()
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := s.migrateQueue(ctx); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	if err := s.makeDeployment(ctx); err != nil {
		return err
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		for _, w := range idv.BuiltInWorkflows(mode) {
			if err := s.SeedWorkflow(ctx, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// Current reports whether the schema is what this binary needs.
func (s *Store) Current(ctx context.Context) (bool, error) {
	p, err := s.provider()
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("read the schema's version: %w", err)
	}
	return !pending, nil
}

func (s *Store) lockMigrations(ctx context.Context) (func(), error) {
	if s.pool == nil {
		return func() {}, nil // goose and River migrate in transactions, and SQLite has one writer
	}
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		conn.Release()
		return nil, fmt.Errorf("wait for another migration: %w", err)
	}
	return func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock); err != nil {
			s.log.Error("cannot release the migration lock", "error", err)
		}
		conn.Release()
	}, nil
}

func (s *Store) provider() (*goose.Provider, error) {
	dialect := goose.DialectSQLite3
	if s.Engine() == "postgres" {
		dialect = goose.DialectPostgres
	}
	steps, err := s.steps()
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(dialect, s.write.DB, nil,
		goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true), goose.WithTableName("schema_versions"))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return p, nil
}

// steps expands every migration for this engine.
func (s *Store) steps() ([]*goose.Migration, error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	var out []*goose.Migration
	for _, file := range files {
		raw, err := migrations.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		number, _, _ := strings.Cut(strings.TrimPrefix(file, "migrations/"), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %s has no number", file)
		}
		statements := strings.Split(types[s.Engine()].Replace(string(raw)), ";\n")
		out = append(out, goose.NewGoMigration(version, &goose.GoFunc{RunTx: runAll(statements)}, nil))
	}
	return out, nil
}

func runAll(statements []string) func(context.Context, *sql.Tx) error {
	return func(ctx context.Context, tx *sql.Tx) error {
		for _, q := range statements {
			if strings.TrimSpace(q) == "" {
				continue
			}
			if _, err := tx.ExecContext(ctx, q); err != nil {
				return fmt.Errorf("%w in %.60q", err, strings.TrimSpace(q))
			}
		}
		return nil
	}
}

func (s *Store) migrateQueue(ctx context.Context) error {
	if s.pool != nil {
		m, err := rivermigrate.New(riverpgxv5.New(s.pool), &rivermigrate.Config{Logger: s.log})
		if err == nil {
			_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
		}
		return err
	}
	m, err := rivermigrate.New(riversqlite.New(s.write.DB), &rivermigrate.Config{Logger: s.log})
	if err == nil {
		_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	return err
}
