package schema

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/bonafide-id/bonafide/internal/store/database"
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

// What the triggers of sums do (see package figures): on SQLite for a reason, on PostgreSQL for everything. A semicolon at the
// end of a line would end the statement.
const (
	forgetDayOf     = "DELETE FROM figure_days WHERE (mode, day) = (SELECT s.mode, SUBSTR(s.created_at, 1, 10) FROM sessions AS s WHERE s.id"
	forgetFunctions = `CREATE FUNCTION forget_figure_day() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM figure_days WHERE mode = NEW.mode AND day = TO_CHAR(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'); RETURN NULL; END $$;

CREATE FUNCTION forget_figure_day_of_reason() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
	DELETE FROM figure_days AS f USING sessions AS s WHERE s.id = (CASE TG_OP WHEN 'DELETE' THEN OLD.session_id ELSE NEW.session_id END)
	AND f.mode = s.mode AND f.day = TO_CHAR(s.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'); RETURN NULL; END $$;`
)

// Schema is the schema of a database.
type Schema struct{ db *database.DB }

// New returns the Schema of a database.
func New(db *database.DB) *Schema { return &Schema{db: db} }

// migrationLock is the advisory lock that keeps two nodes from migrating at once.
const migrationLock = 0x626f6e61 // "bona"

// Current reports whether the schema is what this binary needs.
func (s *Schema) Current(ctx context.Context) (bool, error) {
	p, err := s.Provider()
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("read the schema's version: %w", err)
	}
	return !pending, nil
}

// Up brings the schema up to date, also that of the job queue. It may run while an older binary still serves. The caller
// must hold Lock.
func (s *Schema) Up(ctx context.Context) error {
	p, err := s.Provider()
	if err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := s.migrateQueue(ctx); err != nil {
		return fmt.Errorf("migrate the job queue: %w", err)
	}
	return nil
}

// Lock waits until no other node migrates, and keeps others from it until the returned function is called.
func (s *Schema) Lock(ctx context.Context) (func(), error) {
	if s.db.Pool == nil {
		return func() {}, nil // goose and River migrate in transactions, and SQLite has one writer
	}
	conn, err := s.db.Pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		conn.Release()
		return nil, fmt.Errorf("wait for another migration: %w", err)
	}
	return func() {
		if _, err := conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock); err != nil {
			s.db.Logger.Error("cannot release the migration lock", "error", err)
		}
		conn.Release()
	}, nil
}

// Provider returns goose over the migrations.
func (s *Schema) Provider() (*goose.Provider, error) {
	dialect := goose.DialectSQLite3
	if s.db.Engine() == "postgres" {
		dialect = goose.DialectPostgres
	}
	steps, err := s.Steps()
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(dialect, s.db.Write.DB, nil,
		goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true), goose.WithTableName("schema_versions"))
	if err != nil {
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	return p, nil
}

// Steps returns every migration, expanded for the engine.
func (s *Schema) Steps() ([]*goose.Migration, error) {
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
		statements := strings.Split(types[s.db.Engine()].Replace(string(raw)), ";\n")
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

func (s *Schema) migrateQueue(ctx context.Context) error {
	if s.db.Pool != nil {
		m, err := rivermigrate.New(riverpgxv5.New(s.db.Pool), &rivermigrate.Config{Logger: s.db.Logger})
		if err == nil {
			_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
		}
		return err
	}
	m, err := rivermigrate.New(riversqlite.New(s.db.Write.DB), &rivermigrate.Config{Logger: s.db.Logger})
	if err == nil {
		_, err = m.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	return err
}
