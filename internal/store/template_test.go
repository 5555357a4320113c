package store

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session/decision"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// migrated is an empty database after Migrate, under the master key of the test kit. What is told of migrating itself is tried
// on databases that are empty: see beside.
var migrated = idvtest.NewTemplate(func(database, key string) error {
	ctx := context.Background()
	master, err := vault.OpenMaster(key)
	if err != nil {
		return err
	}
	s, err := Open(ctx, database, Options{Master: master, Log: quiet()})
	if err != nil {
		return err
	}
	return errors.Join(s.Migrate(ctx), s.Close())
})

// onSQLite is a deployment on a migrated database of SQLite.
func onSQLite(t *testing.T) *deployment {
	t.Helper()
	return deploy(t, migrated.SQLite(t), idvtest.Master(t))
}

// onPostgres is a deployment on a migrated database of PostgreSQL.
func onPostgres(t *testing.T) *deployment {
	t.Helper()
	d := deploy(t, migrated.Postgres(t), idvtest.Master(t))
	d.cluster = idvtest.Postgres(t)
	return d
}

// another is a deployment of somebody else: on a database that it migrated itself, under a master key of its own.
func another(t *testing.T) *deployment {
	t.Helper()
	key := filepath.Join(t.TempDir(), "master.key")
	_, err := vault.CreateMaster(key)
	must(t, err)
	d := deploy(t, "sqlite:"+filepath.Join(t.TempDir(), "data", "bonafide.db"), "file:"+key)
	must(t, d.store.Migrate(t.Context()))
	return d
}

func deploy(t *testing.T, database, key string) *deployment {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "blobs")
	return deployOn(t, database, key, bucketAt(dir), dir)
}

// bucketAt is the URL of a bucket of files. The folder of a test may have a # in its name.
func bucketAt(dir string) string { return (&url.URL{Scheme: "file", Path: dir}).String() }

// deployOn keeps its blobs in a bucket whose files are in dir.
func deployOn(t *testing.T, database, key, bucket, dir string) *deployment {
	t.Helper()
	ctx := t.Context()
	master, err := vault.OpenMaster(key)
	must(t, err)
	d := &deployment{lab: &idvtest.Lab{}, clock: &clock{}, url: database, blobs: dir, master: master}
	blobs, err := vault.OpenBlobs(ctx, bucket)
	must(t, err)
	d.store, err = Open(ctx, database, Options{Master: master, Blobs: blobs, Now: d.clock.now, Log: quiet()})
	must(t, err)
	t.Cleanup(func() {
		if err := errors.Join(d.store.Close(), blobs.Close()); err != nil {
			t.Error(err)
		}
	})
	engine, err := flow.New(d.lab.Gates(), d.lab.Extractors(), append(d.lab.Checkers(), checker.OfSeen(idvtest.Faces{})...), flow.Options{})
	must(t, err)
	d.galleries = galleriesOf(d.store)
	d.Services = services.New(d.store, d.store.Pictures(), engine, services.Options{
		Now: d.clock.now, Log: quiet(), Seeks: decision.Seeks{Faces: idvtest.Faces{}, Galleries: d.galleries},
	})
	return d
}
