package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// trailRead reads the log as people do: filtered, in pages, with proofs.
func trailRead(t *testing.T, d *deployment) {
	ctx := audit.WithActor(t.Context(), audit.Actor{Kind: audit.User, ID: "usr_1", Address: "203.0.113.7"})
	var about []idv.SessionID
	for range 3 {
		about = append(about, d.create(t, session.Spec{}).Session.ID)
		d.clock.advance(time.Millisecond) // entries of one millisecond have no order
	}
	if err := d.store.RecordAudit(ctx, audit.Record{Action: "key.created", Subject: "key_1"}); err != nil {
		t.Fatal(err)
	}
	list := func(f audit.Filter) []string {
		t.Helper()
		f.Limit = max(f.Limit, 1)
		found, err := d.store.AuditPage(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range found {
			if e.Position < 0 {
				t.Errorf("%s has no position", e.ID)
			}
			out = append(out, strings.TrimSpace(e.Action+" "+string(e.Session)+e.Subject))
		}
		return out
	}
	created := func(i int) string { return "session.created " + string(about[i]) }
	for name, c := range map[string]struct {
		f    audit.Filter
		want []string
	}{
		"all, newest first": {audit.Filter{Limit: 9}, []string{"key.created key_1", created(2), created(1), created(0)}},
		"one page":          {audit.Filter{Limit: 1}, []string{"key.created key_1"}},
		"of a kind":         {audit.Filter{Actor: audit.User, Limit: 9}, []string{"key.created key_1"}},
		"of somebody":       {audit.Filter{ActorID: "usr_1", Limit: 9}, []string{"key.created key_1"}},
		"of nobody":         {audit.Filter{ActorID: "usr_2", Limit: 9}, nil},
		"of an action":      {audit.Filter{Action: "session.created", Limit: 9}, []string{created(2), created(1), created(0)}},
		"about a session":   {audit.Filter{About: string(about[1]), Limit: 9}, []string{created(1)}},
		"about a thing":     {audit.Filter{About: "key_1", Limit: 9}, []string{"key.created key_1"}},
		"of tomorrow":       {audit.Filter{From: d.clock.now().Add(time.Hour), Limit: 9}, nil},
		"of yesterday":      {audit.Filter{To: d.clock.now().Add(-time.Hour), Limit: 9}, nil},
		"of today": {audit.Filter{From: d.clock.now().Add(-time.Hour), To: d.clock.now().Add(time.Hour), Action: "key.created", Limit: 9},
			[]string{"key.created key_1"}},
	} {
		if diff := cmp.Diff(c.want, list(c.f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got, err := d.store.AuditActions(ctx); err != nil || !slices.Equal(got, []string{"key.created", "session.created"}) {
		t.Errorf("actions %v, %v", got, err)
	}
	trailProofs(t, d, about[1])
}

// trailProofs proves entries and growth, and asks for what is not there.
func trailProofs(t *testing.T, d *deployment, about idv.SessionID) {
	ctx := t.Context()
	older, _, err := d.store.AuditCheckpoint(ctx)
	if err != nil || older.Size != 4 {
		t.Fatalf("%+v, %v", older, err)
	}
	d.create(t, session.Spec{})
	proofs, err := d.store.AuditProofs(ctx, about)
	if err != nil || len(proofs) != 1 || proofs[0].Check() != nil || proofs[0].Checkpoint.Size != 5 {
		t.Fatalf("%+v, %v", proofs, err)
	}
	p, err := d.store.AuditProof(ctx, proofs[0].Entry.ID)
	if err != nil || p.Check() != nil || p.Entry != proofs[0].Entry {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := d.store.AuditProof(ctx, "aud_none"); !problem.Has(err, problem.NotFound) {
		t.Errorf("no such entry: %v", err)
	}
	g, err := d.store.AuditGrowth(ctx, older.Size)
	if err != nil || g.Check() != nil || g.Older.Root != older.Root || g.Newer.Size != 5 {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := d.store.AuditGrowth(ctx, 99); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a size that was never signed: %v", err)
	}
}

// trailInspected alters the log behind the store's back, in ways that have to be told apart.
func trailInspected(t *testing.T, d *deployment) {
	ctx := t.Context()
	for range 6 {
		d.create(t, session.Spec{})
	}
	kept, _, err := d.store.AuditCheckpoint(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d.create(t, session.Spec{})
	faults := func() (out []string) {
		t.Helper()
		in, err := d.store.InspectAudit(ctx, kept)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range in.Faults {
			out = append(out, fmt.Sprintf("%d: %s", f.Position, f.Says))
		}
		return out
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, faults()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if err := d.store.Sequence(ctx); err != nil {
		t.Fatal(err)
	}
	expect("untouched")
	d.exec(t, "UPDATE audit_entries SET actor_id = 'somebody' WHERE position = 2")
	expect("altered", "2: the entry was altered")
	d.exec(t, "UPDATE audit_entries SET actor_id = '' WHERE position = 2")
	d.exec(t, "UPDATE audit_entries SET position = CASE position WHEN 3 THEN -3 ELSE -4 END WHERE position IN (3, 4)")
	d.exec(t, "UPDATE audit_entries SET position = CASE position WHEN -3 THEN 4 ELSE 3 END WHERE position < 0")
	expect("reordered", "3: this is the entry of position 4", "4: this is the entry of position 3")
	d.exec(t, "DELETE FROM audit_entries WHERE position IN (3, 4)")
	expect("removed", "3: the entries up to position 4 were removed")
}

// TestTheAuditLogIsReadByItsIndexes asks how the database goes about a page of a log with as many entries as there may be sessions:
// time is a poor witness on a busy machine.
func TestTheAuditLogIsReadByItsIndexes(t *testing.T) {
	skipUnderRace(t)
	d := onSQLite(t)
	ctx := t.Context()
	for _, q := range []string{
		"INSERT INTO audit_entries (id, position, created_at, actor, actor_id, address, action, session_id, subject, before_digest, after_digest) " +
			"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < " + strconv.Itoa(manySessions()-1) + ") " +
			"SELECT PRINTF('aud_%026d', i), i, '2024-01-01 00:00:00+00:00', CASE i % 50 WHEN 0 THEN 'user' ELSE 'system' END, CASE i % 50 WHEN 0 THEN 'usr_1' " +
			"ELSE '' END, '', " +
			"CASE i % 9 WHEN 0 THEN 'session.created' ELSE 'session.opened' END, PRINTF('ses_%026d', i / 10), '', '', '' FROM n",
		"ANALYZE",
	} {
		if _, err := d.store.Write.ExecContext(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	const page = " ORDER BY id DESC LIMIT 51"
	for name, q := range map[string]string{
		"the newest":    "SELECT * FROM audit_entries" + page,
		"a later page":  "SELECT * FROM audit_entries WHERE id < 'aud_00000000000000000000050000'" + page,
		"of days":       "SELECT * FROM audit_entries WHERE id >= 'aud_00000000000000000000001000' AND id < 'aud_00000000000000000000002000'" + page,
		"of a kind":     "SELECT * FROM audit_entries WHERE actor = 'user'" + page,
		"of somebody":   "SELECT * FROM audit_entries WHERE actor_id = 'usr_1' AND id < 'aud_00000000000000000000050000'" + page,
		"of an action":  "SELECT * FROM audit_entries WHERE action = 'session.created'" + page,
		"of a session":  "SELECT * FROM audit_entries WHERE session_id = 'ses_00000000000000000000000005'" + page,
		"of a thing":    "SELECT * FROM audit_entries WHERE subject = 'key_1'" + page,
		"unsequenced":   "SELECT 1 FROM audit_entries WHERE position IS NULL",
		"a page to add": "SELECT * FROM audit_entries WHERE position >= 5000 ORDER BY position LIMIT 1000",
	} {
		t.Run(name, func(t *testing.T) {
			var plan []struct {
				ID, Parent, Notused int
				Detail              string
			}
			if err := d.store.Write.NewRaw("EXPLAIN QUERY PLAN "+q).Scan(ctx, &plan); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(plan)
			if !strings.Contains(got, "USING") || strings.Contains(got, "TEMP B-TREE") || strings.Contains(got, "SCAN") && !strings.Contains(got, "USING INDEX") {
				t.Errorf("the plan: %s", got)
			}
		})
	}
	start := time.Now()
	if got, err := d.store.AuditActions(ctx); err != nil || len(got) != 2 {
		t.Fatalf("%v, %v", got, err)
	}
	t.Logf("the actions took %v", time.Since(start))
}

// beforeTrail undoes the migration that made the log quick to read.
var beforeTrail = []string{
	"CREATE INDEX audit_entries_by_session ON audit_entries (session_id)",
	"DROP INDEX audit_entries_by_actor", "DROP INDEX audit_entries_by_actor_id", "DROP INDEX audit_entries_by_action", "DROP INDEX audit_entries_by_subject",
	"DROP INDEX audit_entries_of_session",
}
