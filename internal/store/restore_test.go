package store

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/backup"
)

// backupUnfinished: a restore that fails on its way leaves a database that every use is refused, and that can be restored into again.
func backupUnfinished(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.create(t, session.Spec{ExternalReference: "one"})
	d.clock.advance(time.Hour) // the clock of another machine, which is wrong
	early := d.saveKeys(t)
	d.clock.advance(-time.Hour)
	d.create(t, session.Spec{ExternalReference: "two"})
	s := d.save(t)
	twin := d.beside(t)
	if _, err := twin.store.Restore(ctx, saved{s.data, early}.archives(), silent); !errors.Is(err, backup.ErrKeysLacking) {
		t.Fatalf("keys that lack those of a session: %v", err)
	}
	next := twin.secondNode(t) // the next process
	_, err := next.store.Snapshot(ctx, false)
	for what, err := range map[string]error{
		"a server": next.store.Finished(ctx), "a migration": next.store.Migrate(ctx), "a backup": err,
	} {
		if !errors.Is(err, backup.ErrHalfRestored) {
			t.Errorf("%s on what a restore left behind: %v", what, err)
		}
	}
	again := twin.secondNode(t)
	if r, err := again.store.Restore(ctx, s.archives(), silent); err != nil || r.Sessions != 2 {
		t.Fatalf("the restore repeated: %+v, %v", r, err)
	}
	must(t, twin.secondNode(t).store.Finished(ctx))
}

// backupForged: a restore of a log that does not hold does not count as one that came to its end.
func backupForged(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.create(t, session.Spec{})
	must(t, d.store.Sequence(ctx))
	d.exec(t, "UPDATE audit_entries SET action = 'session.approved' WHERE position IS NOT NULL")
	twin := d.beside(t)
	if _, err := twin.store.Restore(ctx, d.save(t).archives(), silent); !errors.Is(err, audit.ErrTampered) {
		t.Fatalf("a changed entry: %v", err)
	}
	if err := twin.secondNode(t).store.Finished(ctx); !errors.Is(err, backup.ErrHalfRestored) {
		t.Errorf("a server on it: %v", err)
	}
}

// backupUnmarked: the mark of a restore that is under way is in no archive.
func backupUnmarked(t *testing.T, d *deployment) {
	n, err := d.store.Snapshot(t.Context(), false)
	must(t, err)
	must(t, n.Close())
	must(t, d.store.Loader(silent).Mark(t.Context()))
	must(t, n.Begin(t.Context()))
	var data bytes.Buffer
	_, err = n.WriteData(t.Context(), &data, silent)
	must(t, errors.Join(err, n.Close()))
	var table archive.Table
	_, _, err = d.store.CheckArchive(t.Context(), opened(data.Bytes()), func(item any) {
		switch v := item.(type) {
		case archive.Table:
			table = v
		case archive.Row:
			if table.Name == "settings" && backup.ValueOf(table, v, "name") == backup.SettingRestore {
				t.Error("the mark is in the archive")
			}
		}
	})
	must(t, err)
}
