package store

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

func hooksFeed(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	all := func(after idv.EventID) (out []idv.EventID) {
		t.Helper()
		for {
			page, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, After: after, Limit: 3})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page {
				out = append(out, e.ID)
				after = e.ID
			}
			if len(page) == 0 {
				return out
			}
		}
	}
	one, two := d.create(t, session.Spec{}), d.create(t, session.Spec{})
	begun := all("")
	if len(begun) != 2 {
		t.Fatalf("%d events", len(begun))
	}
	late := lateEvent(t, d, one.Session.ID, two.Session.ID, func() { // read while one of the two is not committed yet
		begun = append(begun, all(begun[len(begun)-1])...)
	})
	rest := append(begun, all(begun[len(begun)-1])...)
	if !slices.Contains(rest, late[0]) || !slices.Contains(rest, late[1]) || len(rest) != 4 {
		t.Errorf("of %v the feed had %v", late, rest)
	}
	if diff := cmp.Diff(rest, all("")); diff != "" {
		t.Errorf("read again (-want +got):\n%s", diff)
	}
	newest, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, Newest: true, Limit: 2, After: rest[3]})
	if err != nil || len(newest) != 2 || newest[0].ID != rest[2] || newest[1].ID != rest[1] {
		t.Errorf("newest first: %v, %v", newest, err)
	}
	only, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Test, Session: one.Session.ID, Types: []string{"session.created"}})
	if err != nil || len(only) != 1 || only[0].Session != one.Session.ID {
		t.Errorf("of one session: %v, %v", only, err)
	}
	for name, f := range map[string]webhook.FeedFilter{
		"a cursor of nobody": {Mode: idv.Test, After: "evt_06c1q2m3n4p5r6s7t8v9w0x1y2"}, "a cursor of the other mode": {Mode: idv.Live, After: rest[0]},
		"a cursor of no form": {Mode: idv.Test, After: "' OR 1=1"}, "a type that there is not": {Mode: idv.Test, Types: []string{"session.captured"}},
	} {
		if _, err := s.Feed(ctx, f); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if live, err := s.Feed(ctx, webhook.FeedFilter{Mode: idv.Live}); err != nil || len(live) != 0 {
		t.Errorf("the other mode: %v, %v", live, err)
	}
}

// lateEvent writes two events: on PostgreSQL the one that is written first is committed last, and during runs in between.
func lateEvent(t *testing.T, d *deployment, one, two idv.SessionID, during func()) []idv.EventID {
	t.Helper()
	add := func(ctx context.Context, tx session.Tx, id idv.SessionID, n string) (idv.EventID, error) {
		event := idv.EventID("evt_06c1q2m3n4p5r6s7t8v9w0x1" + n)
		return event, tx.AddEvent(ctx, session.Event{ID: event, Session: id, Type: session.EventOpened, At: d.clock.now(), Actor: "system"})
	}
	var out []idv.EventID
	err := d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
		a, err := add(ctx, tx, one, "za")
		if err != nil || d.store.Engine() == "sqlite" {
			out = append(out, a)
			return err
		}
		err = d.store.InTx(context.WithoutCancel(t.Context()), func(ctx context.Context, tx session.Tx) error {
			b, err := add(ctx, tx, two, "zb")
			out = append(out, a, b)
			return err
		})
		during()
		return err
	})
	if err == nil && len(out) == 1 { // SQLite has one writer: nothing commits out of turn
		during()
		err = d.store.InTx(t.Context(), func(ctx context.Context, tx session.Tx) error {
			b, err := add(ctx, tx, two, "zb")
			out = append(out, b)
			return err
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
