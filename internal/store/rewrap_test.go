package store

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/store/backup"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// masters are the places of the master key of tests and of another one.
type masters struct{ before, after string }

func newMasters(t *testing.T) masters {
	t.Helper()
	path := filepath.Join(t.TempDir(), "after.key")
	if made, err := vault.CreateMaster(path); err != nil || !made {
		t.Fatalf("CreateMaster: %v, %v", made, err)
	}
	return masters{before: idvtest.Master(t), after: "file:" + path}
}

func keyring(t *testing.T, where string, others ...string) *vault.Master {
	t.Helper()
	m, err := vault.OpenMaster(where, others...)
	must(t, err)
	return m
}

// opens reports how a server would start with those master keys.
func (d *deployment) opens(t *testing.T, m *vault.Master) error {
	t.Helper()
	st, err := Open(t.Context(), d.url, Options{Master: m, Blobs: d.store.Blobs, Now: d.clock.now, Log: quiet()})
	if err == nil {
		must(t, st.Close())
	}
	return err
}

func noProgress(int) {}

// masterKilled: each state between the two keys is refused to those who have but one of them.
func masterKilled(t *testing.T, d *deployment) {
	keys := newMasters(t)
	var ids []idv.SessionID
	for range 40 { // more than a batch
		ids = append(ids, d.create(t, session.Spec{ExternalReference: "kept"}).Session.ID)
	}
	d.exec(t, "UPDATE keysets SET master = '' WHERE owner = ?", string(ids[3])) // of a version that noted no master key
	must(t, d.store.DestroyKeyset(t.Context(), ids[5], vault.Pictures))
	both := d.nodeWith(t, keyring(t, keys.after, keys.before))
	onlyBefore, onlyAfter := keyring(t, keys.before), keyring(t, keys.after)
	if err := d.opens(t, onlyAfter); !errors.Is(err, vault.ErrWrongMaster) {
		t.Errorf("the new key alone, before anything was wrapped by it: %v", err)
	}
	ctx, kill := context.WithCancel(t.Context())
	done, err := both.store.Rewrap(ctx, func(int) { kill() })
	if !errors.Is(err, context.Canceled) || done == 0 || done >= 80 {
		t.Fatalf("killed after %d keysets: %v", done, err)
	}
	for name, m := range map[string]*vault.Master{"the old key alone": onlyBefore, "the new key alone": onlyAfter} {
		if err := d.opens(t, m); !errors.Is(err, vault.ErrWrongMaster) {
			t.Errorf("%s, half-way: %v", name, err)
		}
	}
	if err := d.opens(t, onlyBefore); !errors.Is(err, database.ErrMixedMaster) {
		t.Errorf("the old key alone is not told of the other: %v", err)
	}
	rest, err := both.store.Rewrap(t.Context(), noProgress)
	must(t, err)
	if got, want := done+rest, 2*len(ids); got != want { // one was destroyed, one is the deployment's
		t.Errorf("%d keysets were wrapped anew, want %d: each once", got, want)
	}
	found, err := both.store.WrappedBy(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[string]int{onlyAfter.Fingerprint(): 2 * len(ids)}, found); diff != "" {
		t.Errorf("keysets by master key (-want +got):\n%s", diff)
	}
	if err := d.opens(t, onlyBefore); !errors.Is(err, vault.ErrWrongMaster) {
		t.Errorf("the old key alone, afterwards: %v", err)
	}
	after := d.nodeWith(t, onlyAfter)
	for i, id := range ids {
		if v, err := after.Sessions.Get(t.Context(), idv.Test, id); err != nil || v.Session.ExternalReference != "kept" {
			t.Fatalf("session %d under the new key: %q, %v", i, v.Session.ExternalReference, err)
		}
	}
	if _, err := after.store.DB.Reader().Keyset(t.Context(), ids[5], vault.Pictures); !problem.Has(err, problem.SessionErased) {
		t.Errorf("a keyset that was destroyed is back: %v", err)
	}
	if n, err := after.store.Rewrap(t.Context(), noProgress); n != 0 || err != nil {
		t.Errorf("a change that is done: %d, %v", n, err)
	}
}

