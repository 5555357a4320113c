package store

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// keysetsOnce counts how often keysets are read while a session's evidence, its case or its export is.
func keysetsOnce(t *testing.T, d *deployment) {
	tr, c := d.traced(t)
	d.work(t, queue.WorkOptions{})
	a, _ := d.referred(t)
	traces := map[string]string{}
	under := func(what string, do func(context.Context)) {
		ctx, root := tr.Begin(t.Context(), trace.Origin{Name: "root"})
		traces[traceIDOf(trace.Parent(ctx))] = what
		do(ctx)
		root.End(nil)
	}
	under("evidence", func(ctx context.Context) {
		_, found, err := d.Sessions.Captures(ctx, idv.Test, a.id)
		must(t, err)
		if with := slices.DeleteFunc(found, func(one idv.Artifact) bool { return len(one.Data) == 0 }); len(with) < 2 {
			t.Fatalf("%d artifacts with data prove nothing", len(with))
		}
	})
	under("checks", func(ctx context.Context) {
		checks, err := d.Sessions.Checks(ctx, idv.Test, a.id)
		must(t, err)
		if len(checks) < 2 {
			t.Fatalf("%d checks prove nothing", len(checks))
		}
	})
	ids := []idv.SessionID{a.id, d.create(t, session.Spec{}).Session.ID}
	under("records", func(ctx context.Context) {
		recs, err := d.store.Records(ctx, ids)
		must(t, err)
		if len(recs) != len(ids) {
			t.Errorf("%d records of %d sessions", len(recs), len(ids))
		}
	})
	must(t, d.store.DestroyKeyset(t.Context(), a.id, vault.Pictures))
	under("evidence without its pictures", func(ctx context.Context) {
		_, err := d.store.Together().Artifacts(ctx, a.id)
		must(t, err)
	})
	must(t, d.store.DestroyKeyset(t.Context(), a.id, vault.Facts))
	under("claims of a session that is gone", func(ctx context.Context) {
		if _, err := d.store.Together().Claims(ctx, a.id); !problem.Has(err, problem.SessionErased) {
			t.Errorf("claims were read: %v", err)
		}
	})
	tr.Close()
	opens := map[string]int{}
	for _, s := range c.Spans() {
		if what, ok := traces[s.Trace]; ok && s.Name == "sql SELECT" && s.Facts[trace.Table.Name] == "keysets" {
			opens[what]++
		}
	}
	want := map[string]int{
		"evidence": 3, // one is that of the session's own row
		"checks":   2, "records": 1, "evidence without its pictures": 2, "claims of a session that is gone": 1,
	}
	if diff := cmp.Diff(want, opens); diff != "" {
		t.Errorf("keysets were read (-want +got):\n%s", diff)
	}
}
