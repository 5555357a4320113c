package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Distinct returns the values that are not empty, sorted, each once.
func Distinct(values []string) []string {
	slices.Sort(values)
	return slices.DeleteFunc(slices.Compact(values), func(v string) bool { return v == "" })
}

// Affected returns how many rows a statement changed.
func Affected(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Place binds a ciphertext to its column and row.
func Place(column, row string) string { return column + "/" + row }

// Wrapped adds what was being done to an error; nil stays nil.
func Wrapped(err error, what string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// RowsOf reads the rows of one session from the table of R, in the order in which they were written.
func RowsOf[R any](ctx context.Context, r *Reader, id idv.SessionID, what string) ([]R, error) {
	var rows []R
	if err := r.Conn.NewSelect().Model(&rows).Where("session_id = ?", string(id)).OrderExpr("seq").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return rows, nil
}

// UTC converts a time that was read; zero stays zero.
func UTC(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// Missing turns "no rows" into problem not_found and wraps everything else with the act in progress.
func Missing(err error, act string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, sql.ErrNoRows) {
		return problem.New(problem.NotFound)
	}
	return fmt.Errorf("%s: %w", act, err)
}