// masterChanged: one server wraps by the old key still, the other by the new one; both read, write and erase meanwhile.
func masterChanged(t *testing.T, d *deployment) {
	keys := newMasters(t)
	first := d.nodeWith(t, keyring(t, keys.before, keys.after))
	second := d.nodeWith(t, keyring(t, keys.after, keys.before))
	first.work(t, queue.WorkOptions{})
	a, _ := first.secretive(t)
	var doomed []idv.SessionID
	for range 40 {
		doomed = append(doomed, first.create(t, session.Spec{ExternalReference: "doomed"}).Session.ID)
	}
	var at sync.WaitGroup
	for _, node := range []*deployment{first, second, second} { // two changes at once do not get into each other's way
		rewraps := node == second
		at.Go(func() {
			if rewraps {
				if _, err := node.store.Rewrap(t.Context(), noProgress); err != nil {
					t.Errorf("Rewrap: %v", err)
				}
				return
			}
			for _, id := range doomed {
				if err := node.store.DestroyKeyset(t.Context(), id, vault.Facts); err != nil {
					t.Errorf("DestroyKeyset: %v", err)
				}
			}
		})
	}
	var late []idv.SessionID
	for range 10 {
		for from, to := range map[*deployment]*deployment{first: second, second: first} {
			made := from.create(t, session.Spec{ExternalReference: "late"}).Session.ID
			if v, err := to.Sessions.Get(t.Context(), idv.Test, made); err != nil || v.Session.ExternalReference != "late" {
				t.Fatalf("what the other server made: %q, %v", v.Session.ExternalReference, err)
			}
			late = append(late, made)
		}
	}
	at.Wait()
	_, err := second.store.Rewrap(t.Context(), noProgress) // what the first server wrapped by the old key meanwhile
	must(t, err)
	after := d.nodeWith(t, keyring(t, keys.after))
	for _, id := range late {
		if _, err := after.Sessions.Get(t.Context(), idv.Test, id); err != nil {
			t.Errorf("a session made meanwhile: %v", err)
		}
	}
	for _, id := range doomed {
		if _, err := after.store.DB.Reader().Keyset(t.Context(), id, vault.Facts); !problem.Has(err, problem.SessionErased) {
			t.Fatalf("a keyset that was destroyed meanwhile is back: %v", err)
		}
	}
	captures, err := after.store.Captures(t.Context(), a.id)
	must(t, err)
	if _, err := after.Pictures.Evidence(t.Context(), "", a.id, captures[0].ID, review.WholeCapture); err != nil {
		t.Errorf("a picture of before: %v", err)
	}
}

// masterBackup: archives of before and after a change belong together.
func masterBackup(t *testing.T, d *deployment) {
	keys := newMasters(t)
	id := d.create(t, session.Spec{ExternalReference: "kept"}).Session.ID
	old := d.save(t)
	both := d.nodeWith(t, keyring(t, keys.after, keys.before))
	_, err := both.store.Rewrap(t.Context(), noProgress)
	must(t, err)
	d.clock.advance(time.Minute)
	newer := saved{old.data, both.saveKeys(t)}
	alone := *d
	alone.master = keyring(t, keys.after)
	if _, err := alone.beside(t).store.Restore(t.Context(), newer.archives(), silent); !errors.Is(err, vault.ErrWrongMaster) {
		t.Errorf("data of before under the new key alone: %v", err)
	}
	twin, _ := restoreBeside(t, both, newer)
	if v, err := twin.Sessions.Get(t.Context(), idv.Test, id); err != nil || v.Session.ExternalReference != "kept" {
		t.Errorf("restored with both keys: %q, %v", v.Session.ExternalReference, err)
	}
	_, err = twin.store.Rewrap(t.Context(), noProgress)
	must(t, err)
	must(t, twin.opens(t, keyring(t, keys.after)))
	stranger := d.beside(t)
	must(t, stranger.store.Migrate(t.Context()))
	stranger.clock.advance(time.Hour)
	if _, err := both.beside(t).store.CheckArchives(t.Context(), saved{old.data, stranger.saveKeys(t)}.archives()); !errors.Is(err, backup.ErrNotTogether) {
		t.Errorf("keys of another deployment: %v", err)
	}
}

// beforeMasters takes a database back to the schema before keysets noted their master key.
var beforeMasters = []string{
	"DROP INDEX keysets_by_master", "ALTER TABLE keysets DROP COLUMN master", "DELETE FROM schema_versions WHERE version_id = 33",
}
