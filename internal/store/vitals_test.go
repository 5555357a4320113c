package store

import (
	"context"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// vitalsTold: what waits is told with how long it waits, and that somebody works.
func vitalsTold(t *testing.T, d *deployment) {
	ctx := t.Context()
	id := d.onlyOpen(t, d.create(t, session.Spec{})).id
	at := d.clock.now().UTC().Truncate(time.Second).Add(-time.Hour)
	d.exec(t, "INSERT INTO erasures (session_id, scope, statement, traces, erased_at) VALUES (?, 'pictures', '', '', ?)", string(id), at)
	d.exec(t, "INSERT INTO webhook_endpoints (id, mode, events, sealed, version, created_at) VALUES ('whk_1', 'test', '[]', ?, 0, ?)", []byte("sealed"), at)
	d.exec(t, "INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, session_id, state, attempt, next_at, created_at) "+
		"VALUES ('dlv_1', 'whk_1', 'evt_1', 'session.opened', ?, 'due', 0, ?, ?)", string(id), at, at)
	must(t, d.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error { return tx.Enqueue(ctx, job.Check{Session: id}) }))
	v, err := d.store.Vitals(ctx)
	must(t, err)
	if v.Erasing != 1 || !v.ErasingFrom.Equal(at) {
		t.Errorf("erasings: %d since %v, want 1 since %v", v.Erasing, v.ErasingFrom, at)
	}
	if v.Due != 1 || !v.DueSince.Equal(at) {
		t.Errorf("deliveries: %d since %v, want 1 since %v", v.Due, v.DueSince, at)
	}
	if len(v.Jobs) != 1 || v.Jobs[0].Waiting != 1 || v.Jobs[0].Oldest.IsZero() || !v.Worked.IsZero() {
		t.Errorf("jobs %+v, worked %v", v.Jobs, v.Worked)
	}
	d.work(t, queue.WorkOptions{})
	for v.Worked.IsZero() { // until upkeep has come to its end for the first time
		time.Sleep(20 * time.Millisecond)
		v, err = d.store.Vitals(ctx)
		must(t, err)
	}
}
