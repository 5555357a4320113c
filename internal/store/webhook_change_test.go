package store

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// hooksPaused pauses an endpoint: what happens meanwhile waits, and is sent to where it is resumed.
func hooksPaused(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	old, moved := receive(t, nil), receive(t, nil)
	e := d.endpoint(t, s, idv.Test, old.URL, "session.created")
	d.workHooks(t, s)
	change := func(c webhook.Change) webhook.Endpoint {
		t.Helper()
		read, err := s.Endpoint(ctx, idv.Test, e.ID)
		must(t, err)
		out, err := s.Change(ctx, read, c)
		must(t, err)
		return out
	}
	yes, no := true, false
	if got := change(webhook.Change{Paused: &yes}); got.HeldAt.IsZero() || got.URL != old.URL || !got.StoppedAt.IsZero() {
		t.Errorf("paused: %+v", got)
	}
	if _, err := s.Test(ctx, idv.Test, e.ID); !problem.Has(err, problem.WebhookPaused) {
		t.Errorf("a test of a paused endpoint: %v", err)
	}
	d.create(t, session.Spec{})
	d.create(t, session.Spec{})
	until(t, "the job that finds it paused", func() bool {
		read, err := s.Endpoint(ctx, idv.Test, e.ID)
		return err == nil && !read.PausedUntil.IsZero()
	})
	if got := old.types(); len(got) > 0 {
		t.Errorf("a paused endpoint got %v", got)
	}
	content := webhook.ContentReference
	got := change(webhook.Change{Paused: &no, URL: &moved.URL, Events: &[]string{}, Content: &content})
	if !got.HeldAt.IsZero() || got.URL != moved.URL || got.Content != content || len(got.Events) != 0 {
		t.Errorf("resumed: %+v", got)
	}
	until(t, "what waited", func() bool { return len(moved.types()) == 2 })
	if got := old.types(); len(got) > 0 {
		t.Errorf("the old address got %v", got)
	}
	sawAudit(t, d, "webhook.changed", string(e.ID))
	hookAtRest(t, d, e)
}

