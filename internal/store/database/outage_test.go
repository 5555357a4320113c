package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAnOutageIsToldFromAMistake(t *testing.T) {
	t.Parallel()
	full := sqliteError(t, "PRAGMA max_page_count = 1; CREATE TABLE t (x)", nil)
	mistaken := sqliteError(t, "SELECT nothing FROM nowhere", nil)
	noDatabase := sqliteError(t, "SELECT * FROM t", []byte("this is a text of more than a hundred bytes, so that it is long enough to have "+
		"the header of a database, which it does not have"))
	_, unreachable := pgconn.Connect(t.Context(), "postgres:///x?host="+t.TempDir())
	for name, tt := range map[string]struct {
		err  error
		want bool
	}{
		"SQLite cannot grow":               {full, true},
		"a file that is no database":       {noDatabase, true},
		"a statement that is wrong":        {mistaken, false},
		"PostgreSQL cannot be reached":     {unreachable, true},
		"PostgreSQL is being shut down":    {&pgconn.PgError{Code: "57P01"}, true},
		"PostgreSQL has a full disk":       {&pgconn.PgError{Code: "53100"}, true},
		"PostgreSQL has too many clients":  {&pgconn.PgError{Code: "53300"}, true},
		"PostgreSQL found a damaged page":  {&pgconn.PgError{Code: "XX001"}, true},
		"PostgreSQL refuses a duplicate":   {&pgconn.PgError{Code: "23505"}, false},
		"PostgreSQL canceled a statement":  {&pgconn.PgError{Code: "57014"}, false},
		"PostgreSQL says nothing":          {&pgconn.PgError{}, false},
		"a disk without room for a blob":   {&os.PathError{Op: "write", Err: syscall.ENOSPC}, true},
		"a disk that fails":                {&os.PathError{Op: "read", Err: syscall.EIO}, true},
		"a file that is not there":         {os.ErrNotExist, false},
		"no rows":                          {sql.ErrNoRows, false},
		"a problem of the catalogue":       {problem.New(problem.NotFound), false},
		"a call that was canceled":         {context.Canceled, false},
		"anything else":                    {errors.New("a bug"), false},
		"a database whose file went away":  {ErrMoved, true},
		"an outage among other errors":     {errors.Join(errors.New("a bug"), fmt.Errorf("commit: %w", syscall.ENOSPC)), true},
		"a connection that was taken away": {pgconn.ErrConnClosed, true},
	} {
		if tt.err == nil {
			t.Errorf("%s: there is no error", name)
		}
		if got := IsOutage(fmt.Errorf("read the session: %w", tt.err)); got != tt.want {
			t.Errorf("%s: got %v, want %v (%v)", name, got, tt.want, tt.err)
		}
	}
	if !IsDamaged(noDatabase) || IsDamaged(full) || IsDamaged(mistaken) {
		t.Error("damage is not told from what is none")
	}
}

// sqliteError returns what SQLite answers to a statement, over a file with that content.
func sqliteError(t *testing.T, statement string, content []byte) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "test.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(t.Context(), statement)
	return err
}
