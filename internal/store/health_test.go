package store

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// beforeOffers undoes the migration of what statistics know of sources, and of offers.
func beforeOffers(d *deployment) []string {
	undo := "DROP TRIGGER figures_source_changed"
	if d.cluster != nil {
		undo += " ON sessions"
	}
	return []string{
		undo, "DROP INDEX sessions_figures", "ALTER TABLE sessions DROP COLUMN capture_source", "ALTER TABLE workflows DROP COLUMN signals_seen",
		"CREATE INDEX sessions_figures ON sessions (mode)", "DELETE FROM schema_versions WHERE version_id = 28",
	}
}

// beforeChecked undoes the migration of pictures whose reading was told.
var beforeChecked = []string{"ALTER TABLE captures DROP COLUMN checked", "DELETE FROM schema_versions WHERE version_id = 29"}

// beforeSources undoes the migration of sources.
var beforeSources = []string{"ALTER TABLE captures DROP COLUMN source", "DELETE FROM schema_versions WHERE version_id = 27"}

// beforeHealth undoes the migration of health.
var beforeHealth = []string{"DROP TABLE health", "DELETE FROM schema_versions WHERE version_id = 26"}

// healthTold: what can be written to is ready, and only SQLite is asked for its pages.
func healthTold(t *testing.T, d *deployment) {
	must(t, d.store.Ready(t.Context()))
	p, err := d.store.CheckPages(t.Context())
	must(t, err)
	if p.Found != "" || p.At.IsZero() != (d.store.Engine() == "postgres") {
		t.Errorf("a whole database: %+v", p)
	}
	must(t, d.store.Ready(t.Context()))
	must(t, os.RemoveAll(d.blobs))
	must(t, os.WriteFile(d.blobs, nil, 0o600)) // a file where a directory should be
	d.store.Suspect()
	notReady(t, d.store.Ready(t.Context()), "Pictures cannot be stored.")
	must(t, os.Remove(d.blobs))
	must(t, os.MkdirAll(d.blobs, 0o700))
	d.store.Suspect()
	must(t, d.store.Ready(t.Context()))
}

func notReady(t *testing.T, err error, detail string) {
	t.Helper()
	p, ok := problem.As(err)
	if !ok || p.Kind.Code != problem.Unavailable.Code || p.Detail != detail {
		t.Errorf("got %v, want %s: %s", err, problem.Unavailable.Code, detail)
	}
}

func TestADatabaseWhoseFileIsGoneTakesNoWrites(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	moved := d.store.File + ".moved"
	must(t, os.Rename(d.store.File, moved))
	notReady(t, d.store.Ready(t.Context()), "The database does not answer.")
	if _, err := d.Sessions.Create(t.Context(), session.Spec{Mode: "test"}); !database.IsOutage(err) {
		t.Errorf("what would be lost is taken: %v", err)
	}
	must(t, os.Rename(moved, d.store.File))
	must(t, d.store.Ready(t.Context()))
	d.create(t, session.Spec{})
}

func TestDamagedPagesAreFoundAndToldUntilTheyAreWhole(t *testing.T) {
	t.Parallel()
	d := onSQLite(t)
	for range 20 {
		d.create(t, session.Spec{})
	}
	_, err := d.store.Write.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	var root, size int64
	must(t, d.store.Read.NewRaw("SELECT rootpage FROM sqlite_master WHERE name = 'blind_indexes'").Scan(t.Context(), &root))
	must(t, d.store.Read.NewRaw("PRAGMA page_size").Scan(t.Context(), &size))
	file, err := os.OpenFile(d.store.File, os.O_RDWR, 0)
	must(t, err)
	defer func() { _ = file.Close() }()
	whole := make([]byte, 64)
	_, err = file.ReadAt(whole, (root-1)*size)
	must(t, err)
	_, err = file.WriteAt(bytes.Repeat([]byte{0xa5}, len(whole)), (root-1)*size)
	must(t, err)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	defer func() { _ = log.Close() }()
	d.store.Logger = slog.New(slog.NewTextHandler(log, nil))
	var watching sync.WaitGroup
	watching.Go(func() { d.store.WatchPages(ctx, 20*time.Millisecond) })
	until(t, "the damage to be found", func() bool { return d.store.Pages().Found != "" })
	if p := d.store.Pages(); p.At.IsZero() || len(p.Found) > 1000 {
		t.Errorf("%+v", p)
	}
	notReady(t, d.store.Ready(t.Context()), "Pages of the database are damaged; restore a backup.")
	other, err := Open(t.Context(), d.url, Options{Master: d.master, Log: quiet()})
	must(t, err)
	defer func() { _ = other.Close() }()
	notReady(t, other.Ready(t.Context()), "Pages of the database are damaged; restore a backup.")

	_, err = file.WriteAt(whole, (root-1)*size)
	must(t, err)
	until(t, "the pages to be whole again", func() bool { return d.store.Pages().Found == "" })
	must(t, d.store.Ready(t.Context()))
	for _, want := range []string{"pages of the database are damaged: restore a backup", "whole again"} {
		until(t, "the log to say: "+want, func() bool {
			raw, err := os.ReadFile(log.Name())
			return err == nil && strings.Contains(string(raw), want)
		})
	}
	stop()
	watching.Wait()
}
