package store

import (
	"context"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// beforeRelay undoes the migration of relays.
var beforeRelay = []string{"DROP TABLE chip_relays", "DELETE FROM schema_versions WHERE version_id = 51"}

// recordRelays: the relay that opened last is the one that is read, and one before it neither writes nor closes it.
func recordRelays(t *testing.T, d *deployment) {
	ctx := t.Context()
	a, b := d.open(t), d.open(t)
	at := d.clock.now().UTC().Truncate(time.Microsecond)
	within := func(f func(tx session.Tx) error) {
		t.Helper()
		must(t, d.store.InTx(ctx, func(_ context.Context, tx session.Tx) error { return f(tx) }))
	}
	is := func(when string, want session.RelayRow) {
		t.Helper()
		got, err := d.store.Together().Relay(ctx, a.id)
		if want == (session.RelayRow{}) && problem.Has(err, problem.NotFound) {
			return
		}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", when, got, err, want)
		}
	}
	is("before any", session.RelayRow{})
	first := session.RelayRow{Session: a.id, Relay: "one", State: "open", Until: at.Add(time.Minute)}
	within(func(tx session.Tx) error { return tx.OpenRelay(ctx, first) })
	first.State, first.File, first.Read, first.Of = "reading", "DG2", 200, 20_000
	within(func(tx session.Tx) error { return tx.SaveRelay(ctx, first) })
	is("as it was written", first)
	other := session.RelayRow{Session: b.id, Relay: "one", State: "stopped", Until: at}
	within(func(tx session.Tx) error { return tx.SaveRelay(ctx, other) })
	within(func(tx session.Tx) error { return tx.CloseRelay(ctx, b.id, "one") })
	is("whatever another session does", first)
	second := session.RelayRow{Session: a.id, Relay: "two", State: "open", Until: at.Add(time.Hour)}
	within(func(tx session.Tx) error { return tx.OpenRelay(ctx, second) })
	within(func(tx session.Tx) error { return tx.SaveRelay(ctx, first) })
	within(func(tx session.Tx) error { return tx.CloseRelay(ctx, a.id, "one") })
	is("after a second opened", second)
	within(func(tx session.Tx) error { return tx.CloseRelay(ctx, a.id, "two") })
	is("closed", session.RelayRow{})
}
