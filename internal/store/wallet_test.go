package store

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// beforeWallet undoes the migration of requests to wallets.
var beforeWallet = []string{
	"DROP TABLE wallet_requests", "ALTER TABLE sessions DROP COLUMN wallet", "DELETE FROM schema_versions WHERE version_id = 36",
}

// recordWalletRequests: a request is found by its secrets, read as it was written, and its sealed part is gone when it has ended.
func recordWalletRequests(t *testing.T, d *deployment) {
	ctx := t.Context()
	a, b := d.open(t), d.open(t)
	at := d.clock.now().UTC().Truncate(time.Microsecond)
	row := session.WalletRequestRow{
		ID: "wrq_one", Session: a.id, Handle: "hash of " + string(a.id), Channel: session.WalletSameDevice, State: session.WalletOpen,
		Sealed: &session.WalletSealed{Requests: []json.RawMessage{json.RawMessage(`{"nonce":"secret"}`)}}, MadeAt: at, ExpiresAt: at.Add(idv.WalletRequestLife),
	}
	within := func(f func(tx session.Tx) error) {
		t.Helper()
		must(t, d.store.InTx(ctx, func(_ context.Context, tx session.Tx) error { return f(tx) }))
	}
	within(func(tx session.Tx) error { return tx.AddWalletRequest(ctx, row) })
	read := d.store.Together()
	if got, err := read.WalletRequestByHandle(ctx, row.Handle); err != nil || got.ID != row.ID || string(got.Sealed.Requests[0]) != `{"nonce":"secret"}` {
		t.Errorf("by its handle: %+v, %v", got, err)
	}
	if _, err := read.WalletRequestByCode(ctx, ""); !problem.Has(err, problem.NotFound) {
		t.Errorf("a request without an answer has a code: %v", err)
	}
	row.State, row.Code, row.Sealed = session.WalletAnswered, "hash of a code", &session.WalletSealed{Answer: &idv.WalletAnswer{SameDevice: true}}
	within(func(tx session.Tx) error { return tx.SaveWalletRequest(ctx, row) })
	if got, err := d.store.Together().WalletRequestByCode(ctx, row.Code); err != nil || got.State != session.WalletAnswered || !got.Sealed.Answer.SameDevice {
		t.Errorf("by its code: %+v, %v", got, err)
	}
	within(func(tx session.Tx) error { return tx.EndWalletRequests(ctx, b.id, at) })
	within(func(tx session.Tx) error { return tx.ExpireWalletRequests(ctx, row.ExpiresAt.Add(-time.Second)) })
	if got, err := d.store.Together().WalletRequest(ctx, row.ID); err != nil || got.State != session.WalletAnswered {
		t.Errorf("ended by another session or too early: %+v, %v", got, err)
	}
	within(func(tx session.Tx) error { return tx.ExpireWalletRequests(ctx, row.ExpiresAt) })
	got, err := d.store.Together().WalletRequest(ctx, row.ID)
	if err != nil || got.State != session.WalletEnded || got.Sealed != nil || !got.EndedAt.Equal(row.ExpiresAt) {
		t.Errorf("after its time: %+v, %v", got, err)
	}
	if all, err := d.store.Together().WalletRequests(ctx, a.id); err != nil || len(all) != 1 {
		t.Errorf("%d requests: %v", len(all), err)
	}
}