// hooksChangedOnce lets one of two changes of the same reading win.
func hooksChangedOnce(t *testing.T, d *deployment) {
	ctx := t.Context()
	s := d.hooks(webhook.Options{})
	e := d.endpoint(t, s, idv.Test, "http://127.0.0.1:9/in")
	url, bad, content, none := "http://127.0.0.1:9/other", "http://10.0.0.1/", webhook.ContentSession, webhook.Content("all")
	if _, err := s.Change(ctx, e, webhook.Change{Content: &content}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Change(ctx, e, webhook.Change{URL: &url}); !problem.Has(err, problem.Unavailable) {
		t.Errorf("a change of what was changed since: %v", err)
	}
	for name, c := range map[string]webhook.Change{
		"an address that it may not reach": {URL: &bad}, "a type that there is not": {Events: &[]string{"session.eaten"}}, "no content": {Content: &none},
	} {
		read, err := s.Endpoint(ctx, idv.Test, e.ID)
		must(t, err)
		if _, err := s.Change(ctx, read, c); !problem.Has(err, problem.RequestMalformed) && !problem.Has(err, problem.WebhookTargetRefused) {
			t.Errorf("%s: %v", name, err)
		}
		after, err := s.Endpoint(ctx, idv.Test, e.ID)
		if diff := cmp.Diff(read, after); diff != "" || err != nil {
			t.Errorf("%s changed something: %v\n%s", name, err, diff)
		}
	}
}

// listUpdated finds a session by what the integrator says of it now, and by nothing that it said before.
func listUpdated(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.create(t, session.Spec{ExternalReference: "Order 7", Metadata: map[string]string{"shop": "Nord", "till": "4"}}).Session
	d.clock.advance(time.Hour)
	b := d.create(t, session.Spec{ExternalReference: "Order 8"}).Session
	touched, err := d.store.Session(ctx, a.ID)
	must(t, err)
	reference, shop := "Order 7b", "Sued"
	v, err := d.Sessions.Update(ctx, idv.Test, a.ID, session.Change{
		ExternalReference: &reference, Metadata: map[string]*string{"shop": &shop, "till": nil},
	})
	must(t, err)
	if diff := cmp.Diff(map[string]string{"shop": "Sued"}, v.Session.Metadata); diff != "" || v.Session.ExternalReference != reference {
		t.Errorf("%q (-want +got):\n%s", v.Session.ExternalReference, diff)
	}
	rec, err := d.store.Session(ctx, a.ID)
	if err != nil || !rec.TouchedAt.Equal(touched.TouchedAt) || rec.Version != touched.Version+1 {
		t.Errorf("the session's time began anew: %+v, %v", rec, err)
	}
	for name, c := range map[string]struct {
		w    session.Wanted
		want []idv.SessionID
	}{
		"the reference":            {session.Wanted{Reference: "Order 7b"}, []idv.SessionID{a.ID}},
		"the reference before":     {session.Wanted{Reference: "Order 7"}, nil},
		"the pair":                 {session.Wanted{MetadataKey: "shop", MetadataValue: "Sued"}, []idv.SessionID{a.ID}},
		"the pair before":          {session.Wanted{MetadataKey: "shop", MetadataValue: "Nord"}, nil},
		"a pair that was removed":  {session.Wanted{MetadataKey: "till", MetadataValue: "4"}, nil},
		"the session beside it":    {session.Wanted{Reference: "Order 8"}, []idv.SessionID{b.ID}},
		"the other one's metadata": {session.Wanted{Reference: "Order 8", MetadataKey: "shop", MetadataValue: "Sued"}, nil},
	} {
		f := session.Filter{Mode: idv.Test, Wanted: c.w}
		found, _, err := d.Sessions.Search(ctx, f)
		must(t, err)
		var got []idv.SessionID
		for _, v := range found {
			got = append(got, v.Session.ID)
		}
		n, err := d.Sessions.Count(ctx, f)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil || n != len(c.want) {
			t.Errorf("%s: %d counted, %v (-want +got):\n%s", name, n, err, diff)
		}
	}
	before, err := d.store.Session(ctx, a.ID)
	must(t, err)
	if _, err := d.Sessions.Update(ctx, idv.Test, a.ID, session.Change{ExternalReference: &reference}); err != nil {
		t.Error(err)
	}
	if after, err := d.store.Session(ctx, a.ID); err != nil || after.Version != before.Version {
		t.Errorf("saying the same changed something: %v", err)
	}
	if _, err := d.Sessions.Update(ctx, idv.Live, a.ID, session.Change{ExternalReference: &reference}); !problem.Has(err, problem.NotFound) {
		t.Errorf("in the other mode: %v", err)
	}
}

// listSorted pages through every order from its beginning, and counts whatever the page.
func listSorted(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	var made []idv.SessionID
	for range 4 {
		d.clock.advance(time.Minute)
		made = append(made, d.create(t, session.Spec{}).Session.ID)
	}
	decide := func(id idv.SessionID) {
		t.Helper()
		d.clock.advance(time.Minute)
		_, err := d.Sessions.Cancel(t.Context(), idv.Test, id)
		must(t, err)
	}
	approve := func() idv.SessionID {
		t.Helper()
		a := d.open(t)
		made = append(made, a.id)
		a.sendBoth(t, idvtest.Passport("anna"), idvtest.Selfie("anna"))
		d.await(t, a.id, idv.Approved)
		d.clock.advance(time.Minute)
		return a.id
	}
	decide(made[1])
	approved := []idv.SessionID{approve(), approve(), approve()}
	undecided := []idv.SessionID{made[0], made[1], made[2], made[3]}
	back := func(ids []idv.SessionID) []idv.SessionID {
		out := slices.Clone(ids)
		slices.Reverse(out)
		return out
	}
	byState := []idv.SessionID{approved[0], approved[1], approved[2], made[1], made[0], made[2], made[3]} // approved, cancelled, created
	for _, by := range []struct {
		sort session.Sort
		want []idv.SessionID
	}{
		{"", back(made)}, {session.Newest, back(made)}, {session.Oldest, made},
		{session.ByState, byState}, {session.ByStateBack, back(byState)},
		{session.FirstDecided, slices.Concat(approved, undecided)},
		{session.LastDecided, slices.Concat(back(approved), back(undecided))},
	} {
		for _, limit := range []int{1, 2, 3, 100} {
			got := listed(t, d, session.Filter{Mode: idv.Test, Limit: limit, Sort: by.sort}, len(made))
			if diff := cmp.Diff(by.want, got); diff != "" {
				t.Errorf("%s, %d a page (-want +got):\n%s", by.sort, limit, diff)
			}
		}
	}
	narrowed := listed(t, d, session.Filter{Mode: idv.Test, Limit: 2, Sort: session.LastDecided, Outcome: idv.DecideApprove, Countries: []string{"UTO"}}, 3)
	if diff := cmp.Diff(back(approved), narrowed); diff != "" {
		t.Errorf("narrowed, by decision (-want +got):\n%s", diff)
	}
	for sort, cursor := range map[session.Sort]string{
		session.ByState: string(made[0]), session.LastDecided: "yesterday," + string(made[0]), session.FirstDecided: "2026-01-01T00:00:00Z",
		session.ByStateBack: "no_state," + string(made[0]), session.Newest: "," + string(made[0]),
	} {
		if _, _, err := d.Sessions.List(t.Context(), session.Filter{Mode: idv.Test, Sort: sort, After: cursor}); !problem.Has(err, problem.RequestMalformed) {
			t.Errorf("%s after %q: %v", sort, cursor, err)
		}
	}
	// A page goes on where it was, whatever became of the session at its end.
	f := session.Filter{Mode: idv.Test, Limit: 6, Sort: session.ByState}
	_, next, err := d.Sessions.List(t.Context(), f)
	must(t, err)
	decide(made[2])
	f.After = next
	if found, _, err := d.Sessions.List(t.Context(), f); err != nil || len(found) != 1 || found[0].Session.ID != made[3] {
		t.Errorf("after a session that moved: %v, %v", found, err)
	}
}

// listed pages through a list, of which there are so many.
func listed(t *testing.T, d *deployment, f session.Filter, all int) []idv.SessionID {
	t.Helper()
	var out []idv.SessionID
	for pages := 1; ; pages++ {
		found, next, err := d.Sessions.List(t.Context(), f)
		must(t, err)
		for _, v := range found {
			out = append(out, v.Session.ID)
		}
		if n, err := d.Sessions.Count(t.Context(), f); err != nil || n != all {
			t.Errorf("page %d counts %d, %v, want %d", pages, n, err, all)
		}
		if f.After = next; next == "" || pages > all {
			return out
		}
	}
}
