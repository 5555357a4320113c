package database

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// How long the last try to write holds: one that succeeded, and one that failed. A try may take tryWithin.
const (
	goodFor   = 10 * time.Second
	badFor    = time.Second
	tryWithin = 3 * time.Second
)

// health is what is known of the storage.
type health struct {
	mu      sync.Mutex
	triedAt time.Time
	tried   error
	suspect atomic.Bool // an outage was met since the last try
	opened  os.FileInfo // SQLite only: the file, as it was opened
	pages   atomic.Pointer[Pages]
}

// The rows of table health.
const (
	healthWrite = "write"
	healthPages = "pages"
)

// healthRow is what was last found out.
type healthRow struct {
	bun.BaseModel `bun:"table:health"`
	Name          string    `bun:"name,pk"`
	At            time.Time `bun:"at"`
	TookMS        int64     `bun:"took_ms"`
	Found         string    `bun:"found"`
}

// Suspect makes the next Ready try the storage anew. Call it when an outage was met.
func (d *DB) Suspect() { d.health.suspect.Store(true) }

// Ready returns an error unless the database answers and can be written to, its pages are whole as far as is known, and the blobs can
// be reached. A row is written at most every ten seconds. Problems: unavailable, with a detail that names what is wrong and nothing of
// the machine.
func (d *DB) Ready(ctx context.Context) error {
	d.health.mu.Lock()
	defer d.health.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tryWithin)
	defer cancel()
	if err := d.answers(ctx); err != nil {
		d.health.suspect.Store(true)
		return notReady("The database does not answer.", err)
	}
	age, suspect := time.Since(d.health.triedAt), d.health.suspect.Swap(false)
	if suspect || age > goodFor || (d.health.tried != nil && age > badFor) {
		d.health.tried = d.tryWriting(ctx)
		d.health.triedAt = time.Now()
	}
	if d.health.tried != nil {
		return d.health.tried
	}
	if p := d.Pages(); p.Found != "" {
		return notReady("Pages of the database are damaged; restore a backup.", errors.New(p.Found))
	}
	return nil
}

// notReady is the problem unavailable with its cause.
func notReady(detail string, cause error) error {
	return errors.Join(problem.New(problem.Unavailable).Saying("%s", detail), cause)
}

// answers asks the database something.
func (d *DB) answers(ctx context.Context) error {
	if err := d.present(); err != nil {
		return err
	}
	var one int
	return d.Read.NewSelect().ColumnExpr("1").Scan(ctx, &one)
}

// present returns ErrMoved unless the file of SQLite is the one that was opened.
func (d *DB) present() error {
	if d.health.opened == nil {
		return nil
	}
	now, err := os.Stat(d.File)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMoved, err)
	}
	if !os.SameFile(d.health.opened, now) {
		return ErrMoved
	}
	return nil
}

// tryWriting writes a row and looks for the blobs. It also learns what another process found of the pages.
func (d *DB) tryWriting(ctx context.Context) error {
	begun := time.Now()
	if err := d.saveHealth(ctx, healthRow{Name: healthWrite, At: d.Now(), TookMS: time.Since(begun).Milliseconds()}); err != nil {
		return notReady("The database cannot be written to.", err)
	}
	if err := d.loadPages(ctx); err != nil {
		return notReady("The database does not answer.", err)
	}
	if d.Blobs == nil {
		return nil
	}
	if err := d.Blobs.Check(ctx); err != nil {
		return notReady("Pictures cannot be stored.", err)
	}
	return nil
}

func (d *DB) saveHealth(ctx context.Context, row healthRow) error {
	return d.RunInTx(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").
			Set("at = EXCLUDED.at").Set("took_ms = EXCLUDED.took_ms").Set("found = EXCLUDED.found").Returning("NULL").Exec(ctx)
		return Wrapped(err, "keep how the storage is")
	})
}
