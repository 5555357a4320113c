package store

import (
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// crashHeld leaves everything as a killed server leaves it: jobs that run, among them one on its last try, the leadership of the
// queue, an endpoint's queue that is taken, and calls that have no answer.
func crashHeld(t *testing.T, d *deployment) {
	if d.store.File == "" {
		t.Skip("on PostgreSQL nobody can know at once that a process has died: what it held ends by its time")
	}
	ctx := t.Context()
	hooks := d.hooks(webhook.Options{})
	target := receive(t, nil)
	e := d.endpoint(t, hooks, idv.Test, target.URL, "session.approved")
	a := d.open(t)
	a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
	d.exec(t, "UPDATE river_job SET state = 'running', attempt = max_attempts, attempted_at = ? WHERE kind = 'extract'", d.clock.now())
	d.exec(t, "INSERT INTO river_leader (elected_at, expires_at, leader_id, name) "+
		"VALUES (datetime('now'), datetime('now', '+1 hour'), 'the dead one', 'default')")
	if ok, err := d.store.Lease(ctx, e.ID, d.clock.now().UTC().Truncate(time.Microsecond).Add(webhook.LeaseTime)); !ok || err != nil {
		t.Fatal(ok, err)
	}
	start := time.Now()
	d.workHooks(t, hooks)
	wantOneVerdict(t, d, a.id, idv.Approved)
	until(t, "the webhook", func() bool { return len(target.types()) == 1 })
	if waited := time.Since(start); waited > 10*time.Second {
		t.Errorf("it waited %v for what nobody held", waited)
	}
	if n := target.types(); len(n) != 1 {
		t.Errorf("the webhooks are %v, want one", n)
	}
}

// claimsHeld are the keys of calls that a server was answering when it died.
func claimsHeld(t *testing.T, d *deployment) {
	ctx, now := t.Context(), d.clock.now()
	claim := func(key string) bool {
		t.Helper()
		_, _, fresh, err := d.store.Replays().Claim(ctx, key, "a", now, now.Add(-time.Minute), now.Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		return fresh
	}
	serve := func(d *deployment) {
		t.Helper()
		release, err := d.store.Serve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := release(); err != nil {
				t.Error(err)
			}
		})
	}
	claim("answered")
	if err := d.store.Replays().Keep(ctx, "answered", "", []byte("sealed")); err != nil {
		t.Fatal(err)
	}
	claim("cut off")
	serve(d)
	if d.store.File != "" && !claim("cut off") {
		t.Error("the key of a call that a dead server was answering is not free at the next start")
	}
	if claim("answered") {
		t.Error("the key of a call that was answered is free")
	}
	claim("under way")
	serve(d.secondNode(t))
	if claim("under way") {
		t.Error("a second server freed the key of a call that the first one is answering")
	}
}

// pausesKept: an endpoint that asked for a pause keeps it over a restart.
func pausesKept(t *testing.T, d *deployment) {
	ctx := t.Context()
	hooks := d.hooks(webhook.Options{})
	target := receive(t, func(int) int { return 503 })
	target.after = "600"
	e := d.endpoint(t, hooks, idv.Test, target.URL, "session.created")
	d.create(t, session.Spec{})
	if err := hooks.Deliver(ctx, e.ID); err != nil {
		t.Fatal(err)
	}
	if err := d.store.ReleaseLeases(ctx); err != nil {
		t.Fatal(err)
	}
	if ok, err := d.store.Lease(ctx, e.ID, d.clock.now().Add(time.Minute)); ok || err != nil {
		t.Errorf("the queue of an endpoint that asked for a pause is free: %v, %v", ok, err)
	}
}
